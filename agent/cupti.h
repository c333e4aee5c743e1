/* SPDX-License-Identifier: Apache-2.0
 *
 * libcupti, bound at run time. Only one libcupti may live in a process, so the one that is loaded
 * already (torch brings its own) comes first.
 */
#pragma once

#include "agent/cupti_abi.h"

namespace opcensus::agent {

struct Cupti {
  cupti::Result (*get_version)(std::uint32_t*) = nullptr;
  cupti::Result (*subscribe)(void** subscriber, cupti::Callback callback, void* user) = nullptr;
  /* 13.0 and later: names the tool that holds CUPTI */
  cupti::Result (*subscribe_v2)(void** subscriber,
                                cupti::Callback callback,
                                void* user,
                                cupti::SubscriberParams* parameters) = nullptr;
  cupti::Result (*enable_callback)(std::uint32_t enable,
                                   void* subscriber,
                                   std::uint32_t domain,
                                   std::uint32_t id) = nullptr;
  /* Null in a CUPTI that is cut down; the defaults do then. */
  cupti::Result (*set_attribute)(int attribute, std::size_t* size, void* value) = nullptr;
  cupti::Result (*activity_enable)(int kind) = nullptr;
  cupti::Result (*activity_disable)(int kind) = nullptr;
  cupti::Result (*register_callbacks)(cupti::BufferRequested, cupti::BufferCompleted) = nullptr;
  cupti::Result (*next_record)(std::uint8_t* buffer, std::size_t valid, void** record) = nullptr;
  cupti::Result (*flush_all)(std::uint32_t flag) = nullptr;
  cupti::Result (*dropped_records)(void* context,
                                   std::uint32_t stream,
                                   std::size_t* dropped) = nullptr;
  cupti::Result (*graph_id)(void* graph, std::uint32_t* id) = nullptr;
  cupti::Result (*graph_node_id)(void* node, std::uint64_t* id) = nullptr;
  cupti::Result (*graph_exec_id)(void* exec, std::uint32_t* id) = nullptr; /* 12.3 and later */
  cupti::Result (*result_string)(cupti::Result, const char**) = nullptr;
};

/* False, with a reason for the user, if none is found or a function is missing. */
bool load_cupti(Cupti& out, const char** reason);

}  // namespace opcensus::agent

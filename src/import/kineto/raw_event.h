// SPDX-License-Identifier: Apache-2.0
//
// RawEvent: one event as it stands in the file, with the fields that opcensus uses. Views are
// valid during EventSink::on_event only.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "src/model/trace.h"

namespace opcensus::import {

/// What a Cambricon kernel says of the graph node that it is ("tasktopo"): the graph, the node,
/// and the operator that was running when the node was captured.
struct RawGraphNode {
  std::uint64_t graph = 0;
  std::uint64_t node = 0;         ///< 0 = not of a graph
  std::uint64_t external_id = 0;  ///< of the operator; 0 = none
  std::string_view operator_name;
};

struct RawArgs {
  std::uint64_t correlation = 0;    ///< 0 = none
  std::uint64_t external_id = 0;    ///< 0 = none
  std::uint64_t graph_node_id = 0;  ///< 0 = none
  std::optional<std::int64_t> device;
  std::optional<std::int64_t> stream;
  std::string_view kernel;
  std::string_view input_dims;  ///< JSON text as written; empty = absent
  std::string_view input_type;  ///< likewise
  std::string_view input_strides;
  std::string_view concrete_inputs;
  Dims dims;
  std::uint64_t record_function_id = 0;  ///< 0 = none
  RawGraphNode graph_node;
};

struct RawEvent {
  std::uint64_t byte_offset = 0;
  char phase = '\0';  ///< '\0' = none
  std::string_view category;
  std::optional<std::string_view> name;  ///< "" for null
  std::string_view start;                ///< decimal microseconds; empty = absent
  std::string_view duration;             ///< likewise
  std::string_view pid;                  ///< text of a number or string; empty = absent
  std::string_view tid;
  RawArgs args;
  std::uint64_t flow_id = 0;  ///< of a flow ("s", "f"); 0 = none
  bool has_args = false;
};

class EventSink {
 public:
  EventSink() = default;
  EventSink(const EventSink&) = delete;
  EventSink& operator=(const EventSink&) = delete;
  virtual ~EventSink() = default;

  virtual void on_event(const RawEvent& event) = 0;
};

}  // namespace opcensus::import

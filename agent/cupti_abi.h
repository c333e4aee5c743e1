/* SPDX-License-Identifier: Apache-2.0
 *
 * The part of CUPTI that the agent uses, declared here so that it builds without a CUDA toolkit and
 * runs against whatever libcupti the process has. Numbers and offsets are ABI: equal in the headers
 * of CUPTI 12.9 and 13.0 (compared with both), and documented as stable prefixes of the records.
 */
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>

namespace opcensus::agent::cupti {

using Result = int; /* CUptiResult */
constexpr Result kSuccess = 0;
constexpr Result kMultipleSubscribers = 39;

/* CUpti_CallbackDomain */
constexpr std::uint32_t kDriverApi = 1;
constexpr std::uint32_t kRuntimeApi = 2;
constexpr std::uint32_t kResource = 3;

/* CUpti_CallbackIdResource */
constexpr std::uint32_t kGraphDestroyStarting = 10;
constexpr std::uint32_t kGraphCloned = 11;
constexpr std::uint32_t kGraphNodeCreated = 13;
constexpr std::uint32_t kGraphExecCreated = 18;
constexpr std::uint32_t kGraphExecDestroyStarting = 19;
constexpr std::uint32_t kGraphNodeCloned = 20;
constexpr std::uint32_t kGraphNodeUpdated = 22; /* CUPTI 13.0 and later */

/* CUpti_ActivityAttribute */
constexpr int kDeviceBufferPoolLimit = 2; /* a size_t; buffers a context, 250 by default */

/* CUpti_ActivityKind */
constexpr int kActivityMemcpy = 1;
constexpr int kActivityMemset = 2;
constexpr int kActivityDriver = 4;
constexpr int kActivityRuntime = 5;
constexpr int kActivityConcurrentKernel = 10;
constexpr int kActivityMemcpyPeer = 22;
constexpr int kActivityGraphTrace = 51;

/* CUgraphNodeType */
constexpr int kNodeKernel = 0;
constexpr int kNodeMemcpy = 1;
constexpr int kNodeMemset = 2;
constexpr int kNodeGraph = 4;
constexpr int kNodeConditional = 13;

constexpr int kApiEnter = 0;

struct CallbackData { /* CUpti_CallbackData */
  int site;
  const char* function_name;
  const void* function_params;
  void* function_return_value;
  const char* symbol_name;
  void* context;
  std::uint32_t context_uid;
  std::uint64_t* correlation_data;
  std::uint32_t correlation_id;
};

static_assert(offsetof(CallbackData, function_name) == 8 &&
              offsetof(CallbackData, function_params) == 16);
static_assert(offsetof(CallbackData, correlation_id) == 64 && sizeof(CallbackData) == 72);

struct ResourceData { /* CUpti_ResourceData */
  void* context;
  void* handle;
  void* descriptor;
};

struct GraphData { /* CUpti_GraphData */
  void* graph;
  void* original_graph;
  void* node;
  void* original_node;
  int node_type;
  void* dependency;
  void* graph_exec;
};

static_assert(offsetof(GraphData, dependency) == 40 && offsetof(GraphData, graph_exec) == 48);

struct SubscriberParams { /* CUpti_SubscriberParams */
  std::size_t struct_size;
  const char* subscriber_name;
  char* old_subscriber_name; /* written where another subscriber is there */
  std::size_t old_subscriber_size;
};

using Callback = void (*)(void* user, std::uint32_t domain, std::uint32_t id, const void* data);
using BufferRequested = void (*)(std::uint8_t** buffer,
                                 std::size_t* size,
                                 std::size_t* max_records);
using BufferCompleted = void (*)(
    void* context, std::uint32_t stream, std::uint8_t* buffer, std::size_t size, std::size_t valid);

/* Fields of activity records, by offset: the struct's name and length depend on the version. */
template <class Field>
Field field(const void* record, std::size_t offset) {
  Field value;
  std::memcpy(&value, static_cast<const std::uint8_t*>(record) + offset, sizeof(value));
  return value;
}

namespace kernel { /* CUpti_ActivityKernel5 … 10 */
constexpr std::size_t kStart = 16, kEnd = 24, kDevice = 40, kStream = 48, kGrid = 52, kBlock = 64,
                      kCorrelation = 92, kName = 104, kGraphNode = 144;
}

namespace memcpy_record { /* CUpti_ActivityMemcpy5, 6 */
constexpr std::size_t kBytes = 8, kStart = 16, kEnd = 24, kDevice = 32, kStream = 40,
                      kCorrelation = 44, kGraphNode = 64;
/* In both kinds of copies. */
constexpr std::size_t kCopyKind = 4, kSourceMemory = 5, kTargetMemory = 6;
}  // namespace memcpy_record

namespace memcpy_peer { /* CUpti_ActivityMemcpyPtoP4 */
constexpr std::size_t kBytes = 8, kStart = 16, kEnd = 24, kDevice = 32, kStream = 40,
                      kCorrelation = 60, kGraphNode = 72;
}

namespace memset_record { /* CUpti_ActivityMemset4 */
constexpr std::size_t kBytes = 8, kStart = 16, kEnd = 24, kDevice = 32, kStream = 40,
                      kCorrelation = 44, kMemory = 50, kGraphNode = 64;
}

namespace graph_trace { /* CUpti_ActivityGraphTrace */
constexpr std::size_t kCorrelation = 4, kStart = 8, kEnd = 16, kDevice = 24, kGraph = 28,
                      kStream = 36;
}

}  // namespace opcensus::agent::cupti

/* SPDX-License-Identifier: Apache-2.0
 *
 * What CUPTI calls: graph nodes as they are made, API calls, and full buffers of device records.
 */
#include <cstdio>
#include <cstdlib>
#include <utility>
#include <vector>

#include "agent/agent.h"
#include "agent/call_table.h"
#include "agent/copy_names.h"

namespace opcensus::agent {
namespace {

/* Of CUPTI's 3.2 MB, each for 100,000 kernels and copies that have not ended. It makes three at
 * once, more when it needs them, and keeps them: up to 800 MB by default, on a device that a server
 * may have filled to the last tenth. This is 100 MB, and still 3.2 million kernels under way. */
constexpr std::size_t kDeviceBuffers = 32;
constexpr std::size_t kBufferBytes = std::size_t{4}
                                     << 20U; /* host side; NVIDIA advises 1 to 10 MB */

void callback(void* user, std::uint32_t domain, std::uint32_t id, const void* data) {
  static_cast<Agent*>(user)->on_callback(domain, id, data);
}

void buffer_requested(std::uint8_t** buffer, std::size_t* size, std::size_t* max_records) {
  /* Returning null crashes CUPTI before 12.9; aligned_alloc fails only when the host is lost. */
  *buffer = static_cast<std::uint8_t*>(std::aligned_alloc(8, kBufferBytes));
  *size = *buffer == nullptr ? 0 : kBufferBytes;
  *max_records = 0;
}

void buffer_completed(void* /*context*/,
                      std::uint32_t /*stream*/,
                      std::uint8_t* buffer,
                      std::size_t /*size*/,
                      std::size_t valid) {
  if (Agent* agent = the_agent()) {
    agent->on_buffer(buffer, valid);
  }
  std::free(buffer);
}

wire::NodeKind node_kind(int type) {
  switch (type) {
    case cupti::kNodeKernel:
      return wire::NodeKind::Kernel;
    case cupti::kNodeMemcpy:
      return wire::NodeKind::Memcpy;
    case cupti::kNodeMemset:
      return wire::NodeKind::Memset;
    case cupti::kNodeGraph:
      return wire::NodeKind::ChildGraph;
    case cupti::kNodeConditional:
      return wire::NodeKind::Conditional;
    default:
      return wire::NodeKind::Other;
  }
}

/* CUPTI: 0 = "timestamp information could not be collected", for want of device memory; at a forced
 * flush also a kernel that has not ended. */
bool lacks_times(const wire::DeviceRecord& row) {
  return row.start_ns == 0 || row.end_ns == 0;
}

/* Where the fields that all records have lie in one kind of them. */
struct Offsets {
  std::size_t start, end, node, bytes, correlation, stream, device;
};

namespace k = cupti::kernel;
namespace m = cupti::memcpy_record;
namespace p = cupti::memcpy_peer;
namespace s = cupti::memset_record;

/* A kernel has no bytes: any field does. */
constexpr Offsets kKernel{
    k::kStart, k::kEnd, k::kGraphNode, k::kStart, k::kCorrelation, k::kStream, k::kDevice};
constexpr Offsets kMemcpy{
    m::kStart, m::kEnd, m::kGraphNode, m::kBytes, m::kCorrelation, m::kStream, m::kDevice};
constexpr Offsets kMemcpyPeer{
    p::kStart, p::kEnd, p::kGraphNode, p::kBytes, p::kCorrelation, p::kStream, p::kDevice};
constexpr Offsets kMemset{
    s::kStart, s::kEnd, s::kGraphNode, s::kBytes, s::kCorrelation, s::kStream, s::kDevice};

wire::DeviceRecord copy_record(const void* record, wire::DeviceKind kind, const Offsets& at) {
  wire::DeviceRecord out{};
  out.start_ns = cupti::field<std::uint64_t>(record, at.start);
  out.end_ns = cupti::field<std::uint64_t>(record, at.end);
  out.node = cupti::field<std::uint64_t>(record, at.node);
  out.bytes = cupti::field<std::uint64_t>(record, at.bytes);
  out.correlation = cupti::field<std::uint32_t>(record, at.correlation);
  out.stream = cupti::field<std::uint32_t>(record, at.stream);
  out.device = static_cast<std::uint16_t>(cupti::field<std::uint32_t>(record, at.device));
  out.kind = static_cast<std::uint16_t>(kind);
  return out;
}

}  // namespace

bool Agent::subscribe() {
  char holder[128] = "";
  cupti::SubscriberParams parameters{sizeof(parameters), "opcensus", holder, sizeof(holder)};
  const cupti::Result result = cupti_.subscribe_v2 != nullptr
                                   ? cupti_.subscribe_v2(&subscriber_, callback, this, &parameters)
                                   : cupti_.subscribe(&subscriber_, callback, this);
  if (result != cupti::kSuccess) {
    const char* text = "";
    cupti_.result_string(result, &text);
    std::fprintf(stderr,
                 "opcensus agent: no device events: %s holds CUPTI (%s)\n",
                 holder[0] != 0 ? holder : "another tool (nsys, ncu, torch.profiler)",
                 text);
    return false;
  }
  limit_device_buffers();
  cupti_.register_callbacks(buffer_requested, buffer_completed);
  enable_always_on_callbacks();
  return true;
}

/* Before there is a context, as CUPTI asks for: the driver loads us while it starts. */
void Agent::limit_device_buffers() {
  if (cupti_.set_attribute != nullptr) {
    std::size_t limit = kDeviceBuffers;
    std::size_t bytes = sizeof(limit);
    cupti_.set_attribute(cupti::kDeviceBufferPoolLimit, &bytes, &limit);
  }
}

void Agent::enable_always_on_callbacks() {
  for (const std::uint32_t id : {cupti::kGraphNodeCreated,
                                 cupti::kGraphNodeCloned,
                                 cupti::kGraphExecCreated,
                                 cupti::kGraphCloned,
                                 cupti::kGraphNodeUpdated,
                                 cupti::kGraphDestroyStarting,
                                 cupti::kGraphExecDestroyStarting}) {
    cupti_.enable_callback(
        1, subscriber_, cupti::kResource, id); /* updates: an older CUPTI refuses, and has none */
  }
  for (const CallId& call : always_watched_calls()) {
    cupti_.enable_callback(1, subscriber_, call.domain, call.id);
  }
}

/* In a window every launch has a row. A capture needs the kernels of its nodes only: the driver's
 * launch calls, which are inside the runtime's, tell them, and each callback delays the capture. */
void Agent::update_launch_callbacks() {
  const std::lock_guard lock(launch_mutex_);
  const LaunchCallbacks wanted = window_open_         ? LaunchCallbacks::All
                                 : captures_open_ > 0 ? LaunchCallbacks::KernelNames
                                                      : LaunchCallbacks::None;
  if (wanted == launch_callbacks_) {
    return;
  }
  launch_callbacks_ = wanted;
  for (const CallId& call : launch_calls()) {
    const bool on = wanted == LaunchCallbacks::All ||
                    (wanted == LaunchCallbacks::KernelNames && call.domain == cupti::kDriverApi &&
                     call.kind == wire::CallKind::LaunchFunction);
    cupti_.enable_callback(on ? 1 : 0, subscriber_, call.domain, call.id);
  }
}

void Agent::on_callback(std::uint32_t domain, std::uint32_t id, const void* data) noexcept {
  if (!is_on_.load(std::memory_order_relaxed) || data == nullptr) {
    return;
  }
  try {
    if (domain == cupti::kResource) {
      handle_resource(id, *static_cast<const cupti::ResourceData*>(data));
    } else {
      handle_api(domain, id, *static_cast<const cupti::CallbackData*>(data));
    }
  } catch (...) {
    is_on_ = false; /* fail open: the host runs on, unrecorded */
  }
}

void Agent::add_node(wire::NodeEvent event,
                     wire::NodeKind kind,
                     std::uint64_t node,
                     std::uint64_t origin) {
  ThreadState& thread = this_thread();
  wire::NodeRecord record{};
  record.node = node;
  record.origin = origin;
  record.time_ns = thread.now();
  if (event == wire::NodeEvent::Created) {
    record.op = thread.innermost();
    record.top_op = thread.outermost();
  }
  record.event = static_cast<std::uint16_t>(event);
  record.kind = static_cast<std::uint16_t>(kind);
  record.thread = thread.thread();
  thread.add(&ThreadRecords::nodes, record);
  if (event == wire::NodeEvent::Created && thread.launched_kernel != nullptr) {
    thread.add(
        &ThreadRecords::node_names,
        wire::NodeNameRecord{node, thread.kernel_name(thread.launched_kernel, definitions_), 0});
  }
}

void Agent::handle_resource(std::uint32_t id, const cupti::ResourceData& data) {
  const auto* graph = static_cast<const cupti::GraphData*>(data.descriptor);
  if (graph == nullptr) {
    return;
  }
  const auto node_id = [this](void* node) {
    std::uint64_t value = 0;
    return node != nullptr && cupti_.graph_node_id(node, &value) == cupti::kSuccess ? value : 0;
  };
  const auto graph_id = [this](void* handle) {
    std::uint32_t value = 0;
    return handle != nullptr && cupti_.graph_id(handle, &value) == cupti::kSuccess
               ? std::uint64_t{value} << 32U
               : 0;
  };
  const auto exec_id = [this](void* handle) {
    std::uint32_t value = 0;
    const bool known = handle != nullptr && cupti_.graph_exec_id != nullptr &&
                       cupti_.graph_exec_id(handle, &value) == cupti::kSuccess;
    return known ? std::uint64_t{value} << 32U : 0;
  };
  const wire::NodeKind kind = node_kind(graph->node_type);
  switch (id) {
    case cupti::kGraphNodeCreated:
      add_node(wire::NodeEvent::Created, kind, node_id(graph->node), 0);
      break;
    case cupti::kGraphNodeCloned:
      add_node(wire::NodeEvent::Cloned, kind, node_id(graph->node), node_id(graph->original_node));
      break;
    case cupti::kGraphNodeUpdated: /* CUPTI: node = of the new template, original = of the
                                      executable graph */
      add_node(wire::NodeEvent::Updated, kind, node_id(graph->original_node), node_id(graph->node));
      break;
    case cupti::kGraphCloned:
      add_node(wire::NodeEvent::GraphCloned,
               wire::NodeKind::Other,
               graph_id(graph->graph),
               graph_id(graph->original_graph));
      break;
    case cupti::kGraphExecCreated:
      add_node(wire::NodeEvent::Instantiated,
               wire::NodeKind::Other,
               exec_id(graph->graph_exec),
               graph_id(graph->graph));
      break;
    case cupti::kGraphDestroyStarting:
      add_node(wire::NodeEvent::GraphDestroyed, wire::NodeKind::Other, graph_id(graph->graph), 0);
      break;
    case cupti::kGraphExecDestroyStarting:
      add_node(
          wire::NodeEvent::ExecDestroyed, wire::NodeKind::Other, exec_id(graph->graph_exec), 0);
      break;
    default:
      break;
  }
}

void Agent::handle_api(std::uint32_t domain, std::uint32_t id, const cupti::CallbackData& data) {
  const wire::CallKind kind = kind_of_call(domain, id);
  const bool enters = data.site == cupti::kApiEnter;
  switch (kind) {
    case wire::CallKind::BeginCapture:
    case wire::CallKind::EndCapture:
      if (!enters) {
        handle_capture(kind, data);
      }
      break;
    case wire::CallKind::Other:
      break;
    case wire::CallKind::LaunchKernel:
    case wire::CallKind::LaunchFunction:
      this_thread().launched_kernel = enters ? data.symbol_name : nullptr;
      [[fallthrough]];
    default:
      if (enters) {
        handle_launch(kind, data);
      }
      break;
  }
}

/* At the end of the call. A capture that could not begin has no end; one that failed has. */
void Agent::handle_capture(wire::CallKind kind, const cupti::CallbackData& data) {
  ThreadState& thread = this_thread();
  if (thread.last_correlation == data.correlation_id) {
    return; /* the runtime call around the driver call */
  }
  thread.last_correlation = data.correlation_id;
  const bool begins = kind == wire::CallKind::BeginCapture;
  const auto* result = static_cast<const int*>(data.function_return_value);
  if (begins && result != nullptr && *result != 0) {
    return;
  }
  wire::CallRecord record{};
  record.start_ns = thread.now();
  record.correlation = data.correlation_id;
  record.kind = static_cast<std::uint32_t>(kind);
  record.thread = thread.thread();
  thread.add(&ThreadRecords::calls, record);
  if (begins) {
    load_torch_shim();
    ++captures_open_;
  } else {
    int open = captures_open_;
    while (open > 0 && !captures_open_.compare_exchange_weak(open, open - 1)) {
    }
  }
  update_launch_callbacks();
  set_wanted(takes_spans());
}

void Agent::handle_launch(wire::CallKind kind, const cupti::CallbackData& data) {
  ThreadState& thread = this_thread();
  if (thread.last_correlation == data.correlation_id) {
    return;
  }
  thread.last_correlation = data.correlation_id;
  if (kind == wire::CallKind::GraphLaunch) {
    count_graph_launch();
  }
  if (!window_open_.load(std::memory_order_relaxed)) {
    return;
  }
  wire::CallRecord record{};
  record.start_ns = thread.now();
  record.correlation = data.correlation_id;
  record.kind = static_cast<std::uint32_t>(kind);
  record.op = thread.innermost();
  record.thread = thread.thread();
  if (kind == wire::CallKind::GraphLaunch && cupti_.graph_exec_id != nullptr &&
      data.function_params != nullptr) {
    /* Both calls take the executable graph first. */
    void* exec = *static_cast<void* const*>(data.function_params);
    std::uint32_t id = 0;
    record.graph_exec =
        exec != nullptr && cupti_.graph_exec_id(exec, &id) == cupti::kSuccess ? id : 0;
  }
  thread.add(&ThreadRecords::calls, record);
}

void Agent::count_graph_launch() {
  take(window_plan_.before_launch(graph_launches_.fetch_add(1)));
}

void Agent::add_device_record(int kind, const void* record, std::vector<wire::DeviceRecord>& out) {
  namespace g = cupti::graph_trace;
  switch (kind) {
    case cupti::kActivityConcurrentKernel: {
      wire::DeviceRecord row = copy_record(record, wire::DeviceKind::Kernel, kKernel);
      row.bytes = 0;
      row.name = definitions_.text(cupti::field<const char*>(record, k::kName));
      for (std::size_t i = 0; i < 3; ++i) {
        row.grid[i] = cupti::field<std::uint32_t>(record, k::kGrid + 4 * i);
        row.block[i] = cupti::field<std::uint32_t>(record, k::kBlock + 4 * i);
      }
      out.push_back(row);
      break;
    }
    case cupti::kActivityMemcpy:
    case cupti::kActivityMemcpyPeer:
      out.push_back(copy_record(record,
                                wire::DeviceKind::Memcpy,
                                kind == cupti::kActivityMemcpy ? kMemcpy : kMemcpyPeer));
      out.back().name =
          definitions_.text(memcpy_name(cupti::field<std::uint8_t>(record, m::kCopyKind),
                                        cupti::field<std::uint8_t>(record, m::kSourceMemory),
                                        cupti::field<std::uint8_t>(record, m::kTargetMemory))
                                .c_str());
      break;
    case cupti::kActivityMemset:
      out.push_back(copy_record(record, wire::DeviceKind::Memset, kMemset));
      out.back().name =
          definitions_.text(memset_name(cupti::field<std::uint16_t>(record, s::kMemory)).c_str());
      break;
    case cupti::kActivityGraphTrace: {
      wire::DeviceRecord row{};
      row.start_ns = cupti::field<std::uint64_t>(record, g::kStart);
      row.end_ns = cupti::field<std::uint64_t>(record, g::kEnd);
      row.correlation = cupti::field<std::uint32_t>(record, g::kCorrelation);
      row.stream = cupti::field<std::uint32_t>(record, g::kStream);
      row.device = static_cast<std::uint16_t>(cupti::field<std::uint32_t>(record, g::kDevice));
      row.node = std::uint64_t{cupti::field<std::uint32_t>(record, g::kGraph)} << 32U;
      row.kind = static_cast<std::uint16_t>(wire::DeviceKind::WholeGraph);
      out.push_back(row);
      break;
    }
    default:
      break;
  }
}

void Agent::on_buffer(std::uint8_t* buffer, std::size_t valid) noexcept {
  try {
    std::vector<wire::DeviceRecord> rows;
    void* record = nullptr;
    while (valid > 0 && cupti_.next_record(buffer, valid, &record) == cupti::kSuccess) {
      add_device_record(cupti::field<int>(record, 0), record, rows);
    }
    std::size_t dropped = 0;
    if (cupti_.dropped_records(nullptr, 0, &dropped) != cupti::kSuccess) {
      dropped = 0;
    }
    dropped += std::erase_if(rows, lacks_times);
    if (dropped > 0) {
      lose(wire::LossCause::CuptiDropped, dropped);
    }
    device_events_ += rows.size();
    const std::lock_guard lock(write_mutex_);
    for (const wire::DeviceRecord& row : rows) {
      devices_seen_.insert(row.device);
    }
    device_records_.insert(device_records_.end(), rows.begin(), rows.end());
  } catch (...) {
    is_on_ = false;
  }
}

}  // namespace opcensus::agent

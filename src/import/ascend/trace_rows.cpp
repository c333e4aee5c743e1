// SPDX-License-Identifier: Apache-2.0
#include "src/import/ascend/trace_rows.h"

#include <algorithm>
#include <set>
#include <string_view>
#include <tuple>
#include <utility>

namespace opcensus::import::ascend {
namespace {

/// What a connection launched.
struct Launched {
  DeviceEventKind kind = DeviceEventKind::Kernel;
  bool is_graph = false;
};

ApiCallKind kind_of_launch(const Launched& launched) {
  if (launched.is_graph) {
    return ApiCallKind::GraphLaunch;
  }
  switch (launched.kind) {
    case DeviceEventKind::Memcpy:
      return ApiCallKind::Memcpy;
    case DeviceEventKind::Memset:
      return ApiCallKind::Memset;
    case DeviceEventKind::Kernel:
    case DeviceEventKind::Graph:
      break;
  }
  return ApiCallKind::LaunchKernel;
}

/// Of a call that launched nothing the profile saw: a captured launch has no task. CANN's levels
/// nest, and each launch must count once: kernels at the node level, all else at the acl level.
ApiCallKind kind_of_call(const CannCall& call, std::string_view name) {
  if (call.level == CannLevel::Node && name == "launch") {
    return ApiCallKind::LaunchKernel;
  }
  if (call.level != CannLevel::Acl) {
    return ApiCallKind::Other;
  }
  const ApiCallKind kind = classify_api_call(name);
  return kind == ApiCallKind::LaunchKernel ? ApiCallKind::Other : kind;
}

class TraceRows {
 public:
  TraceRows(ProfileRows& rows, Model& model, Trace& trace)
      : rows_(rows), model_(model), trace_(trace) {}

  void run() {
    sort();
    find_uses();
    for (std::size_t i = 0; i < rows_.host.size(); ++i) {
      add_host_row(rows_.host[i], uses_[i]);
    }
    find_graph_launches();
    find_launched();
    add_calls();
    for (const DeviceTask& task : rows_.tasks) {
      add_event(task);
    }
    trace_.graph_nodes = graph_tasks_.rows();
    trace_.graph_naming = {"model", 1};  // see GraphTasks::node_of
  }

 private:
  void sort() {
    const auto text = [this](StringId id) { return model_.strings.view(id); };
    std::sort(rows_.host.begin(), rows_.host.end(), [&](const HostRow& a, const HostRow& b) {
      return std::tuple(a.start, b.duration, a.thread, text(a.name)) <
             std::tuple(b.start, a.duration, b.thread, text(b.name));
    });
    std::sort(rows_.cann.begin(), rows_.cann.end(), [&](const CannCall& a, const CannCall& b) {
      return std::tuple(a.start, b.duration, a.thread, a.connection, text(a.name)) <
             std::tuple(b.start, a.duration, b.thread, b.connection, text(b.name));
    });
    std::sort(
        rows_.tasks.begin(), rows_.tasks.end(), [&](const DeviceTask& a, const DeviceTask& b) {
          return std::tuple(
                     a.start, a.device, a.stream, a.task, a.context, a.duration, text(a.name)) <
                 std::tuple(
                     b.start, b.device, b.stream, b.task, b.context, b.duration, text(b.name));
        });
  }

  void find_uses() {
    std::set<std::pair<HostThread, Nanoseconds>> linked;
    for (const HostLink& link : rows_.links) {
      linked.emplace(link.thread, link.start);
    }
    uses_.reserve(rows_.host.size());
    for (const HostRow& row : rows_.host) {
      const bool is_linked = linked.count({row.thread, row.start}) > 0;
      uses_.push_back(row.kind == HostRowKind::Call
                          ? use_of_host_row(model_.strings.view(row.name), row.inputs, is_linked)
                          : HostRowUse::Annotation);
    }
  }

  void add_host_row(const HostRow& row, HostRowUse use) {
    if (row.kind == HostRowKind::Enqueue || row.kind == HostRowKind::Dequeue) {
      return;
    }
    if (use == HostRowUse::Backend) {
      add_call({row.thread, row.start, row.duration}, row.name, 0, ApiCallKind::Other);
      return;
    }
    HostSpan span;
    span.start = row.start;
    span.duration = row.duration;
    span.thread = thread(row.thread);
    span.kind = use == HostRowUse::Operator ? HostSpanKind::Operator : HostSpanKind::Annotation;
    span.signature = model_.signatures.intern({row.name, row.inputs.shapes, row.inputs.dtypes});
    if (row.inputs.has_elided_list) {
      trace_.diagnostics.count(Issue::ElidedTensorList,
                               {trace_.path, {}, std::string(model_.strings.view(row.name))});
    }
    trace_.host_spans.push_back(span);
  }

  void find_graph_launches() {
    for (const CannCall& call : rows_.cann) {
      if (kind_of_call(call, model_.strings.view(call.name)) == ApiCallKind::GraphLaunch) {
        graph_launches_.insert(call.connection);
      }
    }
  }

  /// A replayed task may carry the connection of its capture, which is no launch of it: only one
  /// that leads to the execution of a graph counts.
  [[nodiscard]] std::uint64_t connection_of(const DeviceTask& task) const {
    const bool is_wrong = is_graph_task(task) && graph_launches_.count(task.connection) == 0;
    return is_wrong ? kNoId : task.connection;
  }

  void find_launched() {
    for (const DeviceTask& task : rows_.tasks) {
      const std::uint64_t connection = connection_of(task);
      if (connection < kNoId) {
        Launched& launched =
            launched_.try_emplace(connection, Launched{task.kind, false}).first->second;
        launched.is_graph = launched.is_graph || is_graph_task(task);
        // One connection may hold a kernel and the copy that prepares it.
        launched.kind = task.kind == DeviceEventKind::Kernel ? task.kind : launched.kind;
      }
    }
  }

  void add_calls() {
    const HostPlaces places(rows_, uses_);
    std::set<std::uint64_t> placed;
    for (const CannCall& call : rows_.cann) {
      const auto launched = launched_.find(call.connection);
      const ApiCallKind kind = launched != launched_.end()
                                   ? kind_of_launch(launched->second)
                                   : kind_of_call(call, model_.strings.view(call.name));
      HostStretch stretch{call.thread, call.start, call.duration};
      if (is_launch(kind) || kind == ApiCallKind::GraphLaunch) {
        auto place = places.linked(call.connection);
        place = place ? place : places.queued(call);
        stretch = place.value_or(stretch);
      }
      placed.insert(call.connection);
      add_call(stretch, call.name, correlation_of(call.connection), kind);
    }
    // Connections whose call was not recorded, but its place in the framework was.
    for (const auto& [connection, launched] : launched_) {
      const auto place = placed.count(connection) > 0 ? std::nullopt : places.linked(connection);
      if (place) {
        add_call(*place,
                 model_.strings.intern("launch"),
                 correlation_of(connection),
                 kind_of_launch(launched));
      }
    }
  }

  void add_call(const HostStretch& stretch,
                StringId name,
                std::uint64_t correlation,
                ApiCallKind kind) {
    ApiCall call;
    call.start = stretch.start;
    call.duration = stretch.duration;
    call.correlation = correlation;
    call.name = name;
    call.thread = thread(stretch.thread);
    call.kind = kind;
    trace_.api_calls.push_back(call);
  }

  void add_event(const DeviceTask& task) {
    DeviceEvent event;
    event.start = task.start;
    event.duration = task.duration;
    event.correlation = correlation_of(connection_of(task));
    event.name = task.name.has_value() ? task.name : model_.strings.intern("");
    event.dims = model_.dims.intern(task.blocks == 0 ? Dims{} : Dims{{task.blocks, 1, 1}, {}});
    event.recorded = task.recorded.operator_name.has_value()
                         ? model_.signatures.intern(task.recorded)
                         : SignatureId::none();
    event.stream = stream(task.device, task.stream);
    event.kind = task.kind;
    event.graph_node_id = graph_tasks_.node_of(task);
    if (event.graph_node_id != 0) {
      graph_tasks_.describe(event.graph_node_id, task, event.recorded);
    }
    trace_.device_events.push_back(event);
  }

  ThreadId thread(const HostThread& key) {
    const auto [known, is_new] = threads_.try_emplace(key, ThreadId(trace_.threads.size()));
    if (is_new) {
      trace_.threads.push_back({model_.strings.intern(std::to_string(key.process)),
                                model_.strings.intern(std::to_string(key.thread))});
    }
    return known->second;
  }

  StreamId stream(std::int64_t device, std::int64_t number) {
    const auto [known, is_new] =
        streams_.try_emplace({device, number}, StreamId(trace_.streams.size()));
    if (is_new) {
      trace_.streams.push_back({device, number, StringId::none()});
    }
    return known->second;
  }

  ProfileRows& rows_;
  Model& model_;
  Trace& trace_;
  std::vector<HostRowUse> uses_;  // by index of rows_.host
  std::set<std::uint64_t> graph_launches_;
  std::map<std::uint64_t, Launched> launched_;  // by connection
  std::map<HostThread, ThreadId> threads_;
  std::map<std::pair<std::int64_t, std::int64_t>, StreamId> streams_;
  GraphTasks graph_tasks_;
};

}  // namespace

void build_trace(ProfileRows rows, Model& model, Trace& trace) {
  TraceRows(rows, model, trace).run();
  for (const auto& [category, events] : rows.categories) {
    trace.categories.push_back({category, events});
  }
  trace.raw_device = rows.raw_device;
  trace.devices = std::move(rows.devices);
  trace.bytes = rows.bytes;
  trace.complete = rows.complete;
  trace.diagnostics.merge(rows.diagnostics);
  for (TraceProperty& property : rows.properties) {
    trace.properties.push_back(std::move(property));
  }
}

}  // namespace opcensus::import::ascend

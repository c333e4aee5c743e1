// SPDX-License-Identifier: Apache-2.0
#include "src/attribute/plans.h"

#include <algorithm>
#include <map>
#include <numeric>

#include "src/attribute/plan_label.h"

namespace opcensus {
namespace {

DeviceEventKind event_kind_of(ApiCallKind kind) {
  switch (kind) {
    case ApiCallKind::Memcpy:
      return DeviceEventKind::Memcpy;
    case ApiCallKind::Memset:
      return DeviceEventKind::Memset;
    default:
      return DeviceEventKind::Kernel;
  }
}

std::vector<CallId> calls_by_time(const Trace& trace) {
  std::vector<CallId> order;
  order.reserve(trace.api_calls.size());
  for (std::size_t i = 0; i < trace.api_calls.size(); ++i) {
    order.emplace_back(i);
  }
  std::stable_sort(order.begin(), order.end(), [&trace](CallId a, CallId b) {
    return trace.api_calls[a.index()].start < trace.api_calls[b.index()].start;
  });
  return order;
}

PlanNode make_node(const Trace& trace, const HostTree& tree, CallId id) {
  const ApiCall& call = trace.api_calls[id.index()];
  PlanNode node;
  node.call = id;
  node.kind = event_kind_of(call.kind);
  const SpanId span = tree.call_span[id.index()];
  node.op = tree.innermost_operator(trace, span);
  node.top_op = tree.outermost_operator(trace, span);
  if (node.op.has_value()) {
    node.signature = trace.host_spans[node.op.index()].signature;
    node.top_signature = trace.host_spans[node.top_op.index()].signature;
  }
  if (call.kernel.has_value()) {
    node.expected.push_back(
        {call.kernel, DimsId::none()});  // ROCm: replay rows have no grid to compare
  }
  return node;
}

/// The capture that is open on each thread of one trace, and the finished ones.
class WindowScan {
 public:
  WindowScan(const Model& model, TraceId trace_id, const HostTree& tree)
      : model_(model), trace_id_(trace_id), trace_(model.traces[trace_id.index()]), tree_(tree) {}

  void take(CallId id, bool has_device_event, Diagnostics& diagnostics) {
    const ApiCall& call = trace_.api_calls[id.index()];
    if (call.kind == ApiCallKind::BeginCapture) {
      abort(call.thread, diagnostics);
      open(id);
    } else if (call.kind == ApiCallKind::EndCapture) {
      close(id);
    } else if (call.kind == ApiCallKind::WaitEvent) {
      const auto window = open_.find(call.thread);
      if (window != open_.end()) {
        window->second.several_streams = true;
      }
    } else if (is_launch(call.kind) && !has_device_event) {
      const auto window = open_.find(call.thread);
      if (window != open_.end()) {
        window->second.nodes.push_back(make_node(trace_, tree_, id));
      }
    }
  }

  std::vector<Plan> finish(Diagnostics& diagnostics) && {
    while (!open_.empty()) {
      abort(open_.begin()->first, diagnostics);
    }
    return std::move(plans_);
  }

 private:
  void open(CallId id) {
    const ApiCall& call = trace_.api_calls[id.index()];
    Plan plan;
    plan.trace = trace_id_;
    plan.begin_capture = id;
    plan.thread = call.thread;
    plan.start = call.start;
    open_.emplace(call.thread, std::move(plan));
  }

  void close(CallId id) {
    const ApiCall& call = trace_.api_calls[id.index()];
    const auto window = open_.find(call.thread);
    if (window == open_.end()) {
      return;
    }
    Plan plan = std::move(window->second);
    open_.erase(window);
    plan.end_capture = id;
    plan.end = call.end();
    label_plan(model_, trace_, tree_, tree_.call_span[plan.begin_capture.index()], plan);
    plans_.push_back(std::move(plan));
  }

  void abort(ThreadId thread, Diagnostics& diagnostics) {
    if (open_.erase(thread) > 0) {
      diagnostics.count(Issue::CaptureAborted, {trace_.path, std::nullopt, ""});
    }
  }

  const Model& model_;
  TraceId trace_id_;
  const Trace& trace_;
  const HostTree& tree_;
  std::map<ThreadId, Plan> open_;
  std::vector<Plan> plans_;
};

}  // namespace

std::vector<Plan> find_plans(const Model& model,
                             TraceId trace,
                             const HostTree& tree,
                             const std::vector<bool>& has_device_event,
                             Diagnostics& diagnostics) {
  WindowScan scan(model, trace, tree);
  for (const CallId id : calls_by_time(model.traces[trace.index()])) {
    scan.take(id, has_device_event[id.index()], diagnostics);
  }
  std::vector<Plan> plans = std::move(scan).finish(diagnostics);
  std::stable_sort(
      plans.begin(), plans.end(), [](const Plan& a, const Plan& b) { return a.start < b.start; });
  return plans;
}

}  // namespace opcensus

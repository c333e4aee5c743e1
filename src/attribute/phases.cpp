// SPDX-License-Identifier: Apache-2.0
#include "src/attribute/phases.h"

#include <algorithm>
#include <tuple>

namespace opcensus {
namespace {

template <class Window>
void sort_and_join(std::vector<Window>& windows) {
  std::sort(windows.begin(), windows.end(), [](const Window& a, const Window& b) {
    return std::tuple(a.thread, a.start, a.end) < std::tuple(b.thread, b.start, b.end);
  });
  std::vector<Window> joined;
  for (const Window& window : windows) {
    const bool overlaps = !joined.empty() && joined.back().thread == window.thread &&
                          window.start <= joined.back().end;
    if (overlaps) {
      joined.back().end = std::max(joined.back().end, window.end);
    } else {
      joined.push_back(window);
    }
  }
  windows = std::move(joined);
}

}  // namespace

PhaseMap::PhaseMap(const Model& model,
                   TraceId trace,
                   const HostTree& tree,
                   const TraceRole& role,
                   const std::vector<Plan>& windows,
                   const std::vector<PlanId>& plan_of_window,
                   const std::vector<WarmupPass>& passes)
    : trace_(model.traces[trace.index()]),
      tree_(tree),
      only_captures_(role.has_captures && !role.has_graph_launches) {
  for (std::size_t i = 0; i < windows.size(); ++i) {
    const Plan& window = windows[i];
    captures_.push_back({window.thread, window.start, window.end, plan_of_window[i]});
    last_capture_end_ = i == 0 ? window.end : std::max(last_capture_end_, window.end);
  }
  std::sort(captures_.begin(), captures_.end(), [](const Window& a, const Window& b) {
    return std::tuple(a.thread, a.start) < std::tuple(b.thread, b.start);
  });
  for (const WarmupPass& pass : passes) {
    passes_.push_back({pass.thread, pass.start, pass.end, PlanId::none()});
  }
  sort_and_join(passes_);
  is_capture_annotation_.assign(trace_.host_spans.size(), false);
  for (std::size_t i = 0; !windows.empty() && i < trace_.host_spans.size(); ++i) {
    const HostSpan& span = trace_.host_spans[i];
    is_capture_annotation_[i] =
        span.kind == HostSpanKind::Annotation &&
        parse_capture_annotation(model.operator_name(span.signature)).has_value();
  }
}

const PhaseMap::Window* PhaseMap::find(const std::vector<Window>& windows,
                                       ThreadId thread,
                                       Nanoseconds time) {
  const auto after = std::upper_bound(windows.begin(),
                                      windows.end(),
                                      std::tuple(thread, time),
                                      [](const auto& wanted, const Window& window) {
                                        return wanted < std::tuple(window.thread, window.start);
                                      });
  if (after == windows.begin()) {
    return nullptr;
  }
  const Window& window = *std::prev(after);
  return window.thread == thread && time <= window.end ? &window : nullptr;
}

bool PhaseMap::inside_capture_annotation(SpanId span) const {
  for (; span.has_value(); span = tree_.parent[span.index()]) {
    if (is_capture_annotation_[span.index()]) {
      return true;
    }
  }
  return false;
}

PhaseMap::Moment PhaseMap::at(ThreadId thread, Nanoseconds start, SpanId parent) const {
  if (captures_.empty()) {
    return {};
  }
  if (const Window* window = find(captures_, thread, start)) {
    return {Phase::Capture, window->plan};
  }
  const bool before_capture = only_captures_ && start < last_capture_end_;
  if (before_capture || inside_capture_annotation(parent) ||
      find(passes_, thread, start) != nullptr) {
    return {Phase::Warmup, PlanId::none()};
  }
  return {};
}

}  // namespace opcensus

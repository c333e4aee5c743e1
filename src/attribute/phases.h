// SPDX-License-Identifier: Apache-2.0
//
// Phases: is a moment on a host thread capture, warm-up or eager? (Replay belongs to device events
// of a graph launch and is never a host moment.)
//
//   capture  inside a capture window of the same thread
//   warmup   inside a capture annotation, or inside a pass that repeats a plan, or anywhere before
//            the last capture in a trace that launches no graph
//   eager    everything else
#pragma once

#include <vector>

#include "src/attribute/attribution.h"
#include "src/attribute/warmup.h"

namespace opcensus {

class PhaseMap {
 public:
  /// `windows` are the capture windows of this trace; `plan_of_window` says which plan each holds.
  PhaseMap(const Model& model,
           TraceId trace,
           const HostTree& tree,
           const TraceRole& role,
           const std::vector<Plan>& windows,
           const std::vector<PlanId>& plan_of_window,
           const std::vector<WarmupPass>& passes);

  struct Moment {
    Phase phase = Phase::Eager;
    PlanId plan;  ///< capture only
  };

  /// The moment of a span or call that starts at `start` on `thread`, enclosed by `parent`.
  [[nodiscard]] Moment at(ThreadId thread, Nanoseconds start, SpanId parent) const;

  /// Where nothing is known but the trace: device events without a launch.
  [[nodiscard]] Phase default_phase() const {
    return only_captures_ ? Phase::Warmup : Phase::Eager;
  }

 private:
  struct Window {
    ThreadId thread;
    Nanoseconds start;
    Nanoseconds end;
    PlanId plan;
  };

  [[nodiscard]] static const Window* find(const std::vector<Window>& windows,
                                          ThreadId thread,
                                          Nanoseconds time);
  [[nodiscard]] bool inside_capture_annotation(SpanId span) const;

  const Trace& trace_;
  const HostTree& tree_;
  std::vector<Window> captures_;  // sorted by (thread, start)
  std::vector<Window> passes_;    // likewise, overlapping ones joined
  std::vector<bool> is_capture_annotation_;
  Nanoseconds last_capture_end_;
  bool only_captures_ = false;
};

}  // namespace opcensus

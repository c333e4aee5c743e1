// SPDX-License-Identifier: Apache-2.0
//
// Attributor: gives every device event of one rank its operator, or the reason why not.
//
// Owns the order of the steps: nesting, launches, plans, warm-up, phases (per trace), then
// replays (across traces: the capture may be in another file). Adds name-only signatures to the
// model for operators whose shapes are ambiguous; changes nothing else.
// Traces that are too long to be held come after the others, segment by segment (Trace::segments);
// they capture nothing, so that every plan is known by then.
// Cost: O(n log n) in the events, plus each distinct replay × each plan once.
#pragma once

#include <memory>

#include "src/attribute/attribution.h"
#include "src/model/model.h"

namespace opcensus {

class Attributor {
 public:
  /// `model` must outlive it, and only its segments may change.
  explicit Attributor(Model& model);
  Attributor(const Attributor&) = delete;
  Attributor& operator=(const Attributor&) = delete;
  ~Attributor();

  /// Once, first: all traces that are held as a whole.
  void attribute_whole_traces();

  /// The segment that now stands in the columns of the trace. What was found out about the segment
  /// before it goes: its TraceAttribution (but the role) and its replays.
  void attribute_segment(TraceId trace);

  /// At the end: what only all replays together tell.
  void finish();

  [[nodiscard]] const Attribution& result() const;

  [[nodiscard]] Attribution take_result();

 private:
  class Impl;
  std::unique_ptr<Impl> impl_;
};

/// For a model whose traces are all held as a whole.
[[nodiscard]] Attribution attribute(Model& model);

}  // namespace opcensus

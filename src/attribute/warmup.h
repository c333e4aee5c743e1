// SPDX-License-Identifier: Apache-2.0
//
// Warm-up: the eager passes before a capture launch the same operator sequence as the capture
// does, and they have kernels. They teach what each planned node will run: name, grid and block.
//
// First the whole plan is looked for in the eager launches of its thread: equal operator, shapes,
// dtypes and kind in equal order. Every place where it stands teaches; where two passes ran
// different kernels (autotuning), both are expected. A node that stands nowhere as part of the
// whole plan learns from single operator calls: the k-th launch of an operator with this signature.
//
// Cost: O(eager launches + nodes) a plan.
#pragma once

#include <vector>

#include "src/attribute/attribution.h"

namespace opcensus {

/// A stretch of a thread's time that repeats a plan eagerly, from the outermost operator of its
/// first launch to that of its last.
struct WarmupPass {
  ThreadId thread;
  Nanoseconds start;
  Nanoseconds end;
};

/// Fills PlanNode::expected of the plans of one trace, where nothing is known yet, and returns the
/// passes found. `event_of` is indexed by CallId: the call's device event, none() if it has none.
std::vector<WarmupPass> learn_from_warmup(const Model& model,
                                          TraceId trace,
                                          const HostTree& tree,
                                          const std::vector<EventId>& event_of,
                                          std::vector<Plan>& plans,
                                          Diagnostics& diagnostics);

}  // namespace opcensus

// SPDX-License-Identifier: Apache-2.0
//
// Exact: device events that name their graph node, in a trace that recorded how the nodes were
// made. Nothing is matched: the node says which operator it is.
//
// A replay is what one graph launch ran of one executable graph. Events without a correlation
// (bodies of conditionals) belong to the last replay of their graph before them; where there is
// none, a node that runs again begins a new one.
#pragma once

#include <cstdint>
#include <vector>

#include "src/attribute/attribution.h"
#include "src/attribute/captured_graphs.h"

namespace opcensus {

/// Appends the replays of one trace to `result.replays`, in launch order, and fills in their
/// events. `launch_of` is indexed by EventId. The graphs' plans are already in `result.plans`,
/// numbered from `first_plan`; nodes without an operator may get one there, by their kernel.
void attribute_exact_replays(Model& model,
                             TraceId trace,
                             const CapturedGraphs& graphs,
                             const std::vector<CallId>& launch_of,
                             std::uint32_t first_plan,
                             Attribution& result);

}  // namespace opcensus

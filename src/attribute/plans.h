// SPDX-License-Identifier: Apache-2.0
//
// Plans: from the capture windows of a trace to the ordered launches of each captured graph.
//
// A window is a begin-capture call and the end-capture call that follows it on the same thread. A
// launch inside it that has no device event was recorded, not executed: it is a node. A launch
// inside it that did execute (another, non-capturing stream) is not.
#pragma once

#include <vector>

#include "src/attribute/attribution.h"

namespace opcensus {

/// The plans of one trace, in capture order. `has_device_event` is indexed by CallId.
[[nodiscard]] std::vector<Plan> find_plans(const Model& model,
                                           TraceId trace,
                                           const HostTree& tree,
                                           const std::vector<bool>& has_device_event,
                                           Diagnostics& diagnostics);

}  // namespace opcensus

// SPDX-License-Identifier: Apache-2.0
//
// attribute(): gives every device event of one rank its operator, or the reason why not.
//
// Owns the order of the steps: nesting, launches, plans, warm-up, phases (per trace), then
// replays (across traces: the capture may be in another file). Adds name-only signatures to the
// model for operators whose shapes are ambiguous; changes nothing else.
// Cost: O(n log n) in the events, plus each distinct replay × each plan once.
#pragma once

#include "src/attribute/attribution.h"
#include "src/model/model.h"

namespace opcensus {

[[nodiscard]] Attribution attribute(Model& model);

}  // namespace opcensus

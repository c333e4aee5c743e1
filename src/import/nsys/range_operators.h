// SPDX-License-Identifier: Apache-2.0
//
// Ranges as operators: what a trace without PyTorch's own ranges can still tell. A range that was
// the innermost one at a launch becomes an operator, too; as annotations all ranges stay, so that
// the marks of engine steps are still found.
#pragma once

#include <vector>

#include "src/import/nsys/host_rows.h"
#include "src/model/trace.h"

namespace opcensus::import {

/// Appends an operator to trace.host_spans for every range that launched or captured something.
/// After trace.api_calls and trace.graph_nodes are complete. Cost: O(n log n).
void add_range_operators(const std::vector<NestedRange>& ranges, Trace& trace);

}  // namespace opcensus::import

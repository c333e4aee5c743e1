// SPDX-License-Identifier: Apache-2.0
//
// What a captured graph is, apart from its number: a text that two graphs share if and only if
// nothing in the census tells them apart. merge() numbers graphs by it.
#pragma once

#include <string>
#include <vector>

#include "src/census/census.h"

namespace opcensus {

/// One text a graph. Needs a valid census in which rows with equal keys are added up.
/// Cost: O(rows that name a graph), and their text in memory.
[[nodiscard]] std::vector<std::string> compute_graph_contents(const Census& census);

}  // namespace opcensus

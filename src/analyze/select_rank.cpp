// SPDX-License-Identifier: Apache-2.0
#include "src/analyze/select_rank.h"

#include <cstddef>
#include <utility>
#include <vector>

namespace opcensus {
namespace {

/// Erases the rows of other ranks; returns new index by old index.
template <class Row>
std::vector<std::uint32_t> keep_rank(std::vector<Row>& rows, std::int64_t rank) {
  std::vector<std::uint32_t> new_index(rows.size(), kNoIndex);
  std::vector<Row> kept;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    if (rows[i].rank == rank) {
      new_index[i] = static_cast<std::uint32_t>(kept.size());
      kept.push_back(std::move(rows[i]));
    }
  }
  rows = std::move(kept);
  return new_index;
}

std::uint32_t renumber(const std::vector<std::uint32_t>& new_index, std::uint32_t old) {
  return old < new_index.size() ? new_index[old] : kNoIndex;
}

void keep_nodes(std::vector<CensusGraphNode>& nodes, const std::vector<std::uint32_t>& graphs) {
  for (CensusGraphNode& node : nodes) {
    node.graph = renumber(graphs, node.graph);
  }
  std::erase_if(nodes, [](const CensusGraphNode& node) { return node.graph == kNoIndex; });
}

}  // namespace

Census select_rank(const Census& census, std::int64_t rank) {
  Census selected = census;
  keep_rank(selected.ranks, rank);
  keep_rank(selected.operator_calls, rank);
  keep_rank(selected.device_times, rank);
  keep_rank(selected.steps, rank);
  keep_rank(selected.raw_counts, rank);
  const std::vector<std::uint32_t> inputs = keep_rank(selected.inputs, rank);
  const std::vector<std::uint32_t> graphs = keep_rank(selected.graphs, rank);
  keep_nodes(selected.graph_nodes, graphs);
  for (OperatorCalls& row : selected.operator_calls) {
    row.graph = renumber(graphs, row.graph);
  }
  for (DeviceTime& row : selected.device_times) {
    row.graph = renumber(graphs, row.graph);
    row.input = renumber(inputs, row.input);
  }
  for (RawCount& row : selected.raw_counts) {
    row.input = renumber(inputs, row.input);
  }
  return selected;
}

}  // namespace opcensus

// SPDX-License-Identifier: Apache-2.0
//
// GraphTasks: tasks of captured graphs (aclmdlRI). CANN gives a graph a model id, and each of its
// tasks the same stream and task number at every replay; together they are the graph node.
#pragma once

#include <cstdint>
#include <map>
#include <tuple>
#include <vector>

#include "src/import/ascend/profile_rows.h"
#include "src/model/trace.h"

namespace opcensus::import::ascend {

class GraphTasks {
 public:
  /// The node of a task, as the Model numbers them; 0 if it is of no graph. Tasks in order of
  /// their start, so that nodes are numbered in the order in which they first ran.
  [[nodiscard]] std::uint64_t node_of(const DeviceTask& task);

  /// Notes what the node runs; the first time counts.
  void describe(std::uint64_t node, const DeviceTask& task, SignatureId recorded);

  /// Rows for Trace::graph_nodes, sorted. When and by which thread a node was captured is not in
  /// the profile: it stands at the graph's first replay.
  [[nodiscard]] std::vector<GraphNodeRow> rows() const;

 private:
  using Place = std::tuple<std::int64_t, std::int64_t, std::uint64_t, std::uint64_t>;

  struct Graph {
    Nanoseconds first_start;
    std::map<Place, std::uint32_t> nodes;
  };

  std::map<std::uint64_t, Graph> graphs_;       // by graph id
  std::map<std::uint64_t, GraphNodeRow> rows_;  // by node
};

/// True for a task of a captured graph.
[[nodiscard]] bool is_graph_task(const DeviceTask& task);

}  // namespace opcensus::import::ascend

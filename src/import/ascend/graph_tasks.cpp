// SPDX-License-Identifier: Apache-2.0
#include "src/import/ascend/graph_tasks.h"

namespace opcensus::import::ascend {

bool is_graph_task(const DeviceTask& task) {
  return task.model < kNoId;
}

std::uint64_t GraphTasks::node_of(const DeviceTask& task) {
  if (!is_graph_task(task)) {
    return 0;
  }
  // Model ids begin at 0, and a node id of 0 means none.
  const std::uint64_t id = task.model + 1;
  Graph& graph = graphs_.try_emplace(id, Graph{task.start, {}}).first->second;
  const Place place(task.device, task.stream, task.task, task.context);
  const auto next = static_cast<std::uint32_t>(graph.nodes.size());
  return (id << 32U) | graph.nodes.try_emplace(place, next).first->second;
}

void GraphTasks::describe(std::uint64_t node, const DeviceTask& task, SignatureId recorded) {
  GraphNodeRow row;
  row.node = node;
  row.origin = node;
  row.captured_at = graphs_[node >> 32U].first_start;
  row.signature = recorded;
  row.top_signature = recorded;
  row.kind = task.kind;
  rows_.try_emplace(node, row);
}

std::vector<GraphNodeRow> GraphTasks::rows() const {
  std::vector<GraphNodeRow> rows;
  rows.reserve(rows_.size());
  for (const auto& [node, row] : rows_) {
    rows.push_back(row);
  }
  return rows;
}

}  // namespace opcensus::import::ascend

// SPDX-License-Identifier: Apache-2.0
#include "src/import/kineto/graph_node_table.h"

#include <algorithm>

namespace opcensus::import {
namespace {

/// Operators by External id; one that several operators share names none of them.
class OperatorIndex {
 public:
  explicit OperatorIndex(const Trace& trace) {
    for (const HostSpan& span : trace.host_spans) {
      if (span.kind == HostSpanKind::Operator && span.external_id != 0) {
        const auto [entry, is_new] = spans_.try_emplace(span.external_id, &span);
        entry->second = is_new ? &span : nullptr;
      }
    }
  }

  /// Null if the operator is not in the trace; the name proves that the id is still its own.
  [[nodiscard]] const HostSpan* find(const Model& model,
                                     std::uint64_t external_id,
                                     StringId name) const {
    const auto found = spans_.find(external_id);
    const HostSpan* const span = found == spans_.end() ? nullptr : found->second;
    const bool is_it = span != nullptr && model.signatures[span->signature].operator_name == name;
    return is_it ? span : nullptr;
  }

 private:
  std::map<std::uint64_t, const HostSpan*> spans_;
};

}  // namespace

std::uint64_t GraphNodeTable::add(const RawGraphNode& raw,
                                  StringId operator_name,
                                  std::size_t event) {
  const Key key{raw.graph, raw.node, raw.external_id, operator_name};
  const auto [node, is_new] = nodes_.try_emplace(key);
  if (is_new) {
    const auto [graph, is_new_graph] = graphs_.try_emplace(raw.graph);
    if (is_new_graph) {
      graph->second.number = graphs_.size();
    }
    node->second = {(graph->second.number << 32U) | ++graph->second.nodes, event};
  }
  return node->second.id;
}

std::vector<GraphNodeRow> GraphNodeTable::rows(Model& model, const Trace& trace) const {
  std::vector<GraphNodeRow> rows;
  if (nodes_.empty()) {
    return rows;
  }
  const OperatorIndex operators(trace);
  for (const auto& [key, node] : nodes_) {
    const DeviceEvent& event = trace.device_events[node.first_event];
    const HostSpan* const span = operators.find(model, key.external_id, key.operator_name);
    GraphNodeRow row;
    row.node = node.id;
    row.origin = node.id;
    row.captured_at = span == nullptr ? event.start : span->start;
    row.valid_from = row.captured_at;
    row.signature =
        span == nullptr ? model.signatures.intern({key.operator_name, {}, {}}) : span->signature;
    row.thread = span == nullptr ? ThreadId::none() : span->thread;
    row.kind = event.kind;
    rows.push_back(row);
  }
  std::sort(rows.begin(), rows.end(), [](const GraphNodeRow& a, const GraphNodeRow& b) {
    return a.node < b.node;
  });
  return rows;
}

}  // namespace opcensus::import

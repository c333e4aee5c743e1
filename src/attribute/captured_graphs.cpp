// SPDX-License-Identifier: Apache-2.0
#include "src/attribute/captured_graphs.h"

#include <algorithm>
#include <numeric>
#include <tuple>

#include "src/attribute/host_moments.h"
#include "src/attribute/plan_label.h"

namespace opcensus {
namespace {

constexpr bool was_seen(const GraphNodeRow& row) {
  return row.origin != 0;
}

PlanNode make_node(const Trace& trace,
                   const HostTree& tree,
                   const HostMoments& moments,
                   const GraphNodeRow& row) {
  const auto signature_of = [&trace](SpanId span) {
    return span.has_value() ? trace.host_spans[span.index()].signature : SignatureId::none();
  };
  const SpanId span = moments.span_at(row.thread, row.captured_at);
  const SpanId op = tree.innermost_operator(trace, span);
  const SpanId top = tree.outermost_operator(trace, span);
  PlanNode node;
  node.kind = row.kind;
  node.signature = row.signature.has_value() ? row.signature : signature_of(op);
  node.top_signature = row.top_signature.has_value() ? row.top_signature : signature_of(top);
  // The span tells which calls of an operator recorded several nodes; only if it is that
  // operator's.
  if (op.has_value() && signature_of(op) == node.signature) {
    node.op = op;
    node.top_op = top;
  }
  const CallId call = moments.last_call(row.thread, row.captured_at);
  if (call.has_value() && is_launch(trace.api_calls[call.index()].kind)) {
    node.call = call;
  }
  return node;
}

/// Rows [first, end) are those of one executable graph.
Plan make_plan(const Model& model,
               TraceId trace_id,
               const HostTree& tree,
               const HostMoments& moments,
               std::size_t first,
               std::size_t end) {
  const Trace& trace = model.traces[trace_id.index()];
  Plan plan;
  plan.trace = trace_id;
  plan.graph = graph_of_node(trace.graph_nodes[first].node);
  const GraphNodeRow* earliest = nullptr;
  for (std::size_t i = first; i < end; ++i) {
    const GraphNodeRow& row = trace.graph_nodes[i];
    if (!was_seen(row)) {
      continue;
    }
    plan.nodes.push_back(make_node(trace, tree, moments, row));
    plan.end = plan.nodes.size() == 1 ? row.captured_at : std::max(plan.end, row.captured_at);
    if (earliest == nullptr || row.captured_at < earliest->captured_at) {
      earliest = &row;
    }
  }
  if (earliest != nullptr) {
    plan.thread = earliest->thread;
    plan.start = earliest->captured_at;
    label_plan(model, trace, tree, moments.span_at(plan.thread, plan.start), plan);
  }
  return plan;
}

}  // namespace

std::optional<CapturedGraphs::Place> CapturedGraphs::find(const Trace& trace,
                                                          std::uint64_t node,
                                                          Nanoseconds time) const {
  const auto& rows = trace.graph_nodes;
  const auto after = std::upper_bound(rows.begin(),
                                      rows.end(),
                                      std::tuple(node, time),
                                      [](const auto& wanted, const GraphNodeRow& row) {
                                        return wanted < std::tuple(row.node, row.valid_from);
                                      });
  if (after != rows.begin() && std::prev(after)->node == node) {
    return place_of_row[static_cast<std::size_t>(std::prev(after) - rows.begin())];
  }
  if (after != rows.end() && after->node == node) {
    return place_of_row[static_cast<std::size_t>(after - rows.begin())];
  }
  return std::nullopt;
}

CapturedGraphs find_captured_graphs(const Model& model, TraceId trace_id, const HostTree& tree) {
  const Trace& trace = model.traces[trace_id.index()];
  const HostMoments moments(trace, tree);
  std::vector<Plan> plans;
  std::vector<std::size_t> first_row;  // by plan
  for (std::size_t first = 0; first < trace.graph_nodes.size();) {
    const std::uint64_t graph = graph_of_node(trace.graph_nodes[first].node);
    std::size_t end = first;
    while (end < trace.graph_nodes.size() && graph_of_node(trace.graph_nodes[end].node) == graph) {
      ++end;
    }
    Plan plan = make_plan(model, trace_id, tree, moments, first, end);
    if (!plan.nodes.empty()) {
      plans.push_back(std::move(plan));
      first_row.push_back(first);
    }
    first = end;
  }
  std::vector<std::size_t> order(plans.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(), [&plans](std::size_t a, std::size_t b) {
    return plans[a].start < plans[b].start;
  });
  CapturedGraphs graphs;
  graphs.place_of_row.resize(trace.graph_nodes.size());
  for (const std::size_t source : order) {
    const auto number = static_cast<std::uint32_t>(graphs.plans.size());
    std::uint32_t node = 0;
    for (std::size_t row = first_row[source]; node < plans[source].nodes.size(); ++row) {
      if (was_seen(trace.graph_nodes[row])) {
        graphs.place_of_row[row] = CapturedGraphs::Place{number, node++, row};
      }
    }
    graphs.plans.push_back(std::move(plans[source]));
  }
  return graphs;
}

std::vector<PlanId> plans_of_windows(const std::vector<Plan>& windows,
                                     const std::vector<Plan>& plans,
                                     std::uint32_t first_plan) {
  std::vector<PlanId> found(windows.size());
  for (std::size_t i = 0; i < windows.size(); ++i) {
    const Plan& window = windows[i];
    auto plan = std::lower_bound(
        plans.begin(), plans.end(), window.start, [](const Plan& candidate, Nanoseconds start) {
          return candidate.start < start;
        });
    for (; plan != plans.end() && plan->start <= window.end; ++plan) {
      if (plan->thread == window.thread) {
        found[i] = PlanId(first_plan + static_cast<std::size_t>(plan - plans.begin()));
        break;
      }
    }
  }
  return found;
}

}  // namespace opcensus

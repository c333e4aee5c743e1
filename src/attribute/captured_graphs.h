// SPDX-License-Identifier: Apache-2.0
//
// CapturedGraphs: the plans of a trace that recorded how its graph nodes were made. There is one
// plan for each executable graph; its nodes are rows of Trace::graph_nodes in order, so that a node
// that was updated stands in the plan once for each thing that it did.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "src/attribute/attribution.h"

namespace opcensus {

struct CapturedGraphs {
  /// A place in a plan.
  struct Place {
    std::uint32_t plan = 0;  ///< index into plans
    std::uint32_t node = 0;  ///< position in the plan
    std::size_t row = 0;     ///< in Trace::graph_nodes
  };

  std::vector<Plan> plans;  ///< in capture order
  /// By row of Trace::graph_nodes; nullopt where the capture of the node was not recorded.
  std::vector<std::optional<Place>> place_of_row;

  /// What the node did at a time: the place of its last row that is valid from then or earlier, or
  /// of its first row (clocks of host and device may differ a little).
  [[nodiscard]] std::optional<Place> find(const Trace& trace,
                                          std::uint64_t node,
                                          Nanoseconds time) const;
};

/// The executable graph of a node id, as CUPTI numbers them.
[[nodiscard]] constexpr std::uint64_t graph_of_node(std::uint64_t node) {
  return node >> 32U;
}

[[nodiscard]] CapturedGraphs find_captured_graphs(const Model& model,
                                                  TraceId trace,
                                                  const HostTree& tree);

/// By capture window: the plan that was captured in it, numbered from `first_plan`; none() for a
/// capture that was thrown away.
[[nodiscard]] std::vector<PlanId> plans_of_windows(const std::vector<Plan>& windows,
                                                   const std::vector<Plan>& plans,
                                                   std::uint32_t first_plan);

}  // namespace opcensus

// SPDX-License-Identifier: Apache-2.0
//
// Does this replay do what that plan recorded? A pure function of the replay's device events and
// one plan: it accepts only when the checks hold for every event, and then says which node each
// event executed.
//
// Evidence, in this order:
//  - node ids, where the trace has them: their order is the capture order;
//  - one stream: events and nodes correspond in order; each event is checked against what the
//    node is known to run (kernel name, grid, block), or its kind where nothing is known;
//  - several streams: a graph does not replay in capture order, so events are matched by what
//    they ran; equal kernels of different operators are told apart by the nodes around them on
//    their stream, or reported as ambiguous;
//  - a few nodes without an event (cut off at the end of a profile, or dropped): accepted only if
//    names are known and the rest fits in one way.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "src/attribute/attribution.h"

namespace opcensus {

/// One event of a replay, reduced to what matching looks at. Sorted by (stream, start).
struct ReplayEvent {
  KernelIdentity ran;
  DeviceEventKind kind = DeviceEventKind::Kernel;
  StreamId stream;
  std::uint64_t graph_node_id = 0;

  friend auto operator<=>(const ReplayEvent&, const ReplayEvent&) = default;
};

struct ReplayMatch {
  /// By event: the node that it executed. Where equal kernels could be swapped, some node of the
  /// candidates, so that every executed node stands for one event.
  std::vector<std::uint32_t> node_of;
  /// By event (or empty): the nodes that it may have been, where these differ in signature.
  std::vector<std::vector<std::uint32_t>> candidates;
  std::uint32_t verified = 0;  ///< events whose kernel was known beforehand and agreed
  std::uint32_t unseen = 0;    ///< nodes without an event
  bool by_node_id = false;

  [[nodiscard]] bool is_ambiguous(std::size_t event) const {
    return event < candidates.size() && !candidates[event].empty();
  }
};

/// nullopt: the replay is not an execution of this plan.
[[nodiscard]] std::optional<ReplayMatch> match_replay(const std::vector<ReplayEvent>& events,
                                                      const Plan& plan);

/// How many nodes may be missing before a replay is refused: 1, or 0.5 % of a large graph.
[[nodiscard]] constexpr std::size_t allowed_unseen(std::size_t nodes) {
  return nodes < 400 ? 1 : nodes / 200;
}

}  // namespace opcensus

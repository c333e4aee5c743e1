// SPDX-License-Identifier: Apache-2.0
//
// The conservation checks. Each compares numbers that reached the census on different ways
// (the importer's raw counts, the ledger's rows, the graphs, the graphs' nodes), so that a
// mistake on one way shows. A census without data passes: nothing was lost.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <tuple>
#include <vector>

#include "src/census/census.h"
#include "src/census/census_indices.h"
#include "src/census/counts.h"

namespace opcensus {
namespace {

using ByRank = std::map<std::int64_t, EventSum>;
using InputKind = std::tuple<std::int64_t, std::uint32_t, std::uint32_t>;  // rank, input, kind

template <class Key>
void remove_empty(std::map<Key, EventSum>& sums) {
  for (auto entry = sums.begin(); entry != sums.end();) {
    entry = entry->second == EventSum{} ? sums.erase(entry) : std::next(entry);
  }
}

template <class Rows>
std::map<InputKind, EventSum> sum_by_input_and_kind(const Rows& rows) {
  std::map<InputKind, EventSum> sums;
  for (const auto& row : rows) {
    sums[InputKind(row.rank, row.input, row.kind)].add(row.events, row.time);
  }
  remove_empty(sums);
  return sums;
}

template <class Same>
bool agrees_with_raw_counts(const Census& census, const Same& same) {
  const auto raw = sum_by_input_and_kind(census.raw_counts);
  const auto ledger = sum_by_input_and_kind(census.device_times);
  return std::equal(
      raw.begin(), raw.end(), ledger.begin(), ledger.end(), [&](const auto& a, const auto& b) {
        return a.first == b.first && same(a.second, b.second);
      });
}

bool device_events_match_raw_count(const Census& census) {
  return agrees_with_raw_counts(
      census, [](const EventSum& a, const EventSum& b) { return a.events == b.events; });
}

bool device_time_matches_raw_count(const Census& census) {
  return agrees_with_raw_counts(
      census, [](const EventSum& a, const EventSum& b) { return a.time == b.time; });
}

ByRank raw_totals(const Census& census) {
  ByRank totals;
  for (const RawCount& row : census.raw_counts) {
    totals[row.rank].add(row.events, row.time);
  }
  remove_empty(totals);
  return totals;
}

/// The graph a row of the ledger or a node belongs to; nothing if it names none that exists.
const CensusGraph* find_graph(const Census& census, std::uint32_t index) {
  return index < census.graphs.size() ? &census.graphs[index] : nullptr;
}

/// Adds what the nodes executed to the totals of their ranks.
void add_nodes(const Census& census, ByRank& totals) {
  for (const CensusGraphNode& node : census.graph_nodes) {
    if (const CensusGraph* graph = find_graph(census, node.graph)) {
      totals[graph->rank].add(node.executions, node.device_time);
    }
  }
}

/// Warm-up + capture + eager + replays of unknown graphs from the ledger, replays of known graphs
/// from their nodes = raw count, in every rank.
bool phases_sum_to_total(const Census& census) {
  ByRank totals;
  for (const DeviceTime& row : census.device_times) {
    if (row.phase != Phase::Replay || row.graph == kNoIndex) {
      totals[row.rank].add(row.events, row.time);
    }
  }
  add_nodes(census, totals);
  remove_empty(totals);
  return totals == raw_totals(census);
}

bool is_replay_tier(Tier tier) {
  return tier == Tier::Exact || tier == Tier::Aligned;
}

/// Per graph, what the nodes executed, and what the ledger has.
struct GraphSums {
  EventSum nodes;
  EventSum attributed_nodes;  // all of whose executions were attributed
  EventSum replays;
  EventSum attributed_replays;

  /// Some replays of a node may be attributed and others not, and then it counts as not: so the
  /// nodes may have less than the ledger, but only where the ledger has unattributed replays.
  [[nodiscard]] bool agree() const {
    const bool some_are_not = attributed_replays != replays;
    const bool less = attributed_nodes.events <= attributed_replays.events &&
                      attributed_nodes.time <= attributed_replays.time;
    return nodes == replays && (some_are_not ? less : attributed_nodes == attributed_replays);
  }
};

std::vector<GraphSums> sum_by_graph(const Census& census) {
  std::vector<GraphSums> sums(census.graphs.size());
  for (const CensusGraphNode& node : census.graph_nodes) {
    if (node.graph < sums.size()) {
      sums[node.graph].nodes.add(node.executions, node.device_time);
      if (is_replay_tier(node.tier)) {
        sums[node.graph].attributed_nodes.add(node.executions, node.device_time);
      }
    }
  }
  for (const DeviceTime& row : census.device_times) {
    if (row.graph < sums.size() && row.phase == Phase::Replay) {
      sums[row.graph].replays.add(row.events, row.time);
      if (is_replay_tier(row.tier)) {
        sums[row.graph].attributed_replays.add(row.events, row.time);
      }
    }
  }
  return sums;
}

/// In every graph, the nodes executed what the ledger has, attributed and in all; with it, direct +
/// exact + aligned + unattributed = raw count, in every rank, where the replays of known graphs are
/// counted from the nodes.
bool tiers_sum_to_total(const Census& census) {
  const std::vector<GraphSums> graphs = sum_by_graph(census);
  const bool agree = std::all_of(
      graphs.begin(), graphs.end(), [](const GraphSums& graph) { return graph.agree(); });
  if (!agree) {
    return false;
  }
  ByRank totals;
  for (const DeviceTime& row : census.device_times) {
    if (row.graph == kNoIndex || row.phase != Phase::Replay) {
      totals[row.rank].add(row.events, row.time);
    }
  }
  add_nodes(census, totals);
  remove_empty(totals);
  return totals == raw_totals(census);
}

/// Direct means an ordinary launch, exact and aligned mean a node of a graph.
bool tiers_fit_phases(const Census& census) {
  return std::all_of(
      census.device_times.begin(), census.device_times.end(), [](const DeviceTime& row) {
        switch (row.tier) {
          case Tier::Direct:
            return row.phase != Phase::Replay && row.graph == kNoIndex;
          case Tier::Exact:
          case Tier::Aligned:
            return row.phase == Phase::Replay;
          case Tier::Unattributed:
            return true;
        }
        return false;
      });
}

/// Number of nodes, of nodes with an operator, and time, of each graph.
bool graph_nodes_sum_to_graph(const Census& census) {
  struct NodeSum {
    std::uint64_t nodes = 0;
    std::uint64_t attributed = 0;
    Nanoseconds time;
  };

  std::vector<NodeSum> sums(census.graphs.size());
  for (const CensusGraphNode& node : census.graph_nodes) {
    if (node.graph >= sums.size()) {
      return false;
    }
    NodeSum& sum = sums[node.graph];
    ++sum.nodes;
    sum.attributed += node.signature != kNoIndex ? 1U : 0U;
    sum.time += node.device_time;
  }
  return std::equal(sums.begin(),
                    sums.end(),
                    census.graphs.begin(),
                    census.graphs.end(),
                    [](const NodeSum& sum, const CensusGraph& graph) {
                      return sum.nodes == graph.nodes && sum.attributed == graph.attributed_nodes &&
                             sum.time == graph.device_time;
                    });
}

/// The graphs of a rank have no more time than its replays, and no graph is busy for longer than
/// the sum of its kernels.
bool graph_time_within_rank(const Census& census) {
  std::map<std::int64_t, Nanoseconds> replayed;
  for (const DeviceTime& row : census.device_times) {
    if (row.phase == Phase::Replay) {
      replayed[row.rank] += row.time;
    }
  }
  for (const CensusGraph& graph : census.graphs) {
    if (graph.busy_time > graph.device_time) {
      return false;
    }
    replayed[graph.rank] -= graph.device_time;
  }
  return std::all_of(replayed.begin(), replayed.end(), [](const auto& entry) {
    return entry.second >= Nanoseconds(0);
  });
}

bool has_no_shapes(const Census& census, std::uint32_t index) {
  return index < census.signatures.size() && !census.signatures[index].operator_name.empty() &&
         census.signatures[index].input_shapes.empty();
}

/// No signature if and only if unattributed, and then with a reason. An attributed row has no
/// reason, but for one: its shapes are ambiguous, and then it names none.
bool unattributed_have_reasons(const Census& census) {
  return std::all_of(
      census.device_times.begin(), census.device_times.end(), [&census](const DeviceTime& row) {
        if (row.tier == Tier::Unattributed) {
          return row.signature == kNoIndex && row.reason != Reason::None &&
                 row.reason != Reason::ShapeAmbiguous;
        }
        if (row.reason == Reason::ShapeAmbiguous) {
          return row.tier == Tier::Aligned && has_no_shapes(census, row.signature);
        }
        return row.signature != kNoIndex && row.reason == Reason::None;
      });
}

bool signature_ids_valid(const Census& census) {
  bool valid = true;
  for_each_signature_index(census, [&](std::uint32_t index) {
    valid = valid && (index == kNoIndex || index < census.signatures.size());
  });
  return valid && std::none_of(census.operator_calls.begin(),
                               census.operator_calls.end(),
                               [](const OperatorCalls& row) { return row.signature == kNoIndex; });
}

}  // namespace

// Sorted by name, as canonicalize() sorts them.
std::vector<Check> compute_checks(const Census& census) {
  return {
      {"device_events_match_raw_count", device_events_match_raw_count(census)},
      {"device_time_matches_raw_count", device_time_matches_raw_count(census)},
      {"graph_nodes_sum_to_graph", graph_nodes_sum_to_graph(census)},
      {"graph_time_within_rank", graph_time_within_rank(census)},
      {"phases_sum_to_total", phases_sum_to_total(census)},
      {"signature_ids_valid", signature_ids_valid(census)},
      {"tiers_fit_phases", tiers_fit_phases(census)},
      {"tiers_sum_to_total", tiers_sum_to_total(census)},
      {"unattributed_have_reasons", unattributed_have_reasons(census)},
  };
}

}  // namespace opcensus

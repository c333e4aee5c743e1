// SPDX-License-Identifier: Apache-2.0
#include "src/attribute/replay_match.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <set>

namespace opcensus {
namespace {

enum class Fit : std::uint8_t { No, Possible, Verified };

bool dims_agree(DimsId a, DimsId b) {
  return a.is_none() || b.is_none() || a == b;
}

/// A memset between kernels, and a copy on some devices, comes back as a kernel of the driver's
/// own: the kind may change in that direction only (graph-node facts of CUPTI and ROCm).
bool kinds_agree(DeviceEventKind planned, DeviceEventKind ran) {
  return planned == ran || (planned != DeviceEventKind::Kernel && ran == DeviceEventKind::Kernel);
}

Fit fit(const PlanNode& node, const ReplayEvent& event) {
  if (!kinds_agree(node.kind, event.kind)) {
    return Fit::No;
  }
  if (node.kind != DeviceEventKind::Kernel) {
    return node.kind == event.kind ? Fit::Verified : Fit::Possible;
  }
  if (node.expected.empty()) {
    return Fit::Possible;
  }
  const bool agrees = std::any_of(
      node.expected.begin(), node.expected.end(), [&event](const KernelIdentity& expected) {
        return expected.name == event.ran.name && dims_agree(expected.dims, event.ran.dims);
      });
  return agrees ? Fit::Verified : Fit::No;
}

/// Events in `order` against the nodes 0, 1, 2 …; equal counts.
std::optional<ReplayMatch> match_in_order(const std::vector<ReplayEvent>& events,
                                          const std::vector<std::uint32_t>& order,
                                          const Plan& plan) {
  ReplayMatch match;
  match.node_of.resize(events.size());
  for (std::uint32_t node = 0; node < order.size(); ++node) {
    const Fit found = fit(plan.nodes[node], events[order[node]]);
    if (found == Fit::No) {
      return std::nullopt;
    }
    match.verified += found == Fit::Verified ? 1 : 0;
    match.node_of[order[node]] = node;
  }
  return match;
}

std::vector<std::uint32_t> natural_order(std::size_t count) {
  std::vector<std::uint32_t> order(count);
  std::iota(order.begin(), order.end(), 0U);
  return order;
}

bool same_signature(const Plan& plan, std::uint32_t a, std::uint32_t b) {
  return plan.nodes[a].signature == plan.nodes[b].signature;
}

/// Events of one stream as a subsequence of the nodes: each event at the earliest node that fits,
/// and at the latest. Where the two differ in signature, which one it was is not known.
std::optional<ReplayMatch> match_with_gaps(const std::vector<ReplayEvent>& events,
                                           const std::vector<std::uint32_t>& order,
                                           const Plan& plan) {
  const auto nodes = static_cast<std::uint32_t>(plan.nodes.size());
  const auto count = static_cast<std::uint32_t>(order.size());
  std::vector<std::uint32_t> latest(count);
  std::uint32_t node = nodes;
  for (std::uint32_t i = count; i-- > 0;) {
    do {
      if (node == 0) {
        return std::nullopt;
      }
      --node;
    } while (fit(plan.nodes[node], events[order[i]]) != Fit::Verified);
    latest[i] = node;
  }
  ReplayMatch match;
  match.node_of.resize(count);
  match.candidates.resize(count);
  match.unseen = nodes - count;
  match.verified = count;
  node = 0;
  for (std::uint32_t i = 0; i < count; ++i, ++node) {
    while (fit(plan.nodes[node], events[order[i]]) != Fit::Verified) {
      ++node;  // ends at latest[i], which fits
    }
    match.node_of[order[i]] = node;
    std::vector<std::uint32_t> candidates;
    bool differs = false;
    for (std::uint32_t other = node; other <= latest[i]; ++other) {
      if (fit(plan.nodes[other], events[order[i]]) == Fit::Verified) {
        candidates.push_back(other);
        differs = differs || !same_signature(plan, node, other);
      }
    }
    if (differs) {
      match.candidates[order[i]] = std::move(candidates);
    }
  }
  return match;
}

/// Matching by what ran, for events on several streams.
class KeyedMatch {
 public:
  KeyedMatch(const std::vector<ReplayEvent>& events, const Plan& plan)
      : events_(events), plan_(plan) {}

  std::optional<ReplayMatch> run() {
    if (!group()) {
      return std::nullopt;
    }
    match_.node_of.assign(events_.size(), kUnset);
    match_.candidates.resize(events_.size());
    match_.verified = static_cast<std::uint32_t>(events_.size());
    for (Group& group : groups_) {
      match_.unseen += static_cast<std::uint32_t>(group.nodes.size() - group.events.size());
      if (group.uniform) {
        assign_in_order(group);
      }
    }
    if (match_.unseen > allowed_unseen(plan_.nodes.size())) {
      return std::nullopt;
    }
    find_bounds();
    for (const Group& group : groups_) {
      if (!group.uniform) {
        assign_between_anchors(group);
      }
    }
    return std::move(match_);
  }

 private:
  static constexpr std::uint32_t kUnset = 0xffffffffU;

  /// Nodes and events that ran the same thing.
  struct Group {
    std::vector<std::uint32_t> nodes;
    std::vector<std::uint32_t> events;
    bool uniform = true;  // one signature, and one event a node: any pairing says the same
  };

  struct Bounds {
    std::int64_t after = -1;
    std::int64_t before = 0;
  };

  /// False if some node could have run two things that both occur, or an event fits no node.
  bool group() {
    std::map<std::pair<DeviceEventKind, KernelIdentity>, std::size_t> group_of;
    for (std::uint32_t i = 0; i < events_.size(); ++i) {
      // Copies and memsets are told apart by kind alone: their names say the direction only.
      const bool is_kernel = events_[i].kind == DeviceEventKind::Kernel;
      const auto key = std::pair(events_[i].kind, is_kernel ? events_[i].ran : KernelIdentity{});
      const auto [entry, is_new] = group_of.try_emplace(key, groups_.size());
      if (is_new) {
        groups_.emplace_back();
      }
      groups_[entry->second].events.push_back(i);
    }
    for (std::uint32_t node = 0; node < plan_.nodes.size(); ++node) {
      std::size_t found = groups_.size();
      for (std::size_t g = 0; g < groups_.size(); ++g) {
        if (fit(plan_.nodes[node], events_[groups_[g].events.front()]) != Fit::Verified) {
          continue;
        }
        if (found != groups_.size()) {
          return false;
        }
        found = g;
      }
      if (found != groups_.size()) {
        groups_[found].nodes.push_back(node);
      }
    }
    return std::all_of(
        groups_.begin(), groups_.end(), [this](Group& group) { return judge(group); });
  }

  bool judge(Group& group) const {
    if (group.events.size() > group.nodes.size()) {
      return false;
    }
    group.uniform =
        std::all_of(group.nodes.begin(), group.nodes.end(), [this, &group](std::uint32_t node) {
          return same_signature(plan_, node, group.nodes.front());
        });
    return true;
  }

  void assign_in_order(const Group& group) {
    for (std::size_t i = 0; i < group.events.size(); ++i) {
      match_.node_of[group.events[i]] = group.nodes[i];
    }
  }

  /// A chain is what was captured on one stream: its nodes depend on each other in order. Without
  /// a fork the graph is one chain; with one, the streams of the warm-up tell the chains.
  void find_chains() {
    chain_of_.assign(plan_.nodes.size(), plan_.several_streams ? kUnset : 0);
    if (!plan_.several_streams) {
      return;
    }
    std::map<StreamId, std::uint32_t> chains;
    for (const PlanNode& node : plan_.nodes) {
      if (node.stream.has_value()) {
        chains.emplace(node.stream, static_cast<std::uint32_t>(chains.size()));
      }
    }
    chain_count_ = std::max<std::size_t>(chains.size(), 1);
    // A warm-up on one stream does not show the branches of the capture.
    for (std::size_t node = 0; chains.size() > 1 && node < plan_.nodes.size(); ++node) {
      const auto chain = chains.find(plan_.nodes[node].stream);
      chain_of_[node] = chain == chains.end() ? kUnset : chain->second;
    }
  }

  /// For each event and chain: the nodes of the nearest unmistakable events before and after it
  /// on its stream. A node of the chain that the event may be lies between them.
  void find_bounds() {
    std::vector<bool> is_anchor(events_.size(), false);
    for (const Group& group : groups_) {
      if (group.nodes.size() == 1 && group.events.size() == 1) {
        is_anchor[group.events.front()] = true;
      }
    }
    find_chains();
    bounds_.resize(events_.size() * chain_count_);
    sweep(is_anchor, true);
    sweep(is_anchor, false);
  }

  void sweep(const std::vector<bool>& is_anchor, bool forward) {
    const std::int64_t open = forward ? -1 : static_cast<std::int64_t>(plan_.nodes.size());
    std::vector<std::int64_t> bound(chain_count_, open);
    StreamId stream;
    for (std::size_t step = 0; step < events_.size(); ++step) {
      const std::size_t i = forward ? step : events_.size() - 1 - step;
      if (events_[i].stream != stream) {
        stream = events_[i].stream;
        bound.assign(chain_count_, open);
      }
      for (std::size_t chain = 0; chain < chain_count_; ++chain) {
        Bounds& bounds = bounds_[i * chain_count_ + chain];
        (forward ? bounds.after : bounds.before) = bound[chain];
      }
      const std::uint32_t chain = is_anchor[i] ? chain_of_[match_.node_of[i]] : kUnset;
      if (chain != kUnset) {
        const auto node = static_cast<std::int64_t>(match_.node_of[i]);
        // Anchors out of capture order on one stream: order says nothing here.
        ordered_ = ordered_ &&
                   (bound[chain] == open || (forward ? node > bound[chain] : node < bound[chain]));
        bound[chain] = node;
      }
    }
  }

  void assign_between_anchors(const Group& group) {
    std::set<std::uint32_t> free(group.nodes.begin(), group.nodes.end());
    const auto take = [this, &free](std::uint32_t event, std::uint32_t node) {
      match_.node_of[event] = node;
      free.erase(node);
    };
    for (const std::uint32_t event : group.events) {
      const std::vector<std::uint32_t> candidates = nodes_between_anchors(group, event);
      const bool unmistakable =
          std::all_of(candidates.begin(), candidates.end(), [&](std::uint32_t node) {
            return same_signature(plan_, node, candidates.front());
          });
      const auto unused =
          std::find_if(candidates.begin(), candidates.end(), [&free](std::uint32_t node) {
            return free.count(node) > 0;
          });
      if (unmistakable && unused != candidates.end()) {
        take(event, *unused);
      } else {
        match_.candidates[event] = candidates.empty() ? group.nodes : candidates;
      }
    }
    for (const std::uint32_t event : group.events) {
      if (match_.is_ambiguous(event)) {
        take(event, *free.begin());
      }
    }
  }

  [[nodiscard]] std::vector<std::uint32_t> nodes_between_anchors(const Group& group,
                                                                 std::uint32_t event) const {
    std::vector<std::uint32_t> nodes;
    for (const std::uint32_t node : group.nodes) {
      const std::uint32_t chain = chain_of_[node];
      const bool is_bounded = ordered_ && chain != kUnset;
      const Bounds bounds = is_bounded ? bounds_[event * chain_count_ + chain] : Bounds{};
      if (!is_bounded || (node > bounds.after && node < bounds.before)) {
        nodes.push_back(node);
      }
    }
    return nodes;
  }

  const std::vector<ReplayEvent>& events_;
  const Plan& plan_;
  ReplayMatch match_;
  std::vector<Group> groups_;
  std::size_t chain_count_ = 1;
  std::vector<std::uint32_t> chain_of_;  // by node; kUnset: unknown
  std::vector<Bounds> bounds_;           // by event, then by chain
  bool ordered_ = true;
};

bool has_node_ids(const std::vector<ReplayEvent>& events) {
  return !events.empty() && std::all_of(events.begin(), events.end(), [](const ReplayEvent& event) {
    return event.graph_node_id != 0;
  });
}

/// The low half of the id is the node's index; the high half (the graph) is 0 with some writers.
constexpr std::uint64_t node_index(std::uint64_t graph_node_id) {
  return graph_node_id & 0xffffffffU;
}

std::optional<ReplayMatch> match_by_node_id(const std::vector<ReplayEvent>& events,
                                            const Plan& plan) {
  std::vector<std::uint32_t> order = natural_order(events.size());
  std::sort(order.begin(), order.end(), [&events](std::uint32_t a, std::uint32_t b) {
    return node_index(events[a].graph_node_id) < node_index(events[b].graph_node_id);
  });
  const auto repeated =
      std::adjacent_find(order.begin(), order.end(), [&events](std::uint32_t a, std::uint32_t b) {
        return node_index(events[a].graph_node_id) == node_index(events[b].graph_node_id);
      });
  if (repeated != order.end()) {
    return std::nullopt;  // a node ran twice: a loop body, which no plan describes
  }
  auto match = events.size() == plan.nodes.size() ? match_in_order(events, order, plan)
                                                  : match_with_gaps(events, order, plan);
  if (match) {
    match->by_node_id = true;
  }
  return match;
}

}  // namespace

std::optional<ReplayMatch> match_replay(const std::vector<ReplayEvent>& events, const Plan& plan) {
  if (events.empty() || events.size() > plan.nodes.size() ||
      plan.nodes.size() - events.size() > allowed_unseen(plan.nodes.size())) {
    return std::nullopt;
  }
  if (has_node_ids(events)) {
    return match_by_node_id(events, plan);
  }
  // Branches run in an order of the device's own choice, on several streams or on one.
  if (plan.several_streams || events.front().stream != events.back().stream) {
    return KeyedMatch(events, plan).run();
  }
  const std::vector<std::uint32_t> order = natural_order(events.size());
  auto match = events.size() == plan.nodes.size() ? match_in_order(events, order, plan)
                                                  : match_with_gaps(events, order, plan);
  // A single stream can also be the trace of several captured ones.
  return match ? match : KeyedMatch(events, plan).run();
}

}  // namespace opcensus

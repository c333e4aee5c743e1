// SPDX-License-Identifier: Apache-2.0
#include "src/import/recording/node_history.h"

#include <algorithm>
#include <optional>
#include <tuple>
#include <unordered_map>
#include <unordered_set>

namespace opcensus::import {
namespace {

using wire::NodeEvent;
using wire::NodeKind;
using wire::NodeRecord;

/// Bounds on what is followed: no program nests or copies graphs so deeply.
constexpr int kMaxCopies = 1000;
constexpr int kMaxNesting = 32;

constexpr std::uint64_t kIndexMask = 0xffffffffU;

constexpr std::uint32_t graph_of(std::uint64_t node) {
  return static_cast<std::uint32_t>(node >> 32U);
}

bool is_event(const NodeRecord& record, NodeEvent event) {
  return record.event == static_cast<std::uint16_t>(event);
}

bool has_body(NodeKind kind) {
  return kind == NodeKind::ChildGraph || kind == NodeKind::Conditional;
}

bool runs_on_device(NodeKind kind) {
  return kind == NodeKind::Kernel || kind == NodeKind::Memcpy || kind == NodeKind::Memset;
}

/// Created and Cloned rows by node, and the nodes of each graph.
class NodeIndex {
 public:
  explicit NodeIndex(const std::vector<NodeRecord>& records) {
    for (const NodeRecord& record : records) {
      if (is_event(record, NodeEvent::Cloned)) {
        if (cloned_.try_emplace(record.node, &record).second) {
          copies_in_[graph_of(record.node)].push_back(&record);
        }
      } else if (is_event(record, NodeEvent::Created)) {
        created_.try_emplace(record.node, &record);
      }
    }
    for (auto& [graph, copies] : copies_in_) {
      std::sort(copies.begin(), copies.end(), [](const NodeRecord* a, const NodeRecord* b) {
        return a->node < b->node;
      });
    }
  }

  /// The captured node that `node` comes from; null if its capture was not recorded.
  [[nodiscard]] const NodeRecord* root_of(std::uint64_t node) const {
    for (int copies = 0; copies < kMaxCopies; ++copies) {
      const auto copy = cloned_.find(node);
      if (copy == cloned_.end()) {
        const auto root = created_.find(node);
        return root == created_.end() ? nullptr : root->second;
      }
      node = copy->second->origin;
    }
    return nullptr;
  }

  /// Cloned rows of a graph in the order of its nodes.
  [[nodiscard]] const std::vector<const NodeRecord*>& copies_in(std::uint32_t graph) const {
    const auto found = copies_in_.find(graph);
    return found == copies_in_.end() ? no_copies_ : found->second;
  }

 private:
  std::unordered_map<std::uint64_t, const NodeRecord*> created_;
  std::unordered_map<std::uint64_t, const NodeRecord*> cloned_;
  std::unordered_map<std::uint32_t, std::vector<const NodeRecord*>> copies_in_;
  std::vector<const NodeRecord*> no_copies_;
};

/// Graphs cloned by one thread that no instantiation has taken yet, in order.
class PendingGraphs {
 public:
  void add(std::uint32_t graph) {
    if (place_.try_emplace(graph, graphs_.size()).second) {
      graphs_.push_back(graph);
    }
  }

  /// The graphs cloned after `executable`: the bodies within it. Takes them and it out.
  std::vector<std::uint32_t> take(std::uint32_t executable) {
    const auto found = place_.find(executable);
    if (found == place_.end() || found->second >= graphs_.size() ||
        graphs_[found->second] != executable) {
      return {};
    }
    const auto first = graphs_.begin() + static_cast<std::ptrdiff_t>(found->second);
    std::vector<std::uint32_t> bodies(first + 1, graphs_.end());
    graphs_.erase(first, graphs_.end());
    return bodies;
  }

 private:
  std::vector<std::uint32_t> graphs_;
  std::unordered_map<std::uint32_t, std::size_t> place_;
};

/// One node with its place in the executable graph.
struct PlacedNode {
  std::uint64_t index = 0;
  const NodeRecord* copy = nullptr;
};

/// The nodes of one executable graph in the numbering of its device events.
class Flattening {
 public:
  Flattening(const NodeIndex& index, const std::vector<std::uint32_t>& bodies)
      : index_(index), bodies_(bodies) {}

  std::vector<PlacedNode> run(std::uint32_t executable) {
    place(executable, 0, 0);
    if (next_body_ != bodies_.size() || is_short_) {
      // Which body belongs to which node is not known: only what comes before all of them is.
      placed_.resize(std::min(placed_.size(), first_owner_.value_or(placed_.size())));
    }
    return std::move(placed_);
  }

 private:
  /// The number after the last one taken.
  std::uint64_t place(std::uint32_t graph, std::uint64_t base, int depth) {
    std::uint64_t next = base;
    std::uint64_t shift = 0;
    for (const NodeRecord* copy : index_.copies_in(graph)) {
      // A number that a body has taken already: the copies are numbered without the bodies.
      std::uint64_t at = base + (copy->node & kIndexMask) + shift;
      if (at < next) {
        shift += next - at;
        at = next;
      }
      next = at + 1;
      placed_.push_back({at, copy});
      if (has_body(kind_of(*copy))) {
        first_owner_ = first_owner_.value_or(placed_.size());
        next = place_body(next, depth);
      }
    }
    return next;
  }

  std::uint64_t place_body(std::uint64_t base, int depth) {
    if (next_body_ == bodies_.size() || depth == kMaxNesting) {
      is_short_ = true;
      return base;
    }
    return place(bodies_[next_body_++], base, depth + 1);
  }

  [[nodiscard]] NodeKind kind_of(const NodeRecord& copy) const {
    const auto own = static_cast<NodeKind>(copy.kind);
    const NodeRecord* root = own == NodeKind::Other ? index_.root_of(copy.node) : nullptr;
    return root == nullptr ? own : static_cast<NodeKind>(root->kind);
  }

  const NodeIndex& index_;
  const std::vector<std::uint32_t>& bodies_;
  std::vector<PlacedNode> placed_;
  std::size_t next_body_ = 0;
  std::optional<std::size_t> first_owner_;  // nodes placed up to and with the first owner of a body
  bool is_short_ = false;
};

class Resolution {
 public:
  explicit Resolution(const std::vector<NodeRecord>& records)
      : records_(records), index_(records) {}

  std::vector<ResolvedNode> run() {
    for (const NodeRecord& record : records_) {
      take(record);
    }
    for (const NodeRecord& record : records_) {
      if (is_event(record, NodeEvent::Updated)) {
        update(record);
      }
    }
    std::stable_sort(
        resolved_.begin(), resolved_.end(), [](const ResolvedNode& a, const ResolvedNode& b) {
          return std::tuple(a.node, a.valid_from_ns) < std::tuple(b.node, b.valid_from_ns);
        });
    return std::move(resolved_);
  }

 private:
  void take(const NodeRecord& record) {
    if (is_event(record, NodeEvent::Cloned) || is_event(record, NodeEvent::GraphCloned)) {
      pending_[record.thread].add(graph_of(record.node));
    } else if (is_event(record, NodeEvent::Instantiated)) {
      instantiate(record);
    }
  }

  void instantiate(const NodeRecord& record) {
    const std::uint32_t executable = graph_of(record.node);
    const std::vector<std::uint32_t> bodies = pending_[record.thread].take(executable);
    for (const PlacedNode& placed : Flattening(index_, bodies).run(executable)) {
      if (placed.index > kIndexMask) {
        continue;
      }
      const std::uint64_t node = (std::uint64_t{executable} << 32U) | placed.index;
      // The first row of a node decides: a recording that names one twice is damaged.
      if (name_of_copy_.try_emplace(placed.copy->node, node).second) {
        placed_.insert(node);
        add(node, placed.copy->node, placed.copy->time_ns, placed.copy->kind);
      }
    }
  }

  void update(const NodeRecord& record) {
    const auto copy = name_of_copy_.find(record.node);
    const std::uint64_t node = copy == name_of_copy_.end() ? record.node : copy->second;
    if (placed_.count(node) == 0) {
      return;
    }
    // What it does now may be unknown; what it did before must not stand for it in any case.
    const bool is_vague = static_cast<NodeKind>(record.kind) == NodeKind::Other;
    const auto kernel = static_cast<std::uint16_t>(NodeKind::Kernel);
    add(node, record.origin, record.time_ns, is_vague ? kernel : record.kind);
  }

  void add(std::uint64_t node, std::uint64_t source, std::uint64_t time_ns, std::uint16_t kind) {
    ResolvedNode resolved;
    resolved.node = node;
    resolved.valid_from_ns = time_ns;
    resolved.kind = static_cast<NodeKind>(kind);
    if (const NodeRecord* root = index_.root_of(source)) {
      resolved.captured = *root;
      const auto captured_kind = static_cast<NodeKind>(root->kind);
      resolved.kind = captured_kind == NodeKind::Other ? resolved.kind : captured_kind;
    }
    if (runs_on_device(resolved.kind)) {
      resolved_.push_back(resolved);
    }
  }

  const std::vector<NodeRecord>& records_;
  NodeIndex index_;
  std::unordered_map<std::uint32_t, PendingGraphs> pending_;  // by thread
  std::unordered_map<std::uint64_t, std::uint64_t>
      name_of_copy_;                          // Cloned node -> in device events
  std::unordered_set<std::uint64_t> placed_;  // as device events name them
  std::vector<ResolvedNode> resolved_;
};

}  // namespace

std::vector<ResolvedNode> NodeHistory::resolve() const {
  return Resolution(records_).run();
}

}  // namespace opcensus::import

// SPDX-License-Identifier: Apache-2.0
#include "src/import/recording/node_history.h"

#include <algorithm>
#include <tuple>
#include <unordered_map>
#include <unordered_set>

namespace opcensus::import {
namespace {

using wire::NodeEvent;
using wire::NodeKind;
using wire::NodeRecord;

/// A bound on what is followed: no program copies graphs so often.
constexpr int kMaxCopies = 1000;

constexpr std::uint64_t kIndexMask = 0xffffffffU;

constexpr std::uint32_t graph_of(std::uint64_t node) {
  return static_cast<std::uint32_t>(node >> 32U);
}

bool is_event(const NodeRecord& record, NodeEvent event) {
  return record.event == static_cast<std::uint16_t>(event);
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

/// Which graph is the body of which node, from the order in which one thread clones nodes: those of
/// a body just before the node that owns it, and a graph's id is lower than its bodies'.
class CloneOrder {
 public:
  void add(std::uint64_t node) {
    const std::uint32_t graph = graph_of(node);
    if (open_.empty() || open_.back() == graph) {
      open(graph);
      return;
    }
    const bool is_open = std::find(open_.begin(), open_.end(), graph) != open_.end();
    if (!is_open && graph > open_.back()) {
      open(graph);  // a body, of a node to come
      return;
    }
    body_of_[node] = open_.back();
    open_.pop_back();
    if (!is_open) {
      open(graph);
    } else if (open_.back() != graph) {
      // Several bodies of one node: their order was not measured.
      body_of_.erase(node);
      vague_.insert(graph);
      open_.erase(std::find(open_.begin(), open_.end(), graph) + 1, open_.end());
    }
  }

  /// Ends an instantiation. False: not every body has found its node.
  bool finish(std::uint32_t executable) {
    const auto root = std::find(open_.begin(), open_.end(), executable);
    const bool is_whole =
        (root == open_.end() || root + 1 == open_.end()) && vague_.count(executable) == 0;
    open_.clear();
    return is_whole;
  }

  /// 0: the node owns none.
  [[nodiscard]] std::uint32_t body_of(std::uint64_t node) const {
    const auto found = body_of_.find(node);
    return found == body_of_.end() ? 0 : found->second;
  }

  [[nodiscard]] bool is_vague(std::uint32_t graph) const { return vague_.count(graph) > 0; }

 private:
  void open(std::uint32_t graph) {
    if (open_.empty() || open_.back() != graph) {
      open_.push_back(graph);
    }
  }

  std::vector<std::uint32_t> open_;  // each is a body of a node to come in the one before it
  std::unordered_map<std::uint64_t, std::uint32_t> body_of_;
  std::unordered_set<std::uint32_t> vague_;
};

/// One node with its place in the executable graph.
struct PlacedNode {
  std::uint64_t index = 0;
  const NodeRecord* copy = nullptr;
};

/// The nodes of one executable graph in the numbering of its device events: its own, then the
/// bodies of its owners, then the bodies inside these. Owners themselves run nothing.
class Flattening {
 public:
  Flattening(const NodeIndex& index, const CloneOrder& order) : index_(index), order_(order) {}

  std::vector<PlacedNode> run(std::uint32_t executable, bool with_bodies) {
    place(executable, with_bodies);
    for (std::size_t next = 0; next < bodies_.size() && next < kMaxBodies && is_certain_; ++next) {
      place(bodies_[next], true);
    }
    return std::move(placed_);
  }

 private:
  static constexpr std::size_t kMaxBodies = 100'000;

  void place(std::uint32_t graph, bool with_bodies) {
    const std::vector<const NodeRecord*>& copies = index_.copies_in(graph);
    const std::uint64_t base = next_;
    next_ += copies.size();
    for (std::size_t i = 0; i < copies.size(); ++i) {
      const std::uint64_t own = copies[i]->node & kIndexMask;
      // With a gap the number of nodes, and so the place of every body, is not known.
      is_certain_ = is_certain_ && own == i && !order_.is_vague(graph);
      const std::uint32_t body = with_bodies ? order_.body_of(copies[i]->node) : 0;
      if (body == 0) {
        placed_.push_back({base + own, copies[i]});
      } else {
        bodies_.push_back(body);
      }
    }
  }

  const NodeIndex& index_;
  const CloneOrder& order_;
  std::vector<PlacedNode> placed_;
  std::vector<std::uint32_t> bodies_;  // to place, breadth first
  std::uint64_t next_ = 0;
  bool is_certain_ = true;
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
    if (is_event(record, NodeEvent::Cloned)) {
      order_[record.thread].add(record.node);
    } else if (is_event(record, NodeEvent::Instantiated)) {
      instantiate(record);
    }
  }

  void instantiate(const NodeRecord& record) {
    const std::uint32_t executable = graph_of(record.node);
    CloneOrder& order = order_[record.thread];
    const bool is_whole = order.finish(executable);
    for (const PlacedNode& placed : Flattening(index_, order).run(executable, is_whole)) {
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
  std::unordered_map<std::uint32_t, CloneOrder> order_;  // by thread
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

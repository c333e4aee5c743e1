// SPDX-License-Identifier: Apache-2.0
#include "src/import/nsys/graph_nodes.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <tuple>
#include <utility>
#include <vector>

namespace opcensus::import {
namespace {

/// Longer chains of copies are a circle, or no work of CUDA.
constexpr int kMaxCopies = 64;

struct NodeEvent {
  ProcessKey process = 0;
  std::uint64_t node = 0;
  Nanoseconds time;
  std::uint64_t original = 0;  // 0: captured, not copied
  std::int64_t thread = 0;

  [[nodiscard]] auto key() const { return std::tuple(process, node, time, original); }
};

/// A node that device events carry.
using UsedNode = std::pair<ProcessKey, std::uint64_t>;
using GraphKey = std::pair<ProcessKey, std::uint64_t>;

constexpr std::uint64_t graph_of(std::uint64_t node) {
  return node >> 32U;
}

class GraphNodes {
 public:
  explicit GraphNodes(RowIntake& intake) : intake_(intake) {}

  Status read() {
    find_used_nodes();
    if (used_.empty()) {
      return Done{};
    }
    OPCENSUS_CHECK_OK(read_events());
    find_graphs_with_copies();
    adopt_unknown_process();
    number_graphs();
    for (const auto& [used, kind] : used_) {
      add_rows(used, kind);
    }
    rewrite_device_events();
    auto& rows = intake_.trace().graph_nodes;
    std::sort(rows.begin(), rows.end(), [](const GraphNodeRow& a, const GraphNodeRow& b) {
      return std::tuple(a.node, a.valid_from, a.origin) <
             std::tuple(b.node, b.valid_from, b.origin);
    });
    return Done{};
  }

 private:
  [[nodiscard]] UsedNode used_node(const DeviceEvent& event) const {
    return {intake_.processes().process_of(event.stream), event.graph_node_id};
  }

  void find_used_nodes() {
    for (const DeviceEvent& event : intake_.trace().device_events) {
      if (event.graph_node_id != 0) {
        used_.try_emplace(used_node(event), event.kind);
      }
    }
  }

  Status read_events() {
    const TableQuery query{"CUDA_GRAPH_NODE_EVENTS",
                           {"start", "globalTid", "graphNodeId", "originalGraphNodeId"}};
    OPCENSUS_CHECK_OK(intake_.for_each_row(query, [this](Statement& row) {
      const auto start = row.lenient_integer();
      const std::int64_t thread = row.lenient_integer().value_or(0);
      const std::int64_t node = row.lenient_integer().value_or(0);
      const std::int64_t original = row.lenient_integer().value_or(0);
      const auto found = intake_.times(start, start, "graph node");
      if (found && node > 0) {
        intake_.count_category("graph_node");
        NodeEvent event;
        event.process = process_of_global_id(thread);
        event.node = static_cast<std::uint64_t>(node);
        event.time = found->start;
        event.original =
            original > 0 && original != node ? static_cast<std::uint64_t>(original) : 0;
        event.thread = thread;
        events_.push_back(event);
      } else if (found) {
        intake_.count(Issue::BadEvent, "graph node");
      }
      return Status(Done{});
    }));
    std::sort(events_.begin(), events_.end(), [](const NodeEvent& a, const NodeEvent& b) {
      return std::tuple(a.key(), a.thread) < std::tuple(b.key(), b.thread);
    });
    return Done{};
  }

  /// Kernels of exports without globalPid: they belong to the only process there is, or to none.
  void adopt_unknown_process() {
    const bool is_one =
        !events_.empty() && events_.front().process == events_.back().process;  // sorted
    const bool is_unknown = used_.begin()->first.first == 0 && used_.rbegin()->first.first == 0;
    adopted_ = is_one && is_unknown ? events_.front().process : 0;
  }

  /// The lowest process keeps its numbers; a number that it has, too, changes elsewhere.
  void number_graphs() {
    std::set<GraphKey> graphs;
    std::uint64_t free = 0;
    for (const auto& [used, kind] : used_) {
      graphs.emplace(used.first, graph_of(used.second));
      free = std::max(free, graph_of(used.second) + 1);
    }
    std::set<std::uint64_t> taken;
    for (const auto& graph : graphs) {
      // Beyond 2^32 graphs the numbers are hostile, and may meet.
      const bool keeps = taken.insert(graph.second).second;
      graph_number_.emplace(graph, keeps ? graph.second : free++ & 0xffffffffU);
    }
  }

  [[nodiscard]] std::uint64_t unique_node(const UsedNode& used) const {
    const auto number = graph_number_.find({used.first, graph_of(used.second)});
    return (number->second << 32U) | (used.second & 0xffffffffU);
  }

  void rewrite_device_events() {
    for (DeviceEvent& event : intake_.trace().device_events) {
      if (event.graph_node_id != 0) {
        event.graph_node_id = unique_node(used_node(event));
      }
    }
  }

  using EventIterator = std::vector<NodeEvent>::const_iterator;

  /// The rows of a node.
  [[nodiscard]] std::pair<EventIterator, EventIterator> events_of(const UsedNode& node) const {
    return std::equal_range(
        events_.begin(), events_.end(), node, [](const auto& left, const auto& right) {
          return node_of(left) < node_of(right);
        });
  }

  static UsedNode node_of(const NodeEvent& event) { return {event.process, event.node}; }

  static const UsedNode& node_of(const UsedNode& node) { return node; }

  /// The captured node that a copy comes from; nullptr if that was not recorded.
  [[nodiscard]] const NodeEvent* captured(const NodeEvent& copy) const {
    const NodeEvent* event = &copy;
    for (int copies = 0; event->original != 0; ++copies) {
      const auto [first, last] = events_of({event->process, event->original});
      if (first == last || copies == kMaxCopies) {
        return nullptr;
      }
      // What the original was when it was copied: its last row by then, else its first.
      auto then = std::upper_bound(
          first, last, event->time, [](Nanoseconds time, const NodeEvent& candidate) {
            return time < candidate.time;
          });
      event = &*(then == first ? first : std::prev(then));
    }
    return event;
  }

  void add_rows(const UsedNode& used, DeviceEventKind kind) {
    const ProcessKey process = used.first == 0 ? adopted_ : used.first;
    const auto [first, last] = events_of({process, used.second});
    const bool is_copy =
        std::any_of(first, last, [](const NodeEvent& event) { return event.original != 0; });
    // Among copies, a node that is none is the driver's own: it was not captured.
    const bool is_foreign = !is_copy && has_copies({process, graph_of(used.second)});
    std::optional<std::uint64_t> last_origin;
    for (auto event = first; event != last; ++event) {
      if (is_copy && event->original == 0) {
        continue;  // a copy is made, and then told to be one
      }
      const NodeEvent* origin = is_foreign ? nullptr : captured(*event);
      const std::uint64_t origin_node = origin == nullptr ? 0 : origin->node;
      if (last_origin == origin_node) {
        continue;  // told again: an update that changed nothing, or several records of one
      }
      last_origin = origin_node;
      GraphNodeRow row;
      row.node = unique_node(used);
      row.origin = origin_node;
      row.valid_from = event->time;
      row.kind = kind;
      if (origin != nullptr) {
        row.captured_at = origin->time;
        row.thread = intake_.processes().thread(origin->thread);
      }
      intake_.trace().graph_nodes.push_back(row);
    }
  }

  [[nodiscard]] bool has_copies(const GraphKey& graph) const {
    return std::binary_search(graphs_with_copies_.begin(), graphs_with_copies_.end(), graph);
  }

  void find_graphs_with_copies() {
    for (const NodeEvent& event : events_) {
      const GraphKey graph(event.process, graph_of(event.node));
      const bool is_known = !graphs_with_copies_.empty() && graphs_with_copies_.back() == graph;
      if (event.original != 0 && !is_known) {
        graphs_with_copies_.push_back(graph);  // sorted, as events_ is
      }
    }
  }

  RowIntake& intake_;
  std::map<UsedNode, DeviceEventKind> used_;
  std::vector<NodeEvent> events_;  // by process, node, time
  ProcessKey adopted_ = 0;
  std::map<GraphKey, std::uint64_t> graph_number_;
  std::vector<GraphKey> graphs_with_copies_;
};

}  // namespace

Status read_graph_nodes(RowIntake& intake) {
  return GraphNodes(intake).read();
}

}  // namespace opcensus::import

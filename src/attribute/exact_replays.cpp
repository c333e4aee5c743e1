// SPDX-License-Identifier: Apache-2.0
#include "src/attribute/exact_replays.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <tuple>
#include <utility>

#include "src/attribute/jit_kernel.h"

namespace opcensus {
namespace {

using Place = CapturedGraphs::Place;

struct ExactEvent {
  EventId event;
  std::optional<Place> place;  // nullopt: the node's capture was not recorded
};

struct ExactReplay {
  CallId launch;
  Nanoseconds start;        // of the first event
  Nanoseconds launched;     // the launch, or start where it is not in the trace
  std::uint64_t graph = 0;  // executable graph
  bool is_known = false;    // its events have places; unknown ones are a replay of their own
  std::vector<ExactEvent> events;
};

/// Device events of one trace by the replay that they belong to.
class ReplayGrouping {
 public:
  ReplayGrouping(const Trace& trace,
                 const CapturedGraphs& graphs,
                 const std::vector<CallId>& launch_of)
      : trace_(trace), graphs_(graphs), launch_of_(launch_of) {}

  std::vector<ExactReplay> run() {
    std::vector<ExactEvent> uncorrelated;
    for (const EventId id : events_by_start()) {
      const DeviceEvent& event = trace_.device_events[id.index()];
      const CallId launch = graph_launch_of(id);
      const Nanoseconds held_at =
          launch.has_value() ? trace_.api_calls[launch.index()].start : event.start;
      const ExactEvent found{id, graphs_.find(trace_, event.graph_node_id, held_at)};
      if (event.correlation == 0) {
        uncorrelated.push_back(found);
      } else {
        add(by_correlation(found, event, launch), found);
      }
    }
    index_starts();
    for (const ExactEvent& found : uncorrelated) {
      add_uncorrelated(found);
    }
    std::stable_sort(
        replays_.begin(), replays_.end(), [](const ExactReplay& a, const ExactReplay& b) {
          return std::tuple(a.launched, a.start) < std::tuple(b.launched, b.start);
        });
    return std::move(replays_);
  }

 private:
  using GraphKey = std::pair<std::uint64_t, bool>;  // executable graph, is_known

  [[nodiscard]] std::vector<EventId> events_by_start() const {
    std::vector<EventId> events;
    for (std::size_t i = 0; i < trace_.device_events.size(); ++i) {
      if (trace_.device_events[i].graph_node_id != 0) {
        events.emplace_back(i);
      }
    }
    // The node breaks ties: the order of rows must not show.
    std::stable_sort(events.begin(), events.end(), [this](EventId a, EventId b) {
      const DeviceEvent& left = trace_.device_events[a.index()];
      const DeviceEvent& right = trace_.device_events[b.index()];
      return std::tuple(left.start, left.graph_node_id) <
             std::tuple(right.start, right.graph_node_id);
    });
    return events;
  }

  [[nodiscard]] CallId graph_launch_of(EventId id) const {
    const CallId call = launch_of_[id.index()];
    const bool is_graph_launch =
        call.has_value() && trace_.api_calls[call.index()].kind == ApiCallKind::GraphLaunch;
    return is_graph_launch ? call : CallId::none();
  }

  [[nodiscard]] GraphKey key_of(const ExactEvent& found) const {
    const DeviceEvent& event = trace_.device_events[found.event.index()];
    return {graph_of_node(event.graph_node_id), found.place.has_value()};
  }

  std::size_t open(const ExactEvent& found, CallId launch) {
    const DeviceEvent& event = trace_.device_events[found.event.index()];
    ExactReplay replay;
    replay.launch = launch;
    replay.start = event.start;
    replay.launched = launch.has_value() ? trace_.api_calls[launch.index()].start : event.start;
    std::tie(replay.graph, replay.is_known) = key_of(found);
    replays_.push_back(std::move(replay));
    return replays_.size() - 1;
  }

  std::size_t by_correlation(const ExactEvent& found, const DeviceEvent& event, CallId launch) {
    // By graph, too: some CUPTI versions give correlations out twice.
    const auto [entry, is_new] =
        by_correlation_.try_emplace(std::pair(key_of(found), event.correlation), std::size_t{0});
    if (is_new) {
      entry->second = open(found, launch);
    }
    return entry->second;
  }

  void add(std::size_t replay, const ExactEvent& found) {
    replays_[replay].events.push_back(found);
  }

  void index_starts() {
    for (std::size_t i = 0; i < replays_.size(); ++i) {
      const GraphKey key(replays_[i].graph, replays_[i].is_known);
      starts_[key].emplace_back(replays_[i].start, i);
    }
    for (auto& [key, starts] : starts_) {
      std::sort(starts.begin(), starts.end());
    }
  }

  void add_uncorrelated(const ExactEvent& found) {
    const DeviceEvent& event = trace_.device_events[found.event.index()];
    const auto& starts = starts_[key_of(found)];
    const auto after = std::upper_bound(
        starts.begin(), starts.end(), event.start, [](Nanoseconds time, const auto& candidate) {
          return time < candidate.first;
        });
    if (after != starts.begin()) {
      add(std::prev(after)->second, found);
      return;
    }
    OpenReplay& current = open_[key_of(found)];
    if (!current.replay || !current.nodes.insert(event.graph_node_id).second) {
      current.replay = open(found, CallId::none());
      current.nodes = {event.graph_node_id};
    }
    add(*current.replay, found);
  }

  /// A replay of events without a correlation, and the nodes that it has run.
  struct OpenReplay {
    std::optional<std::size_t> replay;
    std::set<std::uint64_t> nodes;
  };

  const Trace& trace_;
  const CapturedGraphs& graphs_;
  const std::vector<CallId>& launch_of_;
  std::vector<ExactReplay> replays_;
  std::map<std::pair<GraphKey, std::uint64_t>, std::size_t> by_correlation_;
  std::map<GraphKey, std::vector<std::pair<Nanoseconds, std::size_t>>> starts_;
  std::map<GraphKey, OpenReplay> open_;
};

class ExactAttributor {
 public:
  ExactAttributor(Model& model,
                  TraceId trace,
                  const CapturedGraphs& graphs,
                  std::uint32_t first_plan,
                  Attribution& result)
      : model_(model),
        trace_id_(trace),
        graphs_(graphs),
        first_plan_(first_plan),
        result_(result) {}

  void take(const ExactReplay& found) {
    const ReplayId id(result_.replays.size());
    Replay replay;
    replay.trace = trace_id_;
    replay.launch = found.launch;
    if (found.is_known) {
      replay.plan = PlanId(first_plan_ + found.events.front().place->plan);
      replay.tier = Tier::Exact;
      replay.unseen_nodes = count_unseen(found);
    } else {
      replay.reason = Reason::NoCaptureTrace;
    }
    for (const ExactEvent& event : found.events) {
      replay.events.push_back(event.event);
      attribute(event, id);
    }
    count_issues(replay);
    result_.replays.push_back(std::move(replay));
  }

 private:
  [[nodiscard]] const Trace& trace() const { return model_.traces[trace_id_.index()]; }

  void attribute(const ExactEvent& found, ReplayId replay) {
    const DeviceEvent& event = trace().device_events[found.event.index()];
    EventAttribution& out = result_.traces[trace_id_.index()].events[found.event.index()];
    out.phase = Phase::Replay;
    out.replay = replay;
    if (!found.place) {
      out.tier = Tier::Unattributed;
      out.reason = Reason::NoCaptureTrace;
      return;
    }
    PlanNode& node = result_.plans[first_plan_ + found.place->plan].nodes[found.place->node];
    out.node = found.place->node;
    if (is_stale(found.place->row, event)) {
      out.tier = Tier::Unattributed;
      out.reason = Reason::StaleNode;
      result_.diagnostics.count(
          Issue::ReplayNodeStale,
          {trace().path, std::nullopt, std::string(model_.strings.view(event.name))});
      return;
    }
    if (node.signature.is_none() && event.kind == DeviceEventKind::Kernel) {
      node.signature = take_as_operator(node, event.name);
    }
    out.signature = node.signature;
    out.tier = node.signature.has_value() ? Tier::Exact : Tier::Unattributed;
    out.reason = node.signature.has_value() ? Reason::None : Reason::NoEnclosingOp;
  }

  /// Only a kernel can tell: where its captured name is known, what ran must be that.
  [[nodiscard]] bool is_stale(std::size_t row, const DeviceEvent& event) const {
    const StringId captured = trace().graph_nodes[row].kernel;
    return event.kind == DeviceEventKind::Kernel && captured.has_value() && captured != event.name;
  }

  SignatureId take_as_operator(const PlanNode& node, StringId kernel) {
    return node.call.has_value()
               ? jit_kernel_signature(model_, trace().api_calls[node.call.index()], kernel)
               : jit_kernel_signature(model_, kernel);
  }

  /// Nodes of the graph that this replay did not run: a branch not taken, or a lost record.
  [[nodiscard]] std::uint32_t count_unseen(const ExactReplay& found) {
    std::set<std::uint64_t> ran;
    for (const ExactEvent& event : found.events) {
      ran.insert(trace().device_events[event.event.index()].graph_node_id);
    }
    return nodes_of(found.graph) - static_cast<std::uint32_t>(ran.size());
  }

  /// How many nodes of the graph have a place; an updated one has several, and counts once.
  std::uint32_t nodes_of(std::uint64_t graph) {
    if (node_counts_.empty()) {
      std::uint64_t last = 0;
      for (std::size_t row = 0; row < graphs_.place_of_row.size(); ++row) {
        const std::uint64_t node = trace().graph_nodes[row].node;
        if (graphs_.place_of_row[row] && node != last) {
          ++node_counts_[graph_of_node(node)];
          last = node;
        }
      }
    }
    return node_counts_[graph];
  }

  void count_issues(const Replay& replay) {
    const std::string& file = trace().path;
    if (replay.plan.is_none()) {
      const std::string size =
          std::to_string(replay.events.size()) + " device events in the replay";
      result_.diagnostics.count(Issue::NoCaptureTrace, {file, std::nullopt, size});
    } else if (replay.unseen_nodes > 0) {
      result_.diagnostics.count(Issue::ReplayNodeUnseen,
                                {file, std::nullopt, result_.plans[replay.plan.index()].label},
                                replay.unseen_nodes);
    }
  }

  Model& model_;
  TraceId trace_id_;
  const CapturedGraphs& graphs_;
  std::uint32_t first_plan_;
  Attribution& result_;
  std::map<std::uint64_t, std::uint32_t> node_counts_;  // by executable graph
};

}  // namespace

void attribute_exact_replays(Model& model,
                             TraceId trace,
                             const CapturedGraphs& graphs,
                             const std::vector<CallId>& launch_of,
                             std::uint32_t first_plan,
                             Attribution& result) {
  ExactAttributor attributor(model, trace, graphs, first_plan, result);
  for (const ExactReplay& replay :
       ReplayGrouping(model.traces[trace.index()], graphs, launch_of).run()) {
    attributor.take(replay);
  }
}

}  // namespace opcensus

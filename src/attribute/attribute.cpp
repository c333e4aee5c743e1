// SPDX-License-Identifier: Apache-2.0
#include "src/attribute/attribute.h"

#include <algorithm>
#include <map>
#include <optional>
#include <string>
#include <utility>

#include "src/attribute/captured_graphs.h"
#include "src/attribute/direct.h"
#include "src/attribute/exact_replays.h"
#include "src/attribute/jit_kernel.h"
#include "src/attribute/launch_index.h"
#include "src/attribute/phases.h"
#include "src/attribute/plans.h"
#include "src/attribute/replay_binding.h"
#include "src/attribute/warmup.h"

namespace opcensus {
namespace {

/// What is known about one trace before replays are looked at.
struct TraceLinks {
  std::vector<CallId> launch_of;   // by EventId
  std::vector<bool> is_ambiguous;  // by EventId
  std::vector<EventId> event_of;   // by CallId: one of the call's events
};

TraceLinks link_events(const Trace& trace, const LaunchIndex& launches) {
  TraceLinks links;
  links.launch_of.resize(trace.device_events.size());
  links.is_ambiguous.resize(trace.device_events.size());
  links.event_of.resize(trace.api_calls.size());
  for (std::size_t i = 0; i < trace.device_events.size(); ++i) {
    const LaunchMatch match = launches.find(trace.device_events[i]);
    links.launch_of[i] = match.call;
    links.is_ambiguous[i] = match.ambiguous;
    if (match.call.has_value()) {
      links.event_of[match.call.index()] = EventId(i);
    }
  }
  return links;
}

TraceRole role_of(const Model& model, const Trace& trace) {
  TraceRole role;
  role.has_device_events = !trace.device_events.empty();
  for (const HostSpan& span : trace.host_spans) {
    const bool is_operator = span.kind == HostSpanKind::Operator;
    role.has_operators = role.has_operators || is_operator;
    role.has_shapes = role.has_shapes ||
                      (is_operator && model.signatures[span.signature].input_shapes.has_value());
  }
  for (const ApiCall& call : trace.api_calls) {
    role.has_captures = role.has_captures || call.kind == ApiCallKind::BeginCapture;
    role.has_graph_launches = role.has_graph_launches || call.kind == ApiCallKind::GraphLaunch;
  }
  return role;
}

void add_role(TraceRole& sum, const TraceRole& more) {
  sum.has_captures = sum.has_captures || more.has_captures;
  sum.has_graph_launches = sum.has_graph_launches || more.has_graph_launches;
  sum.has_device_events = sum.has_device_events || more.has_device_events;
  sum.has_operators = sum.has_operators || more.has_operators;
  sum.has_shapes = sum.has_shapes || more.has_shapes;
}

/// Plans and replays of such a trace are exact: they come from its graph nodes alone.
bool names_its_nodes(const Trace& trace) {
  return !trace.graph_nodes.empty();
}

}  // namespace

/// The attribution of one rank while it is being built.
class Attributor::Impl {
 public:
  explicit Impl(Model& model) : model_(model), binder_(result_.plans, model.signatures) {}

  void attribute_whole_traces() {
    const std::size_t count = model_.traces.size();
    result_.traces.resize(count);
    links_.resize(count);
    for (std::size_t i = 0; i < count; ++i) {
      if (model_.traces[i].segments == nullptr) {
        take_trace(TraceId(i));
      }
    }
    for (std::size_t i = 0; i < count; ++i) {
      if (model_.traces[i].segments == nullptr) {
        bind_replays(TraceId(i), 0);
        take_recorded_operators(TraceId(i));
      }
    }
    result_.segment_replays = result_.replays.size();
    note_replayed_plans(0);
  }

  void attribute_segment(TraceId id) {
    result_.replays.resize(result_.segment_replays);
    replay_steps_.resize(result_.segment_replays);
    take_trace(id);
    bind_replays(id, result_.segment_replays);
    take_recorded_operators(id);
    note_replayed_plans(result_.segment_replays);
  }

  void finish() { count_plan_issues(); }

  Attribution& result() { return result_; }

 private:
  void take_trace(TraceId id) {
    const Trace& trace = model_.traces[id.index()];
    TraceAttribution& own = result_.traces[id.index()];
    TraceRole role = own.role;
    add_role(role, role_of(model_, trace));
    own = TraceAttribution();
    own.role = role;
    own.tree = build_host_tree(trace);
    if (own.tree.overlaps > 0) {
      result_.diagnostics.count(
          Issue::OverlappingSiblings, {trace.path, std::nullopt, ""}, own.tree.overlaps);
    }
    const LaunchIndex launches(model_, trace);
    links_[id.index()] = link_events(trace, launches);
    const TraceLinks& links = links_[id.index()];

    std::vector<bool> executed(trace.api_calls.size());
    for (std::size_t i = 0; i < executed.size(); ++i) {
      executed[i] = links.event_of[i].has_value();
    }
    const std::vector<Plan> windows =
        find_plans(model_, id, own.tree, executed, result_.diagnostics);
    CapturedGraphs graphs;
    if (names_its_nodes(trace)) {
      graphs = find_captured_graphs(model_, id, own.tree);
    } else {
      graphs.plans = windows;
    }
    std::vector<Plan>& plans = graphs.plans;
    const auto passes =
        learn_from_warmup(model_, id, own.tree, links.event_of, plans, result_.diagnostics);
    take_as_operators(trace, plans);
    const auto first_plan = static_cast<std::uint32_t>(result_.plans.size());
    const PhaseMap phases(model_,
                          id,
                          own.tree,
                          own.role,
                          windows,
                          plans_of_windows(windows, plans, first_plan),
                          passes);
    std::move(plans.begin(), plans.end(), std::back_inserter(result_.plans));

    set_span_phases(trace, phases, own);
    attribute_direct(trace, phases, own, links);
    collect_steps(id, own);
    const std::size_t first_replay = result_.replays.size();
    if (names_its_nodes(trace)) {
      attribute_exact_replays(model_, id, graphs, links.launch_of, first_plan, result_);
    } else {
      collect_replays(id, launches.events_by_launch(links.launch_of), links);
    }
    find_steps_of_replays(id, first_replay);
  }

  static void set_span_phases(const Trace& trace, const PhaseMap& phases, TraceAttribution& own) {
    own.span_phase.resize(trace.host_spans.size());
    own.span_plan.resize(trace.host_spans.size());
    for (std::size_t i = 0; i < trace.host_spans.size(); ++i) {
      const HostSpan& span = trace.host_spans[i];
      const PhaseMap::Moment moment = phases.at(span.thread, span.start, own.tree.parent[i]);
      own.span_phase[i] = moment.phase;
      own.span_plan[i] = moment.plan;
    }
  }

  void attribute_direct(const Trace& trace,
                        const PhaseMap& phases,
                        TraceAttribution& own,
                        const TraceLinks& links) {
    DirectRule rule(trace, own.tree);
    own.events.resize(trace.device_events.size());
    for (std::size_t i = 0; i < trace.device_events.size(); ++i) {
      EventAttribution& event = own.events[i];
      const CallId call = links.launch_of[i];
      event.phase = phases.default_phase();
      if (trace.device_events[i].kind == DeviceEventKind::Graph) {
        event.phase = Phase::Replay;
        event.reason = Reason::WholeGraph;
        continue;
      }
      if (names_its_nodes(trace) && trace.device_events[i].graph_node_id != 0) {
        continue;  // exact
      }
      if (call.has_value()) {
        const ApiCall& row = trace.api_calls[call.index()];
        if (row.kind == ApiCallKind::GraphLaunch) {
          set_unnamed_replay(trace, event);
          continue;  // bound to a plan later
        }
        const Phase phase =
            phases.at(row.thread, row.start, own.tree.call_span[call.index()]).phase;
        // It ran, so it was not recorded: eager work beside a capture.
        event.phase = phase == Phase::Capture ? Phase::Warmup : phase;
      }
      if (links.is_ambiguous[i]) {
        event.reason = Reason::AmbiguousCorrelation;
        result_.diagnostics.count(Issue::AmbiguousCorrelation, {trace.path, std::nullopt, ""});
        continue;
      }
      rule.apply(trace.device_events[i], call, event);
      if (event.reason == Reason::NoEnclosingOp) {
        take_as_operator(trace.api_calls[call.index()], trace.device_events[i].name, event);
      }
    }
    if (rule.mismatches() > 0) {
      result_.diagnostics.count(
          Issue::ExternalIdMismatch, {trace.path, std::nullopt, ""}, rule.mismatches());
    }
  }

  /// Of a graph launch, in a trace that names the nodes of graphs, but not of this event.
  static void set_unnamed_replay(const Trace& trace, EventAttribution& event) {
    if (names_its_nodes(trace)) {
      event.phase = Phase::Replay;
      event.reason = Reason::NoCaptureTrace;
    }
  }

  void take_as_operator(const ApiCall& launch, StringId kernel, EventAttribution& event) {
    const SignatureId signature = jit_kernel_signature(model_, launch, kernel);
    if (signature.has_value()) {
      event.tier = Tier::Direct;
      event.reason = Reason::None;
      event.signature = signature;
    }
  }

  void take_as_operators(const Trace& trace, std::vector<Plan>& plans) {
    for (Plan& plan : plans) {
      for (PlanNode& node : plan.nodes) {
        if (node.signature.is_none() && node.expected.size() == 1 && node.call.has_value()) {
          node.signature = jit_kernel_signature(
              model_, trace.api_calls[node.call.index()], node.expected.front().name);
        }
      }
    }
  }

  void collect_steps(TraceId id, TraceAttribution& own) {
    const Trace& trace = model_.traces[id.index()];
    step_of_span_.clear();
    for (std::size_t i = 0; i < trace.host_spans.size(); ++i) {
      const HostSpan& span = trace.host_spans[i];
      if (span.kind != HostSpanKind::Annotation || own.span_phase[i] != Phase::Eager) {
        continue;
      }
      if (const auto step = parse_step_annotation(model_.operator_name(span.signature))) {
        step_of_span_.emplace(SpanId(i), result_.steps.size());
        result_.steps.push_back({id, SpanId(i), *step, 0, i < trace.segment.open_spans});
      }
    }
  }

  /// The step around a call: the innermost one with a size, else the innermost one; null if none.
  Step* step_around(TraceId id, CallId call) {
    const HostTree& tree = result_.traces[id.index()].tree;
    Step* found = nullptr;
    for (SpanId span = tree.call_span[call.index()]; span.has_value();
         span = tree.parent[span.index()]) {
      const auto step = step_of_span_.find(span);
      if (step == step_of_span_.end()) {
        continue;
      }
      Step& candidate = result_.steps[step->second];
      if (candidate.annotation.tokens >= 0) {
        return &candidate;
      }
      found = found == nullptr ? &candidate : found;
    }
    return found;
  }

  void collect_replays(TraceId id, const std::vector<EventId>& events, const TraceLinks& links) {
    const Trace& trace = model_.traces[id.index()];
    const auto first = static_cast<std::ptrdiff_t>(result_.replays.size());
    for (const EventId event : events) {
      const CallId call = links.launch_of[event.index()];
      if (trace.device_events[event.index()].kind == DeviceEventKind::Graph) {
        continue;  // nothing in it to bind
      }
      if (call.is_none() || trace.api_calls[call.index()].kind != ApiCallKind::GraphLaunch) {
        continue;
      }
      if (result_.replays.size() == static_cast<std::size_t>(first) ||
          result_.replays.back().launch != call) {
        Replay replay;
        replay.trace = id;
        replay.launch = call;
        result_.replays.push_back(std::move(replay));
      }
      result_.replays.back().events.push_back(event);
    }
    std::stable_sort(result_.replays.begin() + first,
                     result_.replays.end(),
                     [&](const Replay& a, const Replay& b) {
                       return trace.api_calls[a.launch.index()].start <
                              trace.api_calls[b.launch.index()].start;
                     });
  }

  void find_steps_of_replays(TraceId id, std::size_t first) {
    for (std::size_t i = first; i < result_.replays.size(); ++i) {
      const CallId launch = result_.replays[i].launch;
      Step* step = launch.has_value() ? step_around(id, launch) : nullptr;
      replay_steps_.push_back(
          step == nullptr ? kNoStep : static_cast<std::size_t>(step - result_.steps.data()));
      if (step != nullptr) {
        ++step->graph_launches;
      }
    }
  }

  /// A step, whichever segment it is looked at from.
  struct StepIdentity {
    TraceId trace;
    ThreadId thread;
    Nanoseconds start;
    Nanoseconds end;

    friend bool operator==(const StepIdentity&, const StepIdentity&) = default;
  };

  [[nodiscard]] StepIdentity identity_of(TraceId trace, std::size_t step) const {
    StepIdentity identity;
    identity.trace = trace;
    if (step != kNoStep) {
      const HostSpan& span =
          model_.traces[trace.index()].host_spans[result_.steps[step].span.index()];
      identity.thread = span.thread;
      identity.start = span.start;
      identity.end = span.end();
    }
    return identity;
  }

  void bind_replays(TraceId id, std::size_t first) {
    if (last_step_.trace != id) {
      binder_.start_step();
      last_step_ = identity_of(id, kNoStep);
    }
    for (std::size_t i = first; i < result_.replays.size(); ++i) {
      Replay& replay = result_.replays[i];
      if (replay.trace != id || names_its_nodes(model_.traces[id.index()])) {
        continue;  // exact ones are done
      }
      const std::size_t step = replay_steps_[i];
      if (const StepIdentity identity = identity_of(id, step); identity != last_step_) {
        binder_.start_step();
        last_step_ = identity;
      }
      const std::int64_t tokens = step == kNoStep ? -1 : result_.steps[step].annotation.tokens;
      apply(ReplayId(i), replay, binder_.bind(replay_events(replay), tokens));
    }
  }

  [[nodiscard]] std::vector<ReplayEvent> replay_events(const Replay& replay) const {
    const Trace& trace = model_.traces[replay.trace.index()];
    std::vector<ReplayEvent> events;
    events.reserve(replay.events.size());
    for (const EventId id : replay.events) {
      const DeviceEvent& event = trace.device_events[id.index()];
      events.push_back({{event.name, event.dims}, event.kind, event.stream, event.graph_node_id});
    }
    return events;
  }

  void apply(ReplayId id, Replay& replay, const Binding& binding) {
    TraceAttribution& own = result_.traces[replay.trace.index()];
    replay.plan = binding.plan;
    replay.tier = binding.tier;
    replay.reason = binding.reason;
    replay.unseen_nodes = binding.unseen;
    for (std::size_t i = 0; i < replay.events.size(); ++i) {
      EventAttribution& event = own.events[replay.events[i].index()];
      event.tier = binding.events[i].tier;
      event.reason = binding.events[i].reason;
      event.signature = binding.events[i].signature;
      event.node = binding.events[i].node;
      event.phase = Phase::Replay;
      event.replay = id;
    }
    count_replay_issues(replay, binding);
  }

  /// What no framework operator claims may be named by the profiler itself: the device library's
  /// operator, which it wrote into the event. In a replay that is the event's own identity.
  void take_recorded_operators(TraceId id) {
    const Trace& trace = model_.traces[id.index()];
    TraceAttribution& own = result_.traces[id.index()];
    for (std::size_t i = 0; i < own.events.size(); ++i) {
      EventAttribution& event = own.events[i];
      const SignatureId recorded = trace.device_events[i].recorded;
      if (event.tier == Tier::Unattributed && recorded.has_value()) {
        event.tier = event.phase == Phase::Replay ? Tier::Exact : Tier::Direct;
        event.reason = Reason::None;
        event.signature = recorded;
      }
    }
  }

  void count_replay_issues(const Replay& replay, const Binding& binding) {
    const std::string& file = model_.traces[replay.trace.index()].path;
    const std::string size = std::to_string(replay.events.size()) + " device events in the replay";
    if (binding.reason == Reason::NoCaptureTrace) {
      result_.diagnostics.count(Issue::NoCaptureTrace, {file, std::nullopt, size});
    } else if (binding.reason == Reason::PlanMismatch) {
      result_.diagnostics.count(Issue::ReplayMismatch, {file, std::nullopt, size});
    } else if (binding.reason == Reason::AmbiguousPlan) {
      result_.diagnostics.count(Issue::ReplayAmbiguous, {file, std::nullopt, size});
    }
    if (binding.unseen > 0) {
      result_.diagnostics.count(Issue::ReplayNodeUnseen,
                                {file, std::nullopt, result_.plans[binding.plan.index()].label},
                                binding.unseen);
    }
    if (binding.indistinguishable) {
      result_.diagnostics.count(Issue::IndistinguishableGraphs,
                                {file, std::nullopt, result_.plans[binding.plan.index()].label});
    }
  }

  void note_replayed_plans(std::size_t first) {
    was_replayed_.resize(result_.plans.size());
    for (std::size_t i = first; i < result_.replays.size(); ++i) {
      if (result_.first_replay_in.is_none()) {
        result_.first_replay_in = result_.replays[i].trace;
      }
      if (result_.replays[i].plan.has_value()) {
        was_replayed_[result_.replays[i].plan.index()] = true;
      }
    }
  }

  void count_plan_issues() {
    for (std::size_t i = 0; i < result_.plans.size(); ++i) {
      const Plan& plan = result_.plans[i];
      const IssuePlace place{model_.traces[plan.trace.index()].path, std::nullopt, plan.label};
      if (!was_replayed_[i] && result_.first_replay_in.has_value() && !plan.nodes.empty()) {
        result_.diagnostics.count(Issue::PlanNeverReplayed, place);
      }
      const bool knows_nothing =
          std::all_of(plan.nodes.begin(), plan.nodes.end(), [](const PlanNode& node) {
            return node.kind == DeviceEventKind::Kernel && node.expected.empty();
          });
      if (knows_nothing && !plan.nodes.empty() && plan.graph == 0) {
        result_.diagnostics.count(Issue::NoWarmup, place);
      }
    }
  }

  static constexpr std::size_t kNoStep = static_cast<std::size_t>(-1);

  Model& model_;
  Attribution result_;
  std::vector<TraceLinks> links_;
  std::map<SpanId, std::size_t> step_of_span_;  // of the trace at hand
  std::vector<std::size_t> replay_steps_;       // parallel to result_.replays
  ReplayBinder binder_;
  StepIdentity last_step_;
  std::vector<bool> was_replayed_;  // by PlanId
};

Attributor::Attributor(Model& model) : impl_(std::make_unique<Impl>(model)) {}

Attributor::~Attributor() = default;

void Attributor::attribute_whole_traces() {
  impl_->attribute_whole_traces();
}

void Attributor::attribute_segment(TraceId trace) {
  impl_->attribute_segment(trace);
}

void Attributor::finish() {
  impl_->finish();
}

const Attribution& Attributor::result() const {
  return impl_->result();
}

Attribution Attributor::take_result() {
  return std::move(impl_->result());
}

Attribution attribute(Model& model) {
  Attributor attributor(model);
  attributor.attribute_whole_traces();
  attributor.finish();
  return attributor.take_result();
}

}  // namespace opcensus

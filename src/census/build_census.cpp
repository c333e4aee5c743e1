// SPDX-License-Identifier: Apache-2.0
#include "src/census/build_census.h"

#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <string>
#include <tuple>
#include <unordered_map>
#include <utility>

#include <fmt/format.h>

#include "src/census/busy_time.h"
#include "src/census/describe_inputs.h"

namespace opcensus {
namespace {

/// Texts of the model as indices of the census, made on first use.
class CensusTexts {
 public:
  CensusTexts(const Model& model, Census& census) : model_(model), census_(census) {}

  TextIndex of(std::string_view text) {
    if (text.empty()) {
      return 0;
    }
    const auto [entry, is_new] =
        index_.try_emplace(std::string(text), static_cast<TextIndex>(census_.texts.size()));
    if (is_new) {
      census_.texts.emplace_back(text);
    }
    return entry->second;
  }

  TextIndex of(StringId id) {
    if (id.is_none()) {
      return 0;
    }
    if (by_id_.size() <= id.index()) {
      by_id_.resize(model_.strings.size(), kNoIndex);
    }
    TextIndex& index = by_id_[id.index()];
    if (index == kNoIndex) {
      index = of(model_.strings.view(id));
    }
    return index;
  }

 private:
  const Model& model_;
  Census& census_;
  std::unordered_map<std::string, TextIndex> index_;
  std::vector<TextIndex> by_id_;  // kNoIndex: not met yet
};

/// Signatures of the model as indices of the census. An operator whose shapes are ambiguous is a
/// row of its own: it must not be mistaken for one whose shapes were not recorded.
class CensusSignatures {
 public:
  CensusSignatures(const Model& model, Census& census) : model_(model), census_(census) {}

  std::uint32_t of(SignatureId id, Reason reason = Reason::None) {
    if (id.is_none()) {
      return kNoIndex;
    }
    const bool ambiguous = reason == Reason::ShapeAmbiguous;
    std::vector<std::uint32_t>& indices = index_.at(ambiguous ? 1 : 0);
    if (indices.size() <= id.index()) {
      indices.resize(model_.signatures.size(), kNoIndex);
    }
    std::uint32_t& index = indices[id.index()];
    if (index == kNoIndex) {
      index = static_cast<std::uint32_t>(census_.signatures.size());
      const Signature& signature = model_.signatures[id];
      const std::string_view status =
          ambiguous ? "shape_ambiguous" : metadata_status_name(signature.metadata_status());
      census_.signatures.push_back({std::string(model_.strings.view(signature.operator_name)),
                                    std::string(model_.strings.view(signature.input_shapes)),
                                    std::string(model_.strings.view(signature.input_dtypes)),
                                    std::string(status),
                                    std::string(model_.strings.view(signature.input_formats))});
    }
    return index;
  }

 private:
  const Model& model_;
  Census& census_;
  std::array<std::vector<std::uint32_t>, 2>
      index_;  // with shapes, ambiguous; kNoIndex: not met yet
};

/// What one row of Census::device_times adds up.
struct TimeKey {
  std::uint32_t input = 0;
  std::uint32_t signature = kNoIndex;
  std::uint32_t graph = kNoIndex;
  std::uint32_t recorded = kNoIndex;
  TextIndex kernel = 0;
  StreamId stream;
  DeviceEventKind kind = DeviceEventKind::Kernel;
  Phase phase = Phase::Eager;
  Tier tier = Tier::Direct;
  Reason reason = Reason::None;

  friend bool operator==(const TimeKey&, const TimeKey&) = default;
};

struct TimeKeyHash {
  std::size_t operator()(const TimeKey& key) const noexcept {
    std::uint64_t hash = key.kernel;
    for (const std::uint32_t part : {key.signature,
                                     key.graph,
                                     key.recorded,
                                     key.stream.index(),
                                     static_cast<std::uint32_t>(key.phase)}) {
      hash = (hash ^ part) * 0x9E3779B97F4A7C15U;
      hash ^= hash >> 32U;
    }
    return static_cast<std::size_t>(hash);
  }
};

/// "" where the trace has none: copies and memsets.
std::string triple(const std::array<std::uint32_t, 3>& value) {
  if (value == std::array<std::uint32_t, 3>{}) {
    return {};
  }
  return fmt::format("[{},{},{}]", value[0], value[1], value[2]);
}

}  // namespace

class CensusBuilder::Impl {
 public:
  Impl(const Model& model, const Attribution& attribution, std::int64_t rank)
      : model_(model),
        attribution_(attribution),
        rank_(rank),
        texts_(model, census_),
        signatures_(model, census_) {}

  void add_whole_traces() {
    add_graphs();
    for (std::size_t i = 0; i < model_.traces.size(); ++i) {
      if (model_.traces[i].segments == nullptr) {
        add_operator_calls(i);
        add_device_times(i);
      }
      add_raw_counts(i);
    }
    add_replays(0);
  }

  void add_segment(TraceId trace) {
    add_operator_calls(trace.index());
    add_device_times(trace.index());
    add_replays(attribution_.segment_replays);
  }

  Census finish() {
    describe_inputs(model_, attribution_, rank_, census_);
    add_steps();
    flush();
    canonicalize(census_);
    census_.checks = compute_checks(census_);
    return std::move(census_);
  }

 private:
  using CallKey = std::tuple<Phase, std::uint32_t, std::uint32_t>;     // phase, signature, graph
  using ArgumentsKey = std::tuple<Phase, std::uint32_t, ArgumentsId>;  // phase, signature

  void add_graphs() {
    for (std::size_t i = 0; i < attribution_.plans.size(); ++i) {
      const Plan& plan = attribution_.plans[i];
      CensusGraph graph;
      graph.rank = rank_;
      graph.number = static_cast<std::uint32_t>(i);
      graph.label = plan.label;
      graph.batch_size = plan.batch_size;
      graph.nodes = plan.nodes.size();
      first_node_.push_back(census_.graph_nodes.size());
      for (std::size_t n = 0; n < plan.nodes.size(); ++n) {
        add_graph_node(plan.nodes[n], static_cast<std::uint32_t>(i), static_cast<std::uint32_t>(n));
        graph.attributed_nodes += plan.nodes[n].signature.has_value() ? 1 : 0;
        if (plan.nodes[n].op.is_none() && plan.nodes[n].signature.has_value()) {
          add_launch_as_call(
              Phase::Capture, plan.nodes[n].signature, static_cast<std::uint32_t>(i));
        }
      }
      census_.graphs.push_back(std::move(graph));
    }
  }

  void add_graph_node(const PlanNode& node, std::uint32_t graph, std::uint32_t position) {
    CensusGraphNode row;
    row.graph = graph;
    row.node = position;
    row.kind = texts_.of(device_event_kind_name(node.kind));
    row.signature = signatures_.of(node.signature);
    row.top_operator = texts_.of(model_.operator_name(node.top_signature));
    if (!node.expected.empty()) {
      set_kernel(row, node.expected.front());
    }
    census_.graph_nodes.push_back(row);
  }

  void set_kernel(CensusGraphNode& row, const KernelIdentity& ran) {
    row.kernel = texts_.of(ran.name);
    if (ran.dims.has_value()) {
      row.grid = texts_.of(triple(model_.dims[ran.dims].grid));
      row.block = texts_.of(triple(model_.dims[ran.dims].block));
    }
  }

  void add_operator_calls(std::size_t t) {
    const Trace& trace = model_.traces[t];
    const TraceAttribution& own = attribution_.traces[t];
    const Segment& segment = trace.segment;
    std::vector<Nanoseconds> children(trace.host_spans.size());
    // Of spans that are still open: what their children had in the segments before.
    std::copy_n(open_children_.begin(),
                std::min(open_children_.size(), segment.open_spans),
                children.begin());
    open_children_.clear();
    for (std::size_t i = segment.borrowed_spans; i < trace.host_spans.size(); ++i) {
      if (trace.host_spans[i].kind != HostSpanKind::Operator) {
        continue;
      }
      const SpanId parent = own.tree.innermost_operator(trace, own.tree.parent[i]);
      if (parent.has_value()) {
        children[parent.index()] += trace.host_spans[i].duration;
      }
    }
    for (std::size_t i = 0; i < trace.host_spans.size(); ++i) {
      const HostSpan& span = trace.host_spans[i];
      const bool is_foreign = i >= segment.open_spans && i < segment.borrowed_spans;
      const bool stays_open = !is_foreign && span.end() > segment.end;
      if (stays_open) {
        open_children_.push_back(children[i]);
      }
      if (span.kind != HostSpanKind::Operator || is_foreign) {
        continue;
      }
      const PlanId plan = own.span_plan[i];
      OperatorCalls& calls =
          call_row({own.span_phase[i], signatures_.of(span.signature), index_of(plan)});
      if (!stays_open) {
        calls.self_cpu_time += std::max(Nanoseconds(), span.duration - children[i]);
      }
      if (i < segment.borrowed_spans) {
        continue;  // counted by the segment in which it began
      }
      ++calls.calls;
      calls.cpu_time += span.duration;
      if (span.arguments.has_value()) {
        ++arguments_[{own.span_phase[i], signatures_.of(span.signature), span.arguments}];
      }
    }
  }

  void add_device_times(std::size_t t) {
    const Trace& trace = model_.traces[t];
    const TraceAttribution& own = attribution_.traces[t];
    for (std::size_t i = 0; i < trace.device_events.size(); ++i) {
      const DeviceEvent& event = trace.device_events[i];
      const EventAttribution& found = own.events[i];
      const PlanId plan = found.replay.has_value() ? attribution_.replays[found.replay.index()].plan
                                                   : PlanId::none();
      TimeKey key;
      key.input = static_cast<std::uint32_t>(t);
      key.signature = signatures_.of(found.signature, found.reason);
      key.graph = index_of(plan);
      key.recorded = signatures_.of(event.recorded);
      key.kernel = texts_.of(event.name);
      key.stream = event.stream;
      key.kind = event.kind;
      key.phase = found.phase;
      key.tier = found.tier;
      key.reason = found.reason;
      const bool is_named_by_itself = found.signature.has_value() && found.op.is_none() &&
                                      found.node == EventAttribution::kNoNode;
      if (is_named_by_itself && found.tier != Tier::Unattributed) {
        add_launch_as_call(found.phase, found.signature, index_of(plan));
      }
      DeviceTime& row = times_[key];
      ++row.events;
      row.time += event.duration;
    }
  }

  void add_raw_counts(std::size_t t) {
    const Trace& trace = model_.traces[t];
    for (std::size_t kind = 0; kind < trace.raw_device.size(); ++kind) {
      if (trace.raw_device[kind].events > 0) {
        RawCount row;
        row.rank = rank_;
        row.input = static_cast<std::uint32_t>(t);
        row.kind = texts_.of(device_event_kind_name(static_cast<DeviceEventKind>(kind)));
        row.events = trace.raw_device[kind].events;
        row.time = trace.raw_device[kind].time;
        census_.raw_counts.push_back(row);
      }
    }
  }

  void add_replays(std::size_t first) {
    for (std::size_t i = first; i < attribution_.replays.size(); ++i) {
      if (attribution_.replays[i].plan.has_value()) {
        add_replay(attribution_.replays[i]);
      }
    }
  }

  void add_replay(const Replay& replay) {
    const Trace& trace = model_.traces[replay.trace.index()];
    const TraceAttribution& own = attribution_.traces[replay.trace.index()];
    const Plan& plan = attribution_.plans[replay.plan.index()];
    CensusGraph& graph = census_.graphs[replay.plan.index()];
    std::vector<std::pair<Nanoseconds, Nanoseconds>> intervals;
    std::set<SpanId> ops;
    for (const EventId id : replay.events) {
      const DeviceEvent& event = trace.device_events[id.index()];
      const EventAttribution& found = own.events[id.index()];
      intervals.emplace_back(event.start, event.end());
      graph.device_time += event.duration;
      if (found.node == EventAttribution::kNoNode) {
        continue;
      }
      CensusGraphNode& node = census_.graph_nodes[first_node_[replay.plan.index()] + found.node];
      // The weakest of its executions: a node is attributed if all of them are.
      node.tier = node.executions == 0 ? found.tier : std::max(node.tier, found.tier);
      ++node.executions;
      node.device_time += event.duration;
      set_kernel(node, {event.name, event.dims});
      // CUPTI does not tell the kind of a node; what it ran does.
      node.kind = texts_.of(device_event_kind_name(event.kind));
      if (found.reason == Reason::StaleNode) {
        continue;  // what ran was no call of the captured operator
      }
      const PlanNode& planned = plan.nodes[found.node];
      if (planned.op.has_value()) {
        ops.insert(planned.op);
      } else if (planned.signature.has_value()) {
        add_launch_as_call(Phase::Replay, planned.signature, index_of(replay.plan));
      }
    }
    ++graph.replays;
    graph.busy_time += busy_time(std::move(intervals));
    const Trace& capture = model_.traces[plan.trace.index()];
    for (const SpanId op : ops) {
      const SignatureId signature = capture.host_spans[op.index()].signature;
      ++call_row({Phase::Replay, signatures_.of(signature), index_of(replay.plan)}).calls;
    }
  }

  void add_steps() {
    std::map<std::pair<StepKind, std::int64_t>, CensusSteps> rows;
    for (const Step& step : attribution_.steps) {
      CensusSteps& row = rows[{step.annotation.kind, step.annotation.tokens}];
      row.rank = rank_;
      row.kind = step.annotation.kind;
      row.tokens = step.annotation.tokens;
      row.steps += step.is_continued ? 0 : 1;
      row.graph_launches += step.graph_launches;
    }
    for (const auto& [key, row] : rows) {
      census_.steps.push_back(row);
    }
  }

  /// A kernel launched directly is an operator without a span: each launch is a call of it.
  void add_launch_as_call(Phase phase, SignatureId signature, std::uint32_t graph) {
    ++call_row({phase, signatures_.of(signature), graph}).calls;
  }

  void add_arguments(const ArgumentsKey& key, std::uint64_t calls) {
    const Arguments& arguments = model_.arguments[std::get<ArgumentsId>(key)];
    OperatorArguments row;
    row.rank = rank_;
    row.phase = std::get<Phase>(key);
    row.signature = std::get<std::uint32_t>(key);
    row.input_strides = texts_.of(arguments.input_strides);
    row.concrete_inputs = texts_.of(arguments.concrete_inputs);
    row.tensors = texts_.of(arguments.tensors);
    row.calls = calls;
    census_.operator_arguments.push_back(row);
  }

  OperatorCalls& call_row(const CallKey& key) { return calls_[key]; }

  static std::uint32_t index_of(PlanId plan) { return plan.has_value() ? plan.index() : kNoIndex; }

  void flush() {
    for (auto& [key, row] : calls_) {
      row.rank = rank_;
      std::tie(row.phase, row.signature, row.graph) = key;
      census_.operator_calls.push_back(row);
    }
    for (const auto& [key, calls] : arguments_) {
      add_arguments(key, calls);
    }
    for (auto& [key, row] : times_) {
      const Stream& stream = model_.traces[key.input].streams[key.stream.index()];
      row.rank = rank_;
      row.input = key.input;
      row.phase = key.phase;
      row.tier = key.tier;
      row.reason = key.reason;
      row.signature = key.signature;
      row.graph = key.graph;
      row.recorded = key.recorded;
      row.kernel = key.kernel;
      row.kind = texts_.of(device_event_kind_name(key.kind));
      row.device = stream.device;
      row.stream = stream.stream;
      census_.device_times.push_back(row);
    }
  }

  const Model& model_;
  const Attribution& attribution_;
  std::int64_t rank_;
  Census census_;
  CensusTexts texts_;
  CensusSignatures signatures_;
  std::map<CallKey, OperatorCalls> calls_;
  std::unordered_map<TimeKey, DeviceTime, TimeKeyHash> times_;
  std::map<ArgumentsKey, std::uint64_t> arguments_;  // calls
  std::vector<std::size_t> first_node_;     // by plan: its first row in census_.graph_nodes
  std::vector<Nanoseconds> open_children_;  // see add_operator_calls
};

CensusBuilder::CensusBuilder(const Model& model, const Attribution& attribution, std::int64_t rank)
    : impl_(std::make_unique<Impl>(model, attribution, rank)) {}

CensusBuilder::~CensusBuilder() = default;

void CensusBuilder::add_whole_traces() {
  impl_->add_whole_traces();
}

void CensusBuilder::add_segment(TraceId trace) {
  impl_->add_segment(trace);
}

Census CensusBuilder::finish() {
  return impl_->finish();
}

Census build_census(const Model& model, const Attribution& attribution, std::int64_t rank) {
  CensusBuilder builder(model, attribution, rank);
  builder.add_whole_traces();
  return builder.finish();
}

}  // namespace opcensus

// SPDX-License-Identifier: Apache-2.0
#include "src/analyze/inspection.h"

#include <algorithm>
#include <map>
#include <utility>

#include "src/census/describe_inputs.h"

namespace opcensus {
namespace {

/// Sums over the segments of one trace.
struct FileSums {
  std::map<Phase, PhaseInspection> phases;
  std::uint64_t operators = 0;
  std::uint64_t operators_with_shapes = 0;
  std::uint64_t graph_launches = 0;
  std::uint64_t graph_launches_bound = 0;
};

void add_rows(const Model& model, const Trace& trace, const TraceAttribution& own, FileSums& sums) {
  for (std::size_t i = trace.segment.borrowed_spans; i < trace.host_spans.size(); ++i) {
    const HostSpan& span = trace.host_spans[i];
    if (span.kind == HostSpanKind::Operator) {
      ++sums.operators;
      sums.operators_with_shapes +=
          model.signatures[span.signature].input_shapes.has_value() ? 1 : 0;
      ++sums.phases[own.span_phase[i]].operator_calls;
    }
  }
  for (const EventAttribution& event : own.events) {
    ++sums.phases[event.phase].device_events;
  }
}

std::vector<StepInspection> inspect_steps(const Attribution& attribution, TraceId trace) {
  std::map<std::pair<StepKind, std::int64_t>, StepInspection> rows;
  for (const Step& step : attribution.steps) {
    if (step.trace != trace) {
      continue;
    }
    StepInspection& row = rows[{step.annotation.kind, step.annotation.tokens}];
    row.kind = step.annotation.kind;
    row.tokens = step.annotation.tokens;
    row.steps += step.is_continued ? 0 : 1;
    row.graph_launches += step.graph_launches;
  }
  std::vector<StepInspection> steps;
  steps.reserve(rows.size());
  for (const auto& [key, row] : rows) {
    steps.push_back(row);
  }
  return steps;
}

GraphInspection inspect_graph(const Attribution& attribution, PlanId id, std::uint64_t replays) {
  const Plan& plan = attribution.plans[id.index()];
  GraphInspection graph;
  graph.number = id.index();
  graph.label = plan.label;
  graph.batch_size = plan.batch_size;
  graph.nodes = plan.nodes.size();
  for (const PlanNode& node : plan.nodes) {
    graph.nodes_with_operator += node.signature.has_value() ? 1 : 0;
    graph.nodes_with_kernel +=
        node.kind != DeviceEventKind::Kernel || !node.expected.empty() ? 1 : 0;
  }
  graph.replays = replays;
  return graph;
}

std::string join_devices(const Trace& trace) {
  std::string text;
  std::string last;
  for (const DeviceInfo& device : trace.devices) {
    if (device.name.empty() || device.name == last) {
      continue;
    }
    text += (text.empty() ? "" : ", ") + device.name;
    last = device.name;
  }
  return text;
}

}  // namespace

class RankInspector::Impl {
 public:
  Impl(const Model& model, const Attribution& attribution, std::int64_t rank)
      : model_(model), attribution_(attribution), rank_(rank), sums_(model.traces.size()) {}

  void add_whole_traces() {
    for (std::size_t i = 0; i < model_.traces.size(); ++i) {
      if (model_.traces[i].segments == nullptr) {
        add_rows(model_, model_.traces[i], attribution_.traces[i], sums_[i]);
      }
    }
    add_replays(0);
  }

  void add_segment(TraceId id) {
    add_rows(model_, model_.traces[id.index()], attribution_.traces[id.index()], sums_[id.index()]);
    add_replays(attribution_.segment_replays);
  }

  [[nodiscard]] std::vector<FileInspection> finish() {
    replays_of_.resize(attribution_.plans.size());
    std::vector<FileInspection> files;
    for (std::size_t i = 0; i < model_.traces.size(); ++i) {
      files.push_back(describe(TraceId(i)));
    }
    return files;
  }

 private:
  void add_replays(std::size_t first) {
    replays_of_.resize(attribution_.plans.size());
    for (std::size_t i = first; i < attribution_.replays.size(); ++i) {
      const Replay& replay = attribution_.replays[i];
      FileSums& sums = sums_[replay.trace.index()];
      ++sums.graph_launches;
      if (replay.plan.has_value()) {
        ++sums.graph_launches_bound;
        ++replays_of_[replay.plan.index()];
      }
    }
  }

  [[nodiscard]] FileInspection describe(TraceId id) const {
    const Trace& trace = model_.traces[id.index()];
    const FileSums& sums = sums_[id.index()];
    FileInspection file;
    file.path = trace.path;
    file.format = trace.format;
    file.variant = trace.variant;
    file.cannot_tell = trace.cannot_tell;
    file.role = role_name(attribution_.traces[id.index()].role);
    file.rank = rank_;
    file.bytes = trace.bytes;
    file.complete = trace.complete;
    file.devices = join_devices(trace);
    file.properties = trace.properties;
    file.categories = trace.categories;
    file.operators = sums.operators;
    file.operators_with_shapes = sums.operators_with_shapes;
    file.graph_launches = sums.graph_launches;
    file.graph_launches_bound = sums.graph_launches_bound;
    for (const auto& [phase, row] : sums.phases) {
      file.phases.push_back({phase, row.operator_calls, row.device_events});
    }
    file.steps = inspect_steps(attribution_, id);
    for (std::size_t i = 0; i < attribution_.plans.size(); ++i) {
      if (attribution_.plans[i].trace == id) {
        file.graphs.push_back(inspect_graph(attribution_, PlanId(i), replays_of_[i]));
      }
    }
    return file;
  }

  const Model& model_;
  const Attribution& attribution_;
  std::int64_t rank_;
  std::vector<FileSums> sums_;             // by TraceId
  std::vector<std::uint64_t> replays_of_;  // by PlanId
};

RankInspector::RankInspector(const Model& model, const Attribution& attribution, std::int64_t rank)
    : impl_(std::make_unique<Impl>(model, attribution, rank)) {}

RankInspector::~RankInspector() = default;

void RankInspector::add_whole_traces() {
  impl_->add_whole_traces();
}

void RankInspector::add_segment(TraceId trace) {
  impl_->add_segment(trace);
}

std::vector<FileInspection> RankInspector::finish() {
  return impl_->finish();
}

}  // namespace opcensus

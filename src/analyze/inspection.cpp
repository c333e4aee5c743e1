// SPDX-License-Identifier: Apache-2.0
#include "src/analyze/inspection.h"

#include <algorithm>
#include <map>
#include <utility>

#include "src/census/describe_inputs.h"

namespace opcensus {
namespace {

std::vector<PhaseInspection> inspect_phases(const Trace& trace, const TraceAttribution& own) {
  std::map<Phase, PhaseInspection> rows;
  for (std::size_t i = 0; i < trace.host_spans.size(); ++i) {
    if (trace.host_spans[i].kind == HostSpanKind::Operator) {
      ++rows[own.span_phase[i]].operator_calls;
    }
  }
  for (const EventAttribution& event : own.events) {
    ++rows[event.phase].device_events;
  }
  std::vector<PhaseInspection> phases;
  phases.reserve(rows.size());
  for (auto& [phase, row] : rows) {
    row.phase = phase;
    phases.push_back(row);
  }
  return phases;
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
    ++row.steps;
    row.graph_launches += step.graph_launches;
  }
  std::vector<StepInspection> steps;
  steps.reserve(rows.size());
  for (const auto& [key, row] : rows) {
    steps.push_back(row);
  }
  return steps;
}

GraphInspection inspect_graph(const Attribution& attribution, PlanId id) {
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
  graph.replays = static_cast<std::uint64_t>(std::count_if(
      attribution.replays.begin(), attribution.replays.end(), [id](const Replay& replay) {
        return replay.plan == id;
      }));
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

FileInspection inspect_trace(const Model& model,
                             const Attribution& attribution,
                             TraceId id,
                             std::int64_t rank) {
  const Trace& trace = model.traces[id.index()];
  const TraceAttribution& own = attribution.traces[id.index()];
  FileInspection file;
  file.path = trace.path;
  file.format = trace.format;
  file.role = role_name(own.role);
  file.rank = rank;
  file.bytes = trace.bytes;
  file.complete = trace.complete;
  file.devices = join_devices(trace);
  file.properties = trace.properties;
  file.categories = trace.categories;
  for (const HostSpan& span : trace.host_spans) {
    if (span.kind == HostSpanKind::Operator) {
      ++file.operators;
      file.operators_with_shapes +=
          model.signatures[span.signature].input_shapes.has_value() ? 1 : 0;
    }
  }
  for (const Replay& replay : attribution.replays) {
    if (replay.trace == id) {
      ++file.graph_launches;
      file.graph_launches_bound += replay.plan.has_value() ? 1 : 0;
    }
  }
  file.phases = inspect_phases(trace, own);
  file.steps = inspect_steps(attribution, id);
  for (std::size_t i = 0; i < attribution.plans.size(); ++i) {
    if (attribution.plans[i].trace == id) {
      file.graphs.push_back(inspect_graph(attribution, PlanId(i)));
    }
  }
  return file;
}

}  // namespace

std::vector<FileInspection> inspect_rank(const Model& model,
                                         const Attribution& attribution,
                                         std::int64_t rank) {
  std::vector<FileInspection> files;
  for (std::size_t i = 0; i < model.traces.size(); ++i) {
    files.push_back(inspect_trace(model, attribution, TraceId(i), rank));
  }
  return files;
}

}  // namespace opcensus

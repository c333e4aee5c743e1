// SPDX-License-Identifier: Apache-2.0
#include "src/report/inspection_text.h"
#include "src/report/json_writer.h"

namespace opcensus {
namespace {

void write_graph(const GraphInspection& graph, JsonWriter& json) {
  json.begin_object();
  json.member("graph", graph.number);
  json.member("label", graph.label);
  json.member("batch_size", graph.batch_size);
  json.member("nodes", graph.nodes);
  json.member("nodes_with_operator", graph.nodes_with_operator);
  json.member("nodes_with_kernel", graph.nodes_with_kernel);
  json.member("replays", graph.replays);
  json.end_object();
}

void write_step(const StepInspection& step, JsonWriter& json) {
  json.begin_object();
  json.member("kind", step_kind_name(step.kind));
  json.member("tokens", step.tokens >= 0 ? std::optional<std::int64_t>(step.tokens) : std::nullopt);
  json.member("steps", step.steps);
  json.member("graph_launches", step.graph_launches);
  json.end_object();
}

void write_phase(const PhaseInspection& phase, JsonWriter& json) {
  json.begin_object();
  json.member("phase", phase_name(phase.phase));
  json.member("operator_calls", phase.operator_calls);
  json.member("device_events", phase.device_events);
  json.end_object();
}

template <class Row, class Write>
void write_rows(std::string_view name,
                const std::vector<Row>& rows,
                JsonWriter& json,
                const Write& write) {
  json.key(name);
  json.begin_array();
  for (const Row& row : rows) {
    write(row, json);
  }
  json.end_array();
}

void write_file(const FileInspection& file, JsonWriter& json) {
  json.begin_object();
  json.member("path", file.path);
  json.member("format", file.format);
  json.member("variant", file.variant);
  json.key("cannot_tell");
  json.begin_array();
  for (const std::string& phrase : file.cannot_tell) {
    json.value(phrase);
  }
  json.end_array();
  json.member("role", file.role);
  json.member("rank", file.rank);
  json.member("size_bytes", file.bytes);
  json.member("complete", file.complete);
  json.member("devices", file.devices);
  json.member("operator_calls", file.operators);
  json.member("operator_calls_with_shapes", file.operators_with_shapes);
  json.member("graph_replays", file.graph_launches);
  json.member("graph_replays_bound", file.graph_launches_bound);
  json.key("properties");
  json.begin_object();
  for (const TraceProperty& property : file.properties) {
    json.member(property.name, property.value);
  }
  json.end_object();
  json.key("categories");
  json.begin_object();
  for (const CategoryCount& category : file.categories) {
    json.member(category.category, category.events);
  }
  json.end_object();
  write_rows("phases", file.phases, json, write_phase);
  write_rows("steps", file.steps, json, write_step);
  write_rows("graphs", file.graphs, json, write_graph);
  json.end_object();
}

void write_skipped(const SkippedInput& file, JsonWriter& json) {
  json.begin_object();
  json.member("path", file.path);
  json.member("note", file.note);
  json.member("is_used", file.is_used);
  json.end_object();
}

void write_diagnostic(const CensusDiagnostic& diagnostic, JsonWriter& json) {
  json.begin_object();
  json.member("name", diagnostic.name);
  json.member("severity", diagnostic.severity);
  json.member("times", diagnostic.times);
  json.member("places", diagnostic.places);
  json.end_object();
}

}  // namespace

std::string render_inspection_json(const InspectionReport& report) {
  JsonWriter json;
  json.begin_object();
  json.member("schema_version", 1);
  write_rows("files", report.files, json, write_file);
  write_rows("skipped", report.skipped, json, write_skipped);
  write_rows("diagnostics", report.diagnostics, json, write_diagnostic);
  json.end_object();
  return std::move(json).finish();
}

}  // namespace opcensus

// SPDX-License-Identifier: Apache-2.0
#include "src/report/json_report.h"

#include <string_view>

#include "src/analyze/ledger.h"
#include "src/analyze/operator_rows.h"
#include "src/analyze/select_rank.h"
#include "src/analyze/top_table.h"
#include "src/report/json_parts.h"
#include "src/report/json_writer.h"

namespace opcensus {
namespace {

std::string_view basis_name(StepBasis basis) {
  switch (basis) {
    case StepBasis::DecodeSteps:
      return "decode_steps";
    case StepBasis::EngineSteps:
      return "engine_steps";
    case StepBasis::GraphReplays:
      return "graph_replays";
    case StepBasis::Total:
      break;
  }
  return "total";
}

void write_top_row(JsonWriter& json, const Census& census, const TopRow& row) {
  static const CensusSignature none;
  const CensusSignature& signature =
      row.signature == kNoIndex ? none : census.signatures[row.signature];
  json.begin_object();
  json.member("operator", signature.operator_name);
  json.member("input_shapes", signature.input_shapes);
  json.member("input_dtypes", signature.input_dtypes);
  json.member("metadata_status", signature.metadata_status);
  json.member("attribution", tier_list(row.tiers));
  json.member("reason", reason_name(row.reason));
  json.member("calls", row.calls);
  json.member("device_events", row.device.events);
  json.member("device_time_ns", row.device.time);
  json.member("self_cpu_time_ns", row.self_cpu_time);
  json.member("main_kernel", census.text(row.main_kernel));
  json.member("other_kernels", row.other_kernels);
  json.end_object();
}

void write_top_table(JsonWriter& json, const Census& census, const TopTable& table) {
  json.begin_object();
  json.member("phase", phase_name(table.phase));
  json.key("per_step");
  json.begin_object();
  json.member("basis", basis_name(table.per_step.basis));
  json.member("count", table.per_step.count);
  json.end_object();
  json.member("calls", table.calls);
  json.member("device_events", table.device.events);
  json.member("device_time_ns", table.device.time);
  json.member("self_cpu_time_ns", table.self_cpu_time);
  json.key("rows");
  json.begin_array();
  for (const TopRow& row : table.rows) {
    write_top_row(json, census, row);
  }
  json.end_array();
  json.key("further");
  json.begin_object();
  json.member("rows", table.further_rows);
  json.member("calls", table.further_calls);
  json.member("device_events", table.further_device.events);
  json.member("device_time_ns", table.further_device.time);
  json.member("self_cpu_time_ns", table.further_self_cpu_time);
  json.end_object();
  json.end_object();
}

std::string render(const Census& census, const ReportOptions& options) {
  const TierLedger runtime = compute_ledger(census, kRuntimePhases);
  JsonWriter json;
  json.begin_object();
  json.member("schema_version", kReportSchemaVersion);
  json.member("tool_version", census.tool_version);
  json.key("inputs");
  write_inputs(json, census);
  json.key("ranks");
  write_ranks(json, census);
  json.key("ledger");
  write_ledger(json, runtime);
  json.key("ledger_all_phases");
  write_ledger(json, compute_ledger(census, kEveryPhase));
  json.key("unattributed_reasons");
  write_unattributed_reasons(json, runtime);
  json.key("coverage_pct");
  write_coverage(json, census);
  json.key("tables");
  json.begin_array();
  for (const Phase phase : phases_to_show(census, options)) {
    write_top_table(json, census, compute_top_table(census, phase, options.sort, options.top));
  }
  json.end_array();
  json.key("graphs");
  write_graphs(json, census);
  json.key("diagnostics");
  write_diagnostics(json, census);
  json.key("conservation");
  write_conservation(json, census);
  json.end_object();
  return std::move(json).finish();
}

}  // namespace

std::string render_json_report(const Census& census, const ReportOptions& options) {
  return options.rank ? render(select_rank(census, *options.rank), options)
                      : render(census, options);
}

}  // namespace opcensus

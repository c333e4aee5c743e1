// SPDX-License-Identifier: Apache-2.0
#include "src/report/summary_json.h"

#include <cstdint>
#include <set>
#include <string_view>

#include "src/analyze/ledger.h"
#include "src/analyze/operator_rows.h"
#include "src/report/json_parts.h"
#include "src/report/json_writer.h"

namespace opcensus {
namespace {

void write_operator_counts(JsonWriter& json, const Census& census) {
  std::set<std::string_view> names;
  std::uint64_t signatures = 0;
  for (const OperatorRow& row : compute_operator_rows(census)) {
    names.insert(census.signatures[row.signature].operator_name);
    ++signatures;
  }
  json.begin_object();
  json.member("unique_names", names.size());
  json.member("unique_signatures", signatures);
  json.end_object();
}

}  // namespace

std::string render_summary_json(const Census& census) {
  const TierLedger runtime = compute_ledger(census, kRuntimePhases);
  JsonWriter json;
  json.begin_object();
  json.member("schema_version", kSummarySchemaVersion);
  json.member("tool_version", census.tool_version);
  json.key("inputs");
  write_inputs(json, census);
  json.key("ranks");
  write_ranks(json, census);
  json.key("devices");
  write_devices(json, census);
  json.key("phases");
  write_phases(json, census);
  json.key("ledger");
  write_ledger(json, runtime);
  json.key("ledger_all_phases");
  write_ledger(json, compute_ledger(census, kEveryPhase));
  json.key("unattributed_reasons");
  write_unattributed_reasons(json, runtime);
  json.key("graphs");
  write_graphs(json, census);
  json.key("operators");
  write_operator_counts(json, census);
  json.key("coverage_pct");
  write_coverage(json, census);
  json.key("conservation");
  write_conservation(json, census);
  json.key("diagnostics");
  write_diagnostics(json, census);
  json.end_object();
  return std::move(json).finish();
}

}  // namespace opcensus

// SPDX-License-Identifier: Apache-2.0
#include "src/report/json_parts.h"

#include <algorithm>
#include <cstdint>
#include <set>
#include <string>

#include "src/analyze/percent.h"
#include "src/report/diagnostic_text.h"
#include "src/report/flat_json.h"
#include "src/report/text_safety.h"

namespace opcensus {
namespace {

void write_properties(JsonWriter& json, const std::string& properties) {
  json.begin_object();
  std::set<std::string> names;
  for (const FlatMember& member : parse_flat_object(properties)) {
    if (!names.insert(member.name).second) {
      continue;
    }
    json.key(member.name);
    json.raw(member.is_number ? member.value : json_string(member.value));
  }
  json.end_object();
}

void write_sum(JsonWriter& json, const EventSum& sum) {
  json.begin_object();
  json.member("device_events", sum.events);
  json.member("device_time_ns", sum.time);
  json.end_object();
}

/// null where nothing was counted: 0 ÷ 0 is no coverage.
void write_percent(JsonWriter& json, bool has_total, const std::string& percent) {
  json.raw(has_total ? percent : "null");
}

}  // namespace

void write_inputs(JsonWriter& json, const Census& census) {
  json.begin_array();
  for (const CensusInput& input : census.inputs) {
    json.begin_object();
    json.member("path", input.path);
    json.member("format", input.format);
    json.member("role", input.role);
    json.member("rank", input.rank);
    json.member("bytes", input.bytes);
    json.member("events", input.events);
    json.member("complete", input.complete);
    json.member("note", input.note);
    json.end_object();
  }
  json.end_array();
}

void write_ranks(JsonWriter& json, const Census& census) {
  json.begin_array();
  for (const CensusRank& rank : census.ranks) {
    json.begin_object();
    json.member("rank", rank.rank);
    json.member("devices", rank.devices);
    json.key("properties");
    write_properties(json, rank.properties);
    json.end_object();
  }
  json.end_array();
}

void write_devices(JsonWriter& json, const Census& census) {
  std::set<std::string> devices;
  for (const CensusRank& rank : census.ranks) {
    devices.insert(rank.devices);
  }
  devices.erase("");
  json.begin_array();
  for (const std::string& device : devices) {
    json.value(device);
  }
  json.end_array();
}

void write_phases(JsonWriter& json, const Census& census) {
  json.begin_object();
  for (const Phase phase : kPhases) {
    std::uint64_t calls = 0;
    for (const OperatorCalls& row : census.operator_calls) {
      calls += row.phase == phase ? row.calls : 0;
    }
    const EventSum device = compute_ledger(census, {phase}).total;
    json.key(phase_name(phase));
    json.begin_object();
    json.member("operator_calls", calls);
    json.member("device_events", device.events);
    json.member("device_time_ns", device.time);
    json.end_object();
  }
  json.end_object();
}

void write_ledger(JsonWriter& json, const TierLedger& ledger) {
  json.begin_object();
  json.key("device_events");
  json.begin_object();
  json.member("total", ledger.total.events);
  for (const Tier tier : kTiers) {
    json.member(tier_name(tier), ledger.of(tier).events);
  }
  json.end_object();
  json.key("device_time_ns");
  json.begin_object();
  json.member("total", ledger.total.time);
  for (const Tier tier : kTiers) {
    json.member(tier_name(tier), ledger.of(tier).time);
  }
  json.end_object();
  json.end_object();
}

void write_unattributed_reasons(JsonWriter& json, const TierLedger& ledger) {
  json.begin_object();
  for (const ReasonSum& row : ledger.reasons) {
    if (row.tier == Tier::Unattributed) {
      json.key(row.reason == Reason::None ? "unknown" : reason_name(row.reason));
      write_sum(json, row.sum);
    }
  }
  json.end_object();
}

void write_coverage(JsonWriter& json, const Census& census) {
  const EventSum attributed = compute_ledger(census, kEveryPhase).attributed();
  const EventSum raw = sum_raw_counts(census);
  json.begin_object();
  json.key("device_events");
  write_percent(json, raw.events > 0, percent_text(attributed.events, raw.events, 6));
  json.key("device_time");
  write_percent(json, raw.time.count() > 0, percent_text(attributed.time, raw.time, 6));
  json.end_object();
}

void write_graphs(JsonWriter& json, const Census& census) {
  json.begin_array();
  for (const CensusGraph& graph : census.graphs) {
    json.begin_object();
    json.member("rank", graph.rank);
    json.member("graph", graph.number);
    json.member("label", graph.label);
    json.member("batch_size", graph.batch_size);
    json.member("nodes", graph.nodes);
    json.member("replays", graph.replays);
    json.member("device_time_ns", graph.device_time);
    json.member("busy_time_ns", graph.busy_time);
    json.member("attributed_nodes", graph.attributed_nodes);
    json.end_object();
  }
  json.end_array();
}

void write_conservation(JsonWriter& json, const Census& census) {
  json.begin_object();
  for (const Check& check : census.checks) {
    json.member(check.name, check.passed);
  }
  json.end_object();
}

void write_diagnostics(JsonWriter& json, const Census& census) {
  json.begin_array();
  for (const CensusDiagnostic& diagnostic : census.diagnostics) {
    const IssueInfo* info = find_issue_info(diagnostic.name);
    json.begin_object();
    json.member("name", diagnostic.name);
    json.member("severity", diagnostic.severity);
    json.member("times", diagnostic.times);
    json.member("sentence", info == nullptr ? std::string_view() : info->sentence);
    json.member("remedy", info == nullptr ? std::string_view() : info->remedy);
    json.key("places");
    json.begin_array();
    for (const std::string& place : split_places(diagnostic.places)) {
      json.value(place);
    }
    json.end_array();
    json.end_object();
  }
  json.end_array();
}

}  // namespace opcensus

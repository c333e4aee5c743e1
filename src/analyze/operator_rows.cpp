// SPDX-License-Identifier: Apache-2.0
#include "src/analyze/operator_rows.h"

#include <algorithm>
#include <map>
#include <string_view>
#include <utility>

#include "src/analyze/signature_order.h"

namespace opcensus {
namespace {

using PhaseRows = std::map<std::pair<std::uint32_t, Phase>, PhaseOperatorRow>;

PhaseOperatorRow& row_of(PhaseRows& rows, std::uint32_t signature, Phase phase) {
  PhaseOperatorRow& row = rows[{signature, phase}];
  row.signature = signature;
  row.phase = phase;
  return row;
}

PhaseRows collect_rows(const Census& census, PhaseSet phases) {
  PhaseRows rows;
  for (const OperatorCalls& calls : census.operator_calls) {
    if (phases.contains(calls.phase)) {
      PhaseOperatorRow& row = row_of(rows, calls.signature, calls.phase);
      row.calls += calls.calls;
      row.cpu_time += calls.cpu_time;
      row.self_cpu_time += calls.self_cpu_time;
    }
  }
  for (const DeviceTime& time : census.device_times) {
    if (phases.contains(time.phase) && time.signature != kNoIndex) {
      PhaseOperatorRow& row = row_of(rows, time.signature, time.phase);
      row.device += EventSum{time.events, time.time};
      row.tiers.insert(time.tier);
    }
  }
  return rows;
}

void add_phase(OperatorRow& total, const PhaseOperatorRow& row) {
  total.signature = row.signature;
  total.observed_in.insert(row.phase);
  total.calls[static_cast<std::size_t>(row.phase)] += row.calls;
  if (!kRuntimePhases.contains(row.phase)) {
    return;
  }
  total.device += row.device;
  total.self_cpu_time += row.self_cpu_time;
  for (const Tier tier : kTiers) {
    if (row.tiers.contains(tier)) {
      total.tiers.insert(tier);
    }
  }
}

void append_name(std::string& list, std::string_view separator, std::string_view name) {
  if (!list.empty()) {
    list += separator;
  }
  list += name;
}

}  // namespace

std::vector<OperatorRow> compute_operator_rows(const Census& census) {
  std::map<std::uint32_t, OperatorRow> by_signature;
  for (const auto& [key, row] : collect_rows(census, kEveryPhase)) {
    add_phase(by_signature[key.first], row);
  }
  std::vector<OperatorRow> rows;
  rows.reserve(by_signature.size());
  for (auto& [signature, row] : by_signature) {
    rows.push_back(row);
  }
  std::sort(rows.begin(), rows.end(), [&](const OperatorRow& a, const OperatorRow& b) {
    if (a.device.time != b.device.time) {
      return a.device.time > b.device.time;
    }
    return compare_signatures(census, a.signature, b.signature) < 0;
  });
  return rows;
}

std::vector<PhaseOperatorRow> compute_phase_operator_rows(const Census& census, PhaseSet phases) {
  std::vector<PhaseOperatorRow> rows;
  for (const auto& [key, row] : collect_rows(census, phases)) {
    rows.push_back(row);
  }
  std::sort(rows.begin(), rows.end(), [&](const PhaseOperatorRow& a, const PhaseOperatorRow& b) {
    if (a.device.time != b.device.time) {
      return a.device.time > b.device.time;
    }
    const auto order = compare_signatures(census, a.signature, b.signature);
    return order != 0 ? order < 0 : a.phase < b.phase;
  });
  return rows;
}

std::vector<PhaseOperatorRow> compute_capture_operator_rows(const Census& census) {
  std::vector<PhaseOperatorRow> rows = compute_phase_operator_rows(census, {Phase::Capture});
  std::erase_if(rows, [](const PhaseOperatorRow& row) { return row.calls == 0; });
  std::sort(rows.begin(), rows.end(), [&](const PhaseOperatorRow& a, const PhaseOperatorRow& b) {
    return a.calls != b.calls ? a.calls > b.calls
                              : compare_signatures(census, a.signature, b.signature) < 0;
  });
  return rows;
}

std::string tier_list(TierSet tiers) {
  std::string list;
  for (const Tier tier : kTiers) {
    if (tiers.contains(tier)) {
      append_name(list, "+", tier_name(tier));
    }
  }
  return list;
}

std::string phase_list(PhaseSet phases) {
  std::string list;
  for (const Phase phase : kPhases) {
    if (phases.contains(phase)) {
      append_name(list, ",", phase_name(phase));
    }
  }
  return list;
}

}  // namespace opcensus

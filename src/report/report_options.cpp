// SPDX-License-Identifier: Apache-2.0
#include "src/report/report_options.h"

#include <algorithm>

namespace opcensus {
namespace {

bool has_phase(const Census& census, Phase phase) {
  const auto in_phase = [phase](const auto& row) { return row.phase == phase; };
  return std::any_of(census.operator_calls.begin(), census.operator_calls.end(), in_phase) ||
         std::any_of(census.device_times.begin(), census.device_times.end(), in_phase);
}

}  // namespace

std::vector<Phase> phases_to_show(const Census& census, const ReportOptions& options) {
  if (options.phase) {
    return {*options.phase};
  }
  std::vector<Phase> phases;
  for (const Phase phase : {Phase::Replay, Phase::Eager, Phase::Warmup, Phase::Capture}) {
    const bool is_runtime = kRuntimePhases.contains(phase);
    if (has_phase(census, phase) && (is_runtime || phases.empty() || phases[0] == Phase::Warmup)) {
      phases.push_back(phase);
    }
  }
  return phases;
}

}  // namespace opcensus

// SPDX-License-Identifier: Apache-2.0
//
// The operator inventories: one row per signature (and phase), summed over ranks. Device and CPU
// times are those of the runtime phases (eager + replay) only; warm-up and capture give calls.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "src/analyze/enum_set.h"
#include "src/analyze/ledger.h"
#include "src/census/census.h"

namespace opcensus {

/// One signature in all phases.
struct OperatorRow {
  std::uint32_t signature = 0;
  PhaseSet observed_in;
  std::array<std::uint64_t, kPhases.size()> calls{};
  EventSum device;            ///< runtime phases
  Nanoseconds self_cpu_time;  ///< runtime phases
  TierSet tiers;              ///< of `device`

  [[nodiscard]] std::uint64_t calls_in(Phase phase) const {
    return calls[static_cast<std::size_t>(phase)];
  }
};

/// One signature in one phase.
struct PhaseOperatorRow {
  std::uint32_t signature = 0;
  Phase phase = Phase::Eager;
  std::uint64_t calls = 0;
  EventSum device;
  Nanoseconds cpu_time;
  Nanoseconds self_cpu_time;
  TierSet tiers;
};

/// Every signature that was called or ran. Order: device time descending, then signature.
[[nodiscard]] std::vector<OperatorRow> compute_operator_rows(const Census& census);

/// Order: device time descending, then signature, then phase.
[[nodiscard]] std::vector<PhaseOperatorRow> compute_phase_operator_rows(const Census& census,
                                                                        PhaseSet phases);

/// Operators inside the capture windows. Order: calls descending, then signature.
[[nodiscard]] std::vector<PhaseOperatorRow> compute_capture_operator_rows(const Census& census);

/// "direct+aligned": the members in tier order; "" for none.
[[nodiscard]] std::string tier_list(TierSet tiers);

/// "warmup,capture,replay": the members in phase order.
[[nodiscard]] std::string phase_list(PhaseSet phases);

}  // namespace opcensus

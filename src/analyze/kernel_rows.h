// SPDX-License-Identifier: Apache-2.0
//
// Every device event of the census once more, by kernel: what no signature claims is here too.
#pragma once

#include <cstdint>
#include <vector>

#include "src/analyze/ledger.h"
#include "src/census/census.h"

namespace opcensus {

struct KernelRow {
  TextIndex kernel = 0;
  std::uint32_t signature = kNoIndex;
  std::uint32_t recorded = kNoIndex;  ///< what the profiler itself says of the kernel
  Phase phase = Phase::Eager;
  Tier tier = Tier::Unattributed;
  Reason reason = Reason::None;
  EventSum device;
};

/// All phases, summed over ranks, inputs, devices, streams, graphs and kinds.
/// Order: device time descending, then kernel, signature, recorded, phase, tier, reason.
[[nodiscard]] std::vector<KernelRow> compute_kernel_rows(const Census& census);

}  // namespace opcensus

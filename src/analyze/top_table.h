// SPDX-License-Identifier: Apache-2.0
//
// Where the time of one phase goes: its signatures by time, CPU time or calls. Unattributed time
// is a row of its own for each reason, so the shares add up to the whole phase.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "src/analyze/enum_set.h"
#include "src/analyze/ledger.h"
#include "src/census/census.h"

namespace opcensus {

enum class SortBy : std::uint8_t { Device, Cpu, Calls };

/// What "per step" means in a table.
enum class StepBasis : std::uint8_t {
  Total,         ///< not divided
  DecodeSteps,   ///< annotated decode steps that launched a graph
  EngineSteps,   ///< likewise, and some of them prefill or mixed
  GraphReplays,  ///< no annotations: executions of a whole graph
};

struct PerStep {
  StepBasis basis = StepBasis::Total;
  std::uint64_t count = 1;  ///< the divisor; never 0
};

struct TopRow {
  std::uint32_t signature = kNoIndex;  ///< none: unattributed, for `reason`
  Reason reason = Reason::None;
  std::uint64_t calls = 0;
  EventSum device;
  Nanoseconds self_cpu_time;
  TierSet tiers;
  TextIndex main_kernel = 0;  ///< the one with most time
  std::size_t other_kernels = 0;
};

struct TopTable {
  Phase phase = Phase::Eager;
  PerStep per_step;
  EventSum device;                    ///< of the phase
  std::uint64_t calls = 0;            ///< of the phase
  Nanoseconds self_cpu_time;          ///< of the phase
  std::vector<TopRow> rows;           ///< at most `top` signatures, and every unattributed reason
  std::size_t further_rows = 0;       ///< signatures left out
  EventSum further_device;            ///< theirs
  std::uint64_t further_calls = 0;    ///< theirs
  Nanoseconds further_self_cpu_time;  ///< theirs
};

/// top = 0 means all. Sorted by time, a table has only signatures that ran on the device.
[[nodiscard]] TopTable compute_top_table(const Census& census,
                                         Phase phase,
                                         SortBy sort,
                                         std::size_t top);

/// Replay: annotated steps that launched graphs, else graph replays. Other phases: totals.
[[nodiscard]] PerStep compute_per_step(const Census& census, Phase phase);

}  // namespace opcensus

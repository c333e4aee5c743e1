// SPDX-License-Identifier: Apache-2.0
//
// What an export says of itself: versions, settings, processes, and warnings of the profiler.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "opcensus/result.h"

#include "src/import/nsys/row_intake.h"

namespace opcensus::import {

struct TraceInfo {
  std::string session;  ///< a name of the profiling session; empty if there is none
  /// What torchrun and its like set where nsys was started; a report of several processes has
  /// several ranks.
  std::optional<std::int64_t> rank;
  std::optional<std::int64_t> world_size;
  bool may_lack_events = false;  ///< nsys warned so; it does in nearly every report
};

/// Fills trace.variant and trace.properties, and names the processes. Before any other rows. The
/// environment of the profiled process is in the file, secrets and all: none of it is kept.
[[nodiscard]] Status read_trace_info(RowIntake& intake, TraceInfo& info);

}  // namespace opcensus::import

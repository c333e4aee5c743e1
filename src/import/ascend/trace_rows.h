// SPDX-License-Identifier: Apache-2.0
//
// TraceRows: from a profile's rows to the columns of a Trace; the same for both forms.
#pragma once

#include <map>
#include <unordered_map>
#include <vector>

#include "src/import/ascend/graph_tasks.h"
#include "src/import/ascend/host_places.h"
#include "src/import/ascend/host_row_use.h"
#include "src/import/ascend/profile_rows.h"
#include "src/model/model.h"

namespace opcensus::import::ascend {

/// Fills in the columns, categories, raw counts, devices and diagnostics of `trace`; rows come out
/// in order of their start, whatever their order in the file.
void build_trace(ProfileRows rows, Model& model, Trace& trace);

/// Connection ids begin at 0, and a correlation of 0 means none.
[[nodiscard]] constexpr std::uint64_t correlation_of(std::uint64_t connection) {
  return connection >= kNoId ? 0 : connection + 1;
}

}  // namespace opcensus::import::ascend

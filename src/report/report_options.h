// SPDX-License-Identifier: Apache-2.0
//
// What the user asked the report to show.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "src/analyze/top_table.h"
#include "src/census/census.h"

namespace opcensus {

struct ReportOptions {
  std::size_t width = 80;  ///< columns; 0: not a terminal, nothing is cut or wrapped
  bool color = false;
  std::size_t top = 20;  ///< rows of each table; 0: all
  SortBy sort = SortBy::Device;
  std::optional<Phase> phase;        ///< only this phase; default: replay, then eager
  std::optional<std::int64_t> rank;  ///< only this rank; default: all
  bool quiet = false;                ///< no diagnostics of severity info
};

/// The phases whose tables the report shows: the wanted one, else replay and eager, and where
/// neither ran, warm-up and capture.
[[nodiscard]] std::vector<Phase> phases_to_show(const Census& census, const ReportOptions& options);

}  // namespace opcensus

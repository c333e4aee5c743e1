// SPDX-License-Identifier: Apache-2.0
//
// The engine: from paths to answers. The only place that knows every module.
// Nothing here prints or exits; errors are values, progress goes to the observer.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "opcensus/result.h"

#include "src/analyze/key_averages.h"
#include "src/census/census.h"
#include "src/engine/load.h"
#include "src/report/inspection_text.h"

namespace opcensus {

struct CensusRequest {
  std::vector<std::string> paths;    ///< traces, folders of traces, *.census files
  std::optional<std::int64_t> rank;  ///< only this one
  LoadOptions load = {};
};

/// The census of all inputs: per rank attributed, then merged.
[[nodiscard]] Result<Census> make_census(const CensusRequest& request);

struct TableRequest {
  std::vector<std::string> paths;
  bool group_by_input_shape = false;
  KeyAverageSort sort = KeyAverageSort::DeviceTotal;
  std::optional<std::int64_t> rank;
  LoadOptions load = {};
};

struct TraceTable {
  std::string path;
  std::int64_t rank = 0;
  KeyAverages averages;  ///< sorted as requested
};

/// One table per trace, in order of rank, then path.
[[nodiscard]] Result<std::vector<TraceTable>> make_tables(const TableRequest& request);

/// What every file is and what is missing in it.
[[nodiscard]] Result<InspectionReport> make_inspection(const CensusRequest& request);

}  // namespace opcensus

// SPDX-License-Identifier: Apache-2.0
//
// Reads profiles of Ascend NPUs, as torch_npu and msprof write them, into a Model.
//
//   database  ascend_pytorch_profiler*.db, msprof_*.db ──┐
//                                                        ├──> ProfileRows ──> columns of a Trace
//   text      trace_view.json + kernel_details.csv ──────┘
//
// One rank is one folder and becomes one Trace. Where a folder holds both forms, the database is
// read: its times are integers and its links are ids (docs/formats/ascend.md). Memory is the rows
// that come out, and the database's texts.
#pragma once

#include <cstddef>
#include <string>

#include "opcensus/result.h"

#include "src/base/progress.h"
#include "src/model/model.h"

namespace opcensus::import {

/// What a hostile file can make the reader hold. Reaching one is an Error (LimitExceeded).
struct AscendLimits {
  std::size_t max_event_bytes = std::size_t{64} << 20;  ///< one event of trace_view.json
  std::size_t max_row_bytes = std::size_t{64} << 20;    ///< one row of a CSV file
  std::size_t max_info_bytes = std::size_t{64} << 20;   ///< profiler_info.json and the like
};

struct AscendOptions {
  AscendLimits limits;
  ProgressObserver* progress = nullptr;  ///< may be null
};

/// A folder of one rank: `*_ascend_pt`, ASCEND_PROFILER_OUTPUT, `PROF_*`, cluster_analysis_output,
/// or any that holds the files of one directly. It is read as a whole.
[[nodiscard]] bool is_ascend_folder(const std::string& path);

/// A single file of such a folder: a database, kernel_details.csv, op_summary_*.csv,
/// trace_view.json. Looks at the name and the first bytes only.
[[nodiscard]] bool is_ascend_file(const std::string& path);

/// Appends one Trace (format "ascend") to model.traces. Errors: NotFound, Unreadable, Empty,
/// NotATrace, UnsupportedFormat (collected but not parsed; cluster results), Damaged,
/// LimitExceeded. A text file that is cut off gives its beginning, with complete = false.
[[nodiscard]] Result<Done> read_ascend_profile(const std::string& path,
                                               const AscendOptions& options,
                                               Model& model);

}  // namespace opcensus::import

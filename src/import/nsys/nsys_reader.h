// SPDX-License-Identifier: Apache-2.0
//
// Reads what `nsys export --type sqlite` writes (Nsight Systems, schema 3) into a Model.
//
// Tables and columns come and go between versions and with what was profiled, so every one is
// optional: a query names the columns that are there. Each table is read once, row by row; there
// is no second copy of it. What the tables mean is in docs/formats/nsys.md.
//
//   tables -> NsysTables (queries) -> device_rows, host_rows, graph_nodes, trace_info -> Trace
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "opcensus/result.h"

#include "src/base/progress.h"
#include "src/model/model.h"

namespace opcensus::import {

/// What a hostile file can make the reader hold. Reaching one is an Error (LimitExceeded).
struct NsysLimits {
  std::size_t max_string_bytes = std::size_t{1} << 20;  ///< a kernel's name, the text of a range
  std::size_t max_distinct_strings = std::size_t{16} << 20;
};

struct NsysOptions {
  NsysLimits limits;
  ProgressObserver* progress = nullptr;  ///< may be null; called once a table
};

/// Whether the file is a SQLite database with the tables of Nsight Systems. False for a file that
/// cannot be opened.
[[nodiscard]] bool is_nsys_export(const std::string& path);

/// Whether a file of this name is a report of Nsight Systems, which only `nsys` itself can read.
[[nodiscard]] bool is_nsys_report(std::string_view name);

/// What to say about a report.
[[nodiscard]] Error nsys_report_error(const std::string& path);

/// Appends one Trace to model.traces. Errors: NotATrace, Damaged, LimitExceeded. After an error
/// the model may hold texts that nothing uses.
[[nodiscard]] Result<Done> read_nsys_export(const std::string& path,
                                            const NsysOptions& options,
                                            Model& model);

}  // namespace opcensus::import

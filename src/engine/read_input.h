// SPDX-License-Identifier: Apache-2.0
//
// read_input(): one input, whatever its format. The format is told by content (magic bytes, the
// tables of a database, the members of a folder), never by the name alone.
#pragma once

#include <string>
#include <variant>

#include "opcensus/result.h"

#include "src/base/progress.h"
#include "src/import/execution_trace/execution_trace.h"
#include "src/model/model.h"
#include "src/segments/row_store.h"

namespace opcensus {

/// A folder that is one profile: it is read as a whole, and not searched for files.
[[nodiscard]] bool is_profile_folder(const std::string& path);

/// A Model holds one trace. An execution trace is no trace of its own: it tells more about the
/// operators of the trace that was recorded with it.
using Input = std::variant<Model, import::ExecutionTrace>;

struct ReadOptions {
  int threads = 1;
  RowStoreOptions long_traces;
};

/// Errors: as the format's reader gives them; NotATrace or UnsupportedFormat where there is none.
[[nodiscard]] Result<Input> read_input(const std::string& path,
                                       const ReadOptions& options,
                                       ProgressObserver& progress);

}  // namespace opcensus

// SPDX-License-Identifier: Apache-2.0
//
// Reads a Kineto trace (the JSON that torch.profiler writes, and its relatives) into a Model.
//
// Streaming: memory is the columns that come out, plus one chunk, whatever the size of the file;
// there is no document in memory and no limit of 4 GiB. With a sink the columns of a long trace
// leave the memory, too. The result depends on the JSON alone: not
// on white space, key order, the layout of lines, or the size of chunks. Times go from decimal
// text to integer nanoseconds, never through a double.
//
//   bytes -> ChunkBuffer -> Splitter -> EventFilter -> RunQueue -> RunParser -> EventIntake
//                              |        (skips what makes no row)                    |
//                              +--> HeaderReader                                TraceBuilder
//
// Old profilers write broken JSON; what can be read is, and the rest is counted (Issue). Of a
// key that an event repeats the last counts; only whether the event is looked at is decided by its
// first `ph` and `cat`.
#pragma once

#include <cstddef>
#include <string>

#include "opcensus/result.h"

#include "src/base/progress.h"
#include "src/import/kineto/parse_limits.h"
#include "src/io/byte_source.h"
#include "src/model/model.h"

namespace opcensus::import {

struct KinetoOptions {
  ParseLimits limits;
  std::size_t chunk_bytes = std::size_t{4} << 20;
  /// Events that are parsed at once: with simdjson's index of them, half of a typical second-level
  /// cache. The result is the same for any size.
  std::size_t run_bytes = std::size_t{128} << 10;
  ProgressObserver* progress = nullptr;  ///< may be null; called at most once per chunk
  int threads = 1;  ///< 2 and more: rows are made on a second thread; the result is the same
  RowSink* sink = nullptr;  ///< may be null: then all rows of a long trace stay in memory
};

/// Appends one Trace to model.traces. Errors: Empty, NotATrace, Damaged (nothing usable),
/// LimitExceeded, and the source's own. A truncated or damaged input yields what was readable,
/// with complete = false and a counted Issue.
[[nodiscard]] Result<Done> read_kineto_trace(ByteSource& source,
                                             std::string path,
                                             const KinetoOptions& options,
                                             Model& model);

}  // namespace opcensus::import

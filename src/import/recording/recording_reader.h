// SPDX-License-Identifier: Apache-2.0
//
// Reads a recording of our own agent (agent/wire.h, *.ocrec) into a Model.
//
//   bytes -> ChunkReader -> RecordIntake -> columns of a Trace
//                               |
//                               +--> NodeHistory -> Trace::graph_nodes
//
// Chunks are read whole, one at a time. What the agent wrote before it was killed is read up to
// the first torn chunk; a damaged chunk ends the reading in the same way. Memory is the columns
// that come out, the graph node records, and one chunk.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "opcensus/result.h"

#include "src/base/progress.h"
#include "src/io/byte_source.h"
#include "src/model/model.h"

namespace opcensus::import {

/// What a hostile file can make the reader hold. Reaching one is an Error (LimitExceeded).
struct RecordingLimits {
  std::size_t max_header_bytes = std::size_t{64} << 10;
  std::size_t max_chunk_bytes = std::size_t{256} << 20;  ///< the agent writes 4 MiB at most
  std::size_t max_string_bytes = std::size_t{1} << 20;   ///< a name, shapes or dtypes
  std::size_t max_distinct_strings = std::size_t{16} << 20;
};

struct RecordingOptions {
  RecordingLimits limits;
  ProgressObserver* progress = nullptr;  ///< may be null; called once a chunk
};

/// The first bytes of every recording.
[[nodiscard]] std::string_view recording_magic();

/// Appends one Trace to model.traces. Errors: Empty, NotATrace, UnsupportedFormat (a newer
/// version), Damaged (nothing usable), LimitExceeded, and the source's own. A recording that is
/// torn or damaged after its header yields what comes before, with complete = false and a counted
/// Issue.
[[nodiscard]] Result<Done> read_recording(ByteSource& source,
                                          std::string path,
                                          const RecordingOptions& options,
                                          Model& model);

}  // namespace opcensus::import

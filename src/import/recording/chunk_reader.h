// SPDX-License-Identifier: Apache-2.0
//
// ChunkReader: a recording's header, then its chunks, one after the other.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "opcensus/result.h"

#include "src/import/recording/recording_reader.h"
#include "src/io/byte_source.h"

#include "agent/wire.h"

namespace opcensus::import {

/// Why the reading ends before the end of the file.
struct RecordingStop {
  std::uint64_t byte_offset = 0;
  std::string text;
  bool is_limit = false;  ///< one of RecordingLimits, not damage
};

struct Chunk {
  wire::ChunkType type = wire::ChunkType::Text;
  std::uint64_t byte_offset = 0;  ///< of the payload
  std::span<const char> payload;  ///< until the next chunk is read
};

class ChunkReader {
 public:
  ChunkReader(ByteSource& source, const RecordingOptions& options)
      : source_(source), options_(options) {}

  /// Errors as read_recording's.
  [[nodiscard]] Result<wire::FileHeader> read_header();

  /// none at the end, or where nothing more can be read: stop() tells which.
  [[nodiscard]] std::optional<Chunk> next();

  /// none after a clean end.
  [[nodiscard]] const std::optional<RecordingStop>& stop() const { return stop_; }

  /// The source's own error, if that ended the reading.
  [[nodiscard]] const std::optional<Error>& source_error() const { return source_error_; }

  /// Bytes read so far.
  [[nodiscard]] std::uint64_t position() const { return position_; }

 private:
  /// Reads into `out` until it is full or the source ends; the number of bytes read.
  std::size_t fill(std::span<char> out);

  /// Makes payload_ the next `bytes` bytes; false if the source has fewer. Memory grows with what
  /// is there, not with what the header claims.
  bool read_payload(std::size_t bytes);

  std::nullopt_t stop_at(std::uint64_t offset, std::string text, bool is_limit = false);

  ByteSource& source_;
  const RecordingOptions& options_;
  std::vector<char> payload_;
  std::uint64_t position_ = 0;
  std::optional<RecordingStop> stop_;
  std::optional<Error> source_error_;
};

}  // namespace opcensus::import

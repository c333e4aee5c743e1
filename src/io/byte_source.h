// SPDX-License-Identifier: Apache-2.0
//
// ByteSource: the content of an input, front to back, decompressed on the way. Importers read
// every input through it, so that files, pipes and tests look the same.
//
// Compression is told by magic bytes, never by the name: plain bytes, gzip (any number of members),
// zstd (any number of frames), and one of these inside another. Memory is a fixed number of buffers
// of limited size, whatever the input holds; limits on the decompressed size are the reader's
// business, and so is an empty input.
// Thread rule: one thread at a time per source.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "opcensus/result.h"

namespace opcensus {

/// What a reader without needs of its own asks for at once.
inline constexpr std::size_t kReadBytes = std::size_t{1} << 18;

class ByteSource {
 public:
  ByteSource() = default;
  ByteSource(const ByteSource&) = delete;
  ByteSource& operator=(const ByteSource&) = delete;
  virtual ~ByteSource() = default;

  /// Fills up to buffer.size() bytes of decompressed content; 0 = end. Everything that could be
  /// read comes before the Error; after an Error every further read returns the same Error.
  virtual Result<std::size_t> read(std::span<char> buffer) = 0;

  /// Progress, in bytes of the file itself (compressed): consumed so far.
  [[nodiscard]] virtual std::uint64_t consumed() const = 0;

  /// Bytes of the file itself; 0 = unknown (a pipe).
  [[nodiscard]] virtual std::uint64_t total() const = 0;

  /// Bytes after the last gzip member or zstd frame that are not part of the content: padding or
  /// garbage. Final once read() returned 0.
  [[nodiscard]] virtual std::uint64_t trailing_bytes() const { return 0; }

  /// After an Error: true if the compressed data is right as far as it goes, and was cut off.
  [[nodiscard]] virtual bool truncated() const { return false; }
};

/// Opens a file; "-" is the standard input. Errors: NotFound, Unreadable. What is wrong with the
/// content is found by reading.
[[nodiscard]] Result<std::unique_ptr<ByteSource>> open_bytes(const std::string& path);

/// Reads from memory, and decompresses like open_bytes. The content must outlive the source.
[[nodiscard]] std::unique_ptr<ByteSource> bytes_in_memory(std::string_view content);

}  // namespace opcensus

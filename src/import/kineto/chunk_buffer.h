// SPDX-License-Identifier: Apache-2.0
//
// ChunkBuffer: a window on the content of a ByteSource. Bytes are named by their offset in the
// content, so that nothing needs adjusting when the window moves on. Holds one chunk plus the
// unfinished tail of the one before; kSlack readable bytes follow the end, for block-wise reads.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "opcensus/result.h"

#include "src/io/byte_source.h"

namespace opcensus::import {

class ChunkBuffer {
 public:
  static constexpr std::size_t kSlack = 64;

  ChunkBuffer(ByteSource& source, std::size_t chunk_bytes);

  /// Drops what lies before `keep_from` and appends up to one chunk. An error of the source ends
  /// the content; what was read before stays readable.
  void refill(std::uint64_t keep_from);

  [[nodiscard]] std::uint64_t begin() const { return begin_; }

  [[nodiscard]] std::uint64_t end() const { return begin_ + size_; }

  /// No byte will follow end().
  [[nodiscard]] bool at_end() const { return at_end_; }

  [[nodiscard]] const std::optional<Error>& source_error() const { return error_; }

  [[nodiscard]] const char* data(std::uint64_t offset) const {
    return bytes_.data() + (offset - begin_);
  }

  [[nodiscard]] char operator[](std::uint64_t offset) const { return *data(offset); }

  [[nodiscard]] std::string_view view(std::uint64_t from, std::uint64_t to) const {
    return {data(from), static_cast<std::size_t>(to - from)};
  }

 private:
  ByteSource& source_;
  std::size_t chunk_bytes_;
  std::vector<char> bytes_;
  std::size_t size_ = 0;
  std::uint64_t begin_ = 0;
  bool at_end_ = false;
  std::optional<Error> error_;
};

}  // namespace opcensus::import

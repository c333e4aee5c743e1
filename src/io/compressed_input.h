// SPDX-License-Identifier: Apache-2.0
//
// CompressedInput: the compressed bytes that a decompressor takes, in one fixed buffer that is
// filled from a ByteSource. Taken bytes stay readable until the next refill, so that a
// decompressor can look back at the cause of damage.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "src/io/byte_source.h"

namespace opcensus {

class CompressedInput {
 public:
  explicit CompressedInput(std::unique_ptr<ByteSource> source);

  /// The bytes at hand that were not taken yet.
  [[nodiscard]] std::string_view bytes() const { return {buffer_.data() + begin_, end_ - begin_}; }

  /// Where bytes() begin, for a library that takes no const.
  [[nodiscard]] char* data() { return buffer_.data() + begin_; }

  /// Makes sure that a byte is at hand; false at the end of the source and after its Error.
  bool has_bytes();

  /// Brings `count` bytes into one piece; fewer at the end. At most kMostTogether.
  std::string_view together(std::size_t count);

  /// Takes bytes at hand.
  void take(std::size_t count) { begin_ += count; }

  /// Puts bytes back in front, kMostPutBack at most, whether or not a refill came in between.
  void put_back(std::span<const char> bytes);

  /// Takes zeros until another byte or the end comes; how many.
  std::uint64_t skip_zeros();

  /// Takes everything to the end; how many.
  std::uint64_t skip_all();

  /// From here on, taken() begins.
  void mark() { mark_ = begin_; }

  /// What was taken since mark(), as far as it is still in the buffer.
  [[nodiscard]] std::string_view taken() const;

  /// What the source failed with, after has_bytes() or together() found no more.
  [[nodiscard]] const std::optional<Error>& error() const { return error_; }

  /// Of the source: bytes of the file itself that were taken. If the source decompresses too, its
  /// count is only as fine as its own buffer; good enough for progress.
  [[nodiscard]] std::uint64_t consumed() const;

  [[nodiscard]] const ByteSource& source() const { return *source_; }

  static constexpr std::size_t kMostPutBack = 8;
  static constexpr std::size_t kMostTogether = 64;

 private:
  /// Appends to what is at hand, which is moved to the front.
  bool refill();

  std::unique_ptr<ByteSource> source_;
  std::vector<char> buffer_;
  std::size_t begin_ = kMostPutBack;  ///< next byte to take
  std::size_t end_ = kMostPutBack;
  std::size_t mark_ = kMostPutBack;
  bool at_end_ = false;
  std::optional<Error> error_;
};

}  // namespace opcensus

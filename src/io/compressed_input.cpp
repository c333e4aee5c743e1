// SPDX-License-Identifier: Apache-2.0
#include "src/io/compressed_input.h"

#include <algorithm>
#include <cstring>
#include <utility>

namespace opcensus {
namespace {

// Large enough that a read(2) costs nothing against decompressing it, small enough to stay in L2.
constexpr std::size_t kInputSize = std::size_t{256} << 10U;

}  // namespace

CompressedInput::CompressedInput(std::unique_ptr<ByteSource> source)
    : source_(std::move(source)), buffer_(kMostPutBack + kInputSize) {}

bool CompressedInput::has_bytes() {
  return begin_ < end_ || refill();
}

std::string_view CompressedInput::together(std::size_t count) {
  while (end_ - begin_ < std::min(count, kMostTogether) && refill()) {
  }
  return bytes();
}

bool CompressedInput::refill() {
  if (at_end_ || error_) {
    return false;
  }
  const std::size_t left = end_ - begin_;
  std::memmove(buffer_.data() + kMostPutBack, buffer_.data() + begin_, left);
  begin_ = kMostPutBack;
  mark_ = kMostPutBack;
  end_ = kMostPutBack + left;
  auto count = source_->read(std::span(buffer_).subspan(end_));
  if (!count.has_value()) {
    error_ = std::move(count).error();
    return false;
  }
  end_ += *count;
  at_end_ = *count == 0;
  return !at_end_;
}

void CompressedInput::put_back(std::span<const char> bytes) {
  begin_ -= bytes.size();
  std::copy(bytes.begin(), bytes.end(), buffer_.begin() + static_cast<std::ptrdiff_t>(begin_));
  mark_ = std::min(mark_, begin_);
}

std::uint64_t CompressedInput::skip_zeros() {
  std::uint64_t count = 0;
  while (has_bytes()) {
    const std::size_t zeros = std::min(bytes().find_first_not_of('\0'), bytes().size());
    if (zeros == 0) {
      break;
    }
    take(zeros);
    count += zeros;
  }
  return count;
}

std::uint64_t CompressedInput::skip_all() {
  std::uint64_t count = 0;
  while (has_bytes()) {
    count += bytes().size();
    take(bytes().size());
  }
  return count;
}

std::string_view CompressedInput::taken() const {
  return {buffer_.data() + mark_, begin_ - mark_};
}

std::uint64_t CompressedInput::consumed() const {
  const std::uint64_t below = source_->consumed();
  const std::uint64_t unread = end_ - begin_;
  return below > unread ? below - unread : 0;
}

}  // namespace opcensus

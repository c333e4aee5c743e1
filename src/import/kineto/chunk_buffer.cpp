// SPDX-License-Identifier: Apache-2.0
#include "src/import/kineto/chunk_buffer.h"

#include <algorithm>
#include <cstring>
#include <span>

namespace opcensus::import {

ChunkBuffer::ChunkBuffer(ByteSource& source, std::size_t chunk_bytes)
    : source_(source), chunk_bytes_(std::max<std::size_t>(chunk_bytes, 1)) {
  bytes_.resize(chunk_bytes_ + kSlack);
}

void ChunkBuffer::refill(std::uint64_t keep_from) {
  const auto drop = static_cast<std::size_t>(keep_from - begin_);
  size_ -= drop;
  begin_ = keep_from;
  std::memmove(bytes_.data(), bytes_.data() + drop, size_);
  if (bytes_.size() < size_ + chunk_bytes_ + kSlack) {
    // Doubling: a value that spans many chunks is moved a logarithmic number of times.
    bytes_.resize(std::max(bytes_.size() * 2, size_ + chunk_bytes_ + kSlack));
  }
  std::size_t wanted = chunk_bytes_;
  while (wanted > 0 && !at_end_) {
    auto got = source_.read(std::span<char>(bytes_.data() + size_, wanted));
    if (!got.has_value()) {
      error_ = std::move(got).error();
      at_end_ = true;
    } else if (*got == 0) {
      at_end_ = true;
    } else {
      size_ += *got;
      wanted -= *got;
    }
  }
}

}  // namespace opcensus::import

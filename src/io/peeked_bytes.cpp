// SPDX-License-Identifier: Apache-2.0
#include "src/io/peeked_bytes.h"

#include <algorithm>
#include <utility>

namespace opcensus {

PeekedBytes::PeekedBytes(std::unique_ptr<ByteSource> source, std::size_t peeked_bytes)
    : source_(std::move(source)) {
  prefix_.resize(peeked_bytes);
  std::size_t size = 0;
  // An Error here is not lost: the source returns it again at the next read.
  while (size < prefix_.size()) {
    const auto count = source_->read(std::span(prefix_).subspan(size));
    if (!count.has_value() || *count == 0) {
      break;
    }
    size += *count;
  }
  prefix_.resize(size);
}

Result<std::size_t> PeekedBytes::read(std::span<char> buffer) {
  const std::size_t from_prefix = std::min(prefix_.size() - prefix_read_, buffer.size());
  std::copy_n(prefix_.data() + prefix_read_, from_prefix, buffer.data());
  prefix_read_ += from_prefix;
  if (from_prefix == buffer.size()) {
    return from_prefix;
  }
  auto rest = source_->read(buffer.subspan(from_prefix));
  if (!rest.has_value()) {
    return from_prefix > 0 ? Result<std::size_t>(from_prefix) : std::move(rest);
  }
  return from_prefix + *rest;
}

std::uint64_t PeekedBytes::consumed() const {
  return source_->consumed();
}

}  // namespace opcensus

// SPDX-License-Identifier: Apache-2.0
#include "src/io/peeked_bytes.h"

#include <algorithm>
#include <utility>

namespace opcensus {

PeekedBytes::PeekedBytes(std::unique_ptr<ByteSource> source) : source_(std::move(source)) {
  // An Error here is not lost: the source returns it again at the next read.
  while (prefix_size_ < prefix_.size()) {
    const auto count = source_->read(std::span(prefix_).subspan(prefix_size_));
    if (!count.has_value() || *count == 0) {
      break;
    }
    prefix_size_ += *count;
  }
}

bool PeekedBytes::starts_with(std::string_view magic) const {
  return std::string_view(prefix_.data(), prefix_size_).starts_with(magic);
}

Result<std::size_t> PeekedBytes::read(std::span<char> buffer) {
  const std::size_t from_prefix = std::min(prefix_size_ - prefix_read_, buffer.size());
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

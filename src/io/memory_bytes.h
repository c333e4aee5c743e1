// SPDX-License-Identifier: Apache-2.0
//
// MemoryBytes: bytes in memory, as they are. bytes_in_memory() decompresses them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include "src/io/byte_source.h"

namespace opcensus {

class MemoryBytes final : public ByteSource {
 public:
  /// The content must outlive the source.
  explicit MemoryBytes(std::string_view content) : content_(content) {}

  Result<std::size_t> read(std::span<char> buffer) override {
    const std::size_t count = content_.copy(buffer.data(), buffer.size(), consumed_);
    consumed_ += count;
    return count;
  }

  [[nodiscard]] std::uint64_t consumed() const override { return consumed_; }

  [[nodiscard]] std::uint64_t total() const override { return content_.size(); }

 private:
  std::string_view content_;
  std::size_t consumed_ = 0;
};

}  // namespace opcensus

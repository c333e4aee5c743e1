// SPDX-License-Identifier: Apache-2.0
//
// PeekedBytes: a source whose first bytes can be looked at before it is read.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string_view>

#include "src/io/byte_source.h"

namespace opcensus {

class PeekedBytes final : public ByteSource {
 public:
  explicit PeekedBytes(std::unique_ptr<ByteSource> source);

  [[nodiscard]] bool starts_with(std::string_view magic) const;

  Result<std::size_t> read(std::span<char> buffer) override;

  [[nodiscard]] std::uint64_t consumed() const override;

  [[nodiscard]] std::uint64_t total() const override { return source_->total(); }

  [[nodiscard]] std::uint64_t trailing_bytes() const override { return source_->trailing_bytes(); }

  [[nodiscard]] bool truncated() const override { return source_->truncated(); }

 private:
  static constexpr std::size_t kLongestMagic = 8;

  std::unique_ptr<ByteSource> source_;
  std::array<char, kLongestMagic> prefix_{};
  std::size_t prefix_size_ = 0;
  std::size_t prefix_read_ = 0;
};

}  // namespace opcensus

// SPDX-License-Identifier: Apache-2.0
//
// PeekedBytes: a source whose first bytes can be looked at before it is read.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "src/io/byte_source.h"

namespace opcensus {

class PeekedBytes final : public ByteSource {
 public:
  static constexpr std::size_t kMagicBytes = 8;  ///< enough for the magic of every compression

  explicit PeekedBytes(std::unique_ptr<ByteSource> source, std::size_t peeked_bytes = kMagicBytes);

  /// The first `peeked_bytes` of the content, or all of it.
  [[nodiscard]] std::string_view beginning() const { return prefix_; }

  Result<std::size_t> read(std::span<char> buffer) override;

  [[nodiscard]] std::uint64_t consumed() const override;

  [[nodiscard]] std::uint64_t total() const override { return source_->total(); }

  [[nodiscard]] std::uint64_t trailing_bytes() const override { return source_->trailing_bytes(); }

  [[nodiscard]] bool truncated() const override { return source_->truncated(); }

 private:
  std::unique_ptr<ByteSource> source_;
  std::string prefix_;
  std::size_t prefix_read_ = 0;
};

}  // namespace opcensus

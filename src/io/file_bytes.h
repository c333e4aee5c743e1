// SPDX-License-Identifier: Apache-2.0
//
// FileBytes: the bytes of a file or pipe as they are, by read(2) straight into the caller's
// buffer.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>

#include "src/io/byte_source.h"

namespace opcensus {

class FileBytes final : public ByteSource {
 public:
  [[nodiscard]] static Result<std::unique_ptr<FileBytes>> open(const std::string& path);

  [[nodiscard]] static std::unique_ptr<FileBytes> standard_input();

  FileBytes(const FileBytes&) = delete;
  FileBytes& operator=(const FileBytes&) = delete;
  ~FileBytes() override;

  Result<std::size_t> read(std::span<char> buffer) override;

  [[nodiscard]] std::uint64_t consumed() const override { return consumed_; }

  [[nodiscard]] std::uint64_t total() const override { return total_; }

 private:
  FileBytes(std::string path, int descriptor, bool owned);

  std::string path_;
  int descriptor_;
  bool owned_;  ///< false for the standard input, which stays open
  std::uint64_t consumed_ = 0;
  std::uint64_t total_ = 0;
  bool at_end_ = false;
  std::optional<Error> error_;
};

}  // namespace opcensus

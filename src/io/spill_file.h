// SPDX-License-Identifier: Apache-2.0
//
// SpillFile: bytes that do not fit in memory, in a nameless file of the folder for temporary files
// (TMPDIR, else /tmp). It is gone when its owner is, however the process ends.
// Thread rule: one thread at a time.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

#include "opcensus/result.h"

namespace opcensus {

/// TMPDIR, else /tmp.
[[nodiscard]] std::string temporary_folder();

class SpillFile {
 public:
  /// Errors: Unwritable.
  [[nodiscard]] static Result<SpillFile> create(const std::string& folder = temporary_folder());

  SpillFile(SpillFile&& other) noexcept;
  SpillFile& operator=(SpillFile&& other) noexcept;
  SpillFile(const SpillFile&) = delete;
  SpillFile& operator=(const SpillFile&) = delete;
  ~SpillFile();

  /// Where the bytes begin in the file. Errors: Unwritable (the disk is full).
  [[nodiscard]] Result<std::uint64_t> append(std::span<const std::byte> bytes);

  /// Fills the whole buffer. Errors: Unreadable.
  [[nodiscard]] Status read(std::uint64_t offset, std::span<std::byte> buffer) const;

 private:
  explicit SpillFile(int descriptor) : descriptor_(descriptor) {}

  int descriptor_ = -1;  ///< -1: moved from
  std::uint64_t size_ = 0;
};

}  // namespace opcensus

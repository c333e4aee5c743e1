/* SPDX-License-Identifier: Apache-2.0
 *
 * The append-only file: whole chunks, in order. Thread: the caller holds a lock.
 */
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "agent/wire.h"

namespace opcensus::agent {

class RecordingFile {
 public:
  /* <directory>/<host>_<pid>.ocrec; false if it cannot be made. */
  bool open(const std::string& directory, const wire::FileHeader& header) noexcept;

  /* A payload larger than a chunk's limit is split; `record_bytes` is the size of one record. False
   * after a failed write: then nothing more is written. */
  bool append(wire::ChunkType type,
              const void* payload,
              std::size_t bytes,
              std::size_t record_bytes) noexcept;

  /* In a forked child: the file belongs to the parent. */
  void abandon() noexcept { descriptor_ = -1; }

  [[nodiscard]] bool is_open() const noexcept { return descriptor_ >= 0; }

  [[nodiscard]] const std::string& path() const noexcept { return path_; }

 private:
  bool write_all(const void* data, std::size_t bytes) noexcept;

  int descriptor_ = -1;
  std::string path_;
};

}  // namespace opcensus::agent

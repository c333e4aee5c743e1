/* SPDX-License-Identifier: Apache-2.0 */
#include "agent/recording_file.h"

#include <algorithm>
#include <cerrno>

#include <fcntl.h>
#include <sys/uio.h>
#include <unistd.h>

namespace opcensus::agent {
namespace {

constexpr std::size_t kChunkLimit = std::size_t{4} << 20U; /* a torn tail loses at most this */

}  // namespace

bool RecordingFile::open(const std::string& directory, const wire::FileHeader& header) noexcept {
  char host[256] = "host";
  gethostname(host, sizeof(host) - 1);
  path_ = directory + "/" + host + "_" + std::to_string(header.process_id) + ".ocrec";
  descriptor_ = ::open(path_.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_APPEND | O_CLOEXEC, 0644);
  return descriptor_ >= 0 && write_all(&header, sizeof(header));
}

bool RecordingFile::write_all(const void* data, std::size_t bytes) noexcept {
  const char* next = static_cast<const char*>(data);
  while (bytes > 0) {
    const ssize_t written = ::write(descriptor_, next, bytes);
    if (written < 0 && errno == EINTR) {
      continue;
    }
    if (written <= 0) {
      ::close(descriptor_);
      descriptor_ = -1;
      return false;
    }
    next += written;
    bytes -= static_cast<std::size_t>(written);
  }
  return true;
}

bool RecordingFile::append(wire::ChunkType type,
                           const void* payload,
                           std::size_t bytes,
                           std::size_t record_bytes) noexcept {
  const std::size_t limit = std::max(record_bytes, kChunkLimit / record_bytes * record_bytes);
  const char* next = static_cast<const char*>(payload);
  while (bytes > 0 && is_open()) {
    const std::size_t part = std::min(bytes, limit);
    const wire::ChunkHeader header{static_cast<std::uint32_t>(type),
                                   static_cast<std::uint32_t>(part)};
    if (!write_all(&header, sizeof(header)) || !write_all(next, part)) {
      return false;
    }
    next += part;
    bytes -= part;
  }
  return is_open();
}

}  // namespace opcensus::agent

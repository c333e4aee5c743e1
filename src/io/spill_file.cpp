// SPDX-License-Identifier: Apache-2.0
#include "src/io/spill_file.h"

#include <cerrno>
#include <cstdlib>
#include <string>
#include <system_error>
#include <utility>

#include <unistd.h>

namespace opcensus {
namespace {

Error spill_error(ErrorCode code, const char* what, int number) {
  return Error{code,
               std::string(what) + ": " + std::generic_category().message(number),
               "",
               {},
               "set TMPDIR to a folder with more room"};
}

}  // namespace

std::string temporary_folder() {
  // NOLINTNEXTLINE(concurrency-mt-unsafe): nothing here changes the environment
  const char* folder = std::getenv("TMPDIR");
  return folder == nullptr || *folder == '\0' ? "/tmp" : folder;
}

Result<SpillFile> SpillFile::create(const std::string& folder) {
  std::string path = folder + "/opcensus-XXXXXX";
  const int descriptor = ::mkstemp(path.data());
  if (descriptor < 0) {
    return spill_error(
        ErrorCode::Unwritable, "a temporary file for a long trace cannot be made", errno);
  }
  ::unlink(path.c_str());
  return SpillFile(descriptor);
}

SpillFile::SpillFile(SpillFile&& other) noexcept
    : descriptor_(std::exchange(other.descriptor_, -1)), size_(other.size_) {}

SpillFile& SpillFile::operator=(SpillFile&& other) noexcept {
  std::swap(descriptor_, other.descriptor_);
  std::swap(size_, other.size_);
  return *this;
}

SpillFile::~SpillFile() {
  if (descriptor_ >= 0) {
    ::close(descriptor_);
  }
}

Result<std::uint64_t> SpillFile::append(std::span<const std::byte> bytes) {
  const std::uint64_t begin = size_;
  while (!bytes.empty()) {
    const ssize_t count =
        ::pwrite(descriptor_, bytes.data(), bytes.size(), static_cast<off_t>(size_));
    if (count < 0 && errno == EINTR) {
      continue;
    }
    if (count <= 0) {
      return spill_error(ErrorCode::Unwritable,
                         "a temporary file for a long trace cannot be written",
                         count == 0 ? ENOSPC : errno);
    }
    size_ += static_cast<std::uint64_t>(count);
    bytes = bytes.subspan(static_cast<std::size_t>(count));
  }
  return begin;
}

Status SpillFile::read(std::uint64_t offset, std::span<std::byte> buffer) const {
  while (!buffer.empty()) {
    const ssize_t count =
        ::pread(descriptor_, buffer.data(), buffer.size(), static_cast<off_t>(offset));
    if (count < 0 && errno == EINTR) {
      continue;
    }
    if (count <= 0) {
      return spill_error(ErrorCode::Unreadable,
                         "a temporary file for a long trace cannot be read",
                         count == 0 ? EIO : errno);
    }
    offset += static_cast<std::uint64_t>(count);
    buffer = buffer.subspan(static_cast<std::size_t>(count));
  }
  return Done{};
}

}  // namespace opcensus

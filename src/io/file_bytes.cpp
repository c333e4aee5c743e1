// SPDX-License-Identifier: Apache-2.0
#include "src/io/file_bytes.h"

#include <algorithm>
#include <cerrno>
#include <system_error>
#include <utility>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace opcensus {
namespace {

// read(2) transfers at most 0x7ffff000 bytes a call on Linux; a round number below it.
constexpr std::size_t kLargestRead = std::size_t{1} << 30U;

Error system_error(const std::string& path, int number) {
  Error error;
  error.code = number == ENOENT ? ErrorCode::NotFound : ErrorCode::Unreadable;
  error.message = std::generic_category().message(number);
  error.file = path;
  return error;
}

}  // namespace

Result<std::unique_ptr<FileBytes>> FileBytes::open(const std::string& path) {
  const int descriptor = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (descriptor < 0) {
    return system_error(path, errno);
  }

  struct stat status {};

  if (::fstat(descriptor, &status) == 0 && S_ISDIR(status.st_mode)) {
    ::close(descriptor);
    return system_error(path, EISDIR);
  }
  return std::unique_ptr<FileBytes>(new FileBytes(path, descriptor, true));
}

std::unique_ptr<FileBytes> FileBytes::standard_input() {
  return std::unique_ptr<FileBytes>(new FileBytes("-", STDIN_FILENO, false));
}

FileBytes::FileBytes(std::string path, int descriptor, bool owned)
    : path_(std::move(path)), descriptor_(descriptor), owned_(owned) {
  struct stat status {};

  if (::fstat(descriptor_, &status) == 0 && S_ISREG(status.st_mode)) {
    total_ = static_cast<std::uint64_t>(status.st_size);
    // Advice only: doubles the kernel's read-ahead. Nothing depends on its success.
    static_cast<void>(::posix_fadvise(descriptor_, 0, 0, POSIX_FADV_SEQUENTIAL));
  }
}

FileBytes::~FileBytes() {
  if (owned_) {
    ::close(descriptor_);
  }
}

Result<std::size_t> FileBytes::read(std::span<char> buffer) {
  std::size_t filled = 0;
  while (filled < buffer.size() && !at_end_ && !error_) {
    const std::size_t wanted = std::min(buffer.size() - filled, kLargestRead);
    const ssize_t count = ::read(descriptor_, buffer.data() + filled, wanted);
    if (count > 0) {
      filled += static_cast<std::size_t>(count);
    } else if (count == 0) {
      at_end_ = true;
    } else if (errno != EINTR) {
      error_ = system_error(path_, errno);
      error_->byte_offset = consumed_ + filled;
    }
  }
  consumed_ += filled;
  if (filled == 0 && error_) {
    return *error_;
  }
  return filled;
}

}  // namespace opcensus

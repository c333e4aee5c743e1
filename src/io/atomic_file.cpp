// SPDX-License-Identifier: Apache-2.0
#include "src/io/atomic_file.h"

#include <cerrno>
#include <filesystem>
#include <system_error>
#include <utility>

#include <fcntl.h>
#include <unistd.h>

namespace opcensus {
namespace {

// Below this much, text is collected before it is written.
constexpr std::size_t kBufferSize = std::size_t{64} << 10U;

Error unwritable(const std::string& path, std::string message) {
  Error error;
  error.code = ErrorCode::Unwritable;
  error.message = "cannot be written: " + std::move(message);
  error.file = path;
  error.hint = "choose another place for the output, or change its permissions";
  return error;
}

Error unwritable(const std::string& path, int number) {
  return unwritable(path, std::generic_category().message(number));
}

/// The file to replace: links resolved, so that a link stays a link.
Result<std::string> resolve_target(const std::string& path) {
  std::error_code failure;
  const auto status = std::filesystem::status(path, failure);
  if (!std::filesystem::exists(status)) {
    return path;
  }
  if (std::filesystem::is_directory(status)) {
    return unwritable(path, EISDIR);
  }
  if (!std::filesystem::is_regular_file(status)) {
    return unwritable(path, "not a regular file, so it cannot be replaced");
  }
  const auto resolved = std::filesystem::canonical(path, failure);
  if (failure) {
    return unwritable(path, failure.message());
  }
  return resolved.string();
}

struct TemporaryFile {
  std::string path;
  int descriptor = -1;
};

/// Not mkstemp(3): its mode is 0600, and an output should follow the umask.
Result<TemporaryFile> create_temporary(const std::filesystem::path& target,
                                       const std::string& path) {
  constexpr mode_t kMode = 0666;
  constexpr int kMostAttempts = 1000;
  const std::string stem = (target.parent_path() / ("." + target.filename().string())).string() +
                           "." + std::to_string(::getpid()) + "-";
  for (int attempt = 0; attempt < kMostAttempts; ++attempt) {
    TemporaryFile file;
    file.path = stem + std::to_string(attempt) + ".tmp";
    file.descriptor = ::open(file.path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, kMode);
    if (file.descriptor >= 0) {
      return file;
    }
    if (errno != EEXIST) {
      break;
    }
  }
  return unwritable(path, errno);
}

/// Makes the rename itself durable. A file system that cannot do so is no reason to fail.
void sync_folder_of(const std::string& target) {
  const std::filesystem::path parent = std::filesystem::path(target).parent_path();
  const std::string folder = parent.empty() ? "." : parent.string();
  const int descriptor = ::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (descriptor >= 0) {
    static_cast<void>(::fsync(descriptor));
    ::close(descriptor);
  }
}

}  // namespace

Result<AtomicFile> AtomicFile::create(const std::string& path) {
  OPCENSUS_TRY(std::string target, resolve_target(path));
  OPCENSUS_TRY(TemporaryFile file, create_temporary(target, path));
  return AtomicFile(path, std::move(target), std::move(file.path), file.descriptor);
}

AtomicFile::AtomicFile(std::string path,
                       std::string target,
                       std::string temporary_path,
                       int descriptor)
    : path_(std::move(path)),
      target_(std::move(target)),
      temporary_path_(std::move(temporary_path)),
      descriptor_(descriptor) {}

AtomicFile::AtomicFile(AtomicFile&& other) noexcept
    : path_(std::move(other.path_)),
      target_(std::move(other.target_)),
      temporary_path_(std::move(other.temporary_path_)),
      buffer_(std::move(other.buffer_)),
      descriptor_(std::exchange(other.descriptor_, -1)) {}

AtomicFile& AtomicFile::operator=(AtomicFile&& other) noexcept {
  if (this != &other) {
    discard();
    path_ = std::move(other.path_);
    target_ = std::move(other.target_);
    temporary_path_ = std::move(other.temporary_path_);
    buffer_ = std::move(other.buffer_);
    descriptor_ = std::exchange(other.descriptor_, -1);
  }
  return *this;
}

AtomicFile::~AtomicFile() {
  discard();
}

Status AtomicFile::write(std::string_view text) {
  if (descriptor_ < 0) {
    return unwritable(path_, EBADF);
  }
  buffer_ += text;
  if (buffer_.size() >= kBufferSize) {
    return flush();
  }
  return Done{};
}

Status AtomicFile::flush() {
  std::string_view left = buffer_;
  while (!left.empty()) {
    const ssize_t count = ::write(descriptor_, left.data(), left.size());
    if (count >= 0) {
      left.remove_prefix(static_cast<std::size_t>(count));
    } else if (errno != EINTR) {
      return fail(errno);
    }
  }
  buffer_.clear();
  return Done{};
}

Status AtomicFile::commit() {
  if (descriptor_ < 0) {
    return unwritable(path_, EBADF);
  }
  OPCENSUS_CHECK_OK(flush());
  if (::fsync(descriptor_) != 0) {
    return fail(errno);
  }
  // close(2) may report a late write error (network file systems); the descriptor is gone anyhow.
  if (::close(std::exchange(descriptor_, -1)) != 0) {
    return fail(errno);
  }
  if (::rename(temporary_path_.c_str(), target_.c_str()) != 0) {
    return fail(errno);
  }
  sync_folder_of(target_);
  return Done{};
}

Error AtomicFile::fail(int number) {
  ::unlink(temporary_path_.c_str());
  if (descriptor_ >= 0) {
    ::close(std::exchange(descriptor_, -1));
  }
  return unwritable(path_, number);
}

void AtomicFile::discard() {
  if (descriptor_ >= 0) {
    ::unlink(temporary_path_.c_str());
    ::close(std::exchange(descriptor_, -1));
  }
}

Status write_file_atomically(const std::string& path, std::string_view text) {
  OPCENSUS_TRY(AtomicFile file, AtomicFile::create(path));
  OPCENSUS_CHECK_OK(file.write(text));
  return file.commit();
}

Status check_writable_directory(const std::string& path) {
  std::error_code failure;
  std::filesystem::create_directories(path, failure);
  if (failure) {
    return unwritable(path, failure.message());
  }
  const std::string probe = (std::filesystem::path(path) / "probe").string();
  OPCENSUS_TRY(TemporaryFile file, create_temporary(probe, path));
  ::unlink(file.path.c_str());
  ::close(file.descriptor);
  return Done{};
}

}  // namespace opcensus

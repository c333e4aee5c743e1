// SPDX-License-Identifier: Apache-2.0
//
// AtomicFile: an output that is there as a whole or not at all. It is written under a temporary
// name in the folder of its target, and renamed over the target by commit(); before that, the
// target is untouched, and a failure or the destructor removes the temporary file.
#pragma once

#include <string>
#include <string_view>

#include "opcensus/result.h"

namespace opcensus {

class AtomicFile {
 public:
  /// Errors: Unwritable (no such folder, no permission, or the target is not a regular file).
  /// A symbolic link stays: the file it names is replaced.
  [[nodiscard]] static Result<AtomicFile> create(const std::string& path);

  AtomicFile(AtomicFile&& other) noexcept;
  AtomicFile& operator=(AtomicFile&& other) noexcept;
  AtomicFile(const AtomicFile&) = delete;
  AtomicFile& operator=(const AtomicFile&) = delete;
  ~AtomicFile();

  /// Appends. After an Error the file is removed, and every further call is an Error.
  Status write(std::string_view text);

  /// Writes all to the disk and puts the file in its place. Call once.
  Status commit();

  /// For a library that writes by itself (SQLite): it may open this path, which is an empty file,
  /// and must be done with it before commit(). Do not mix with write().
  [[nodiscard]] const std::string& temporary_path() const { return temporary_path_; }

 private:
  AtomicFile(std::string path, std::string target, std::string temporary_path, int descriptor);

  Status flush();
  Error fail(int number);
  void discard();

  std::string path_;    ///< as given, for messages
  std::string target_;  ///< path_ with links resolved
  std::string temporary_path_;
  std::string buffer_;
  int descriptor_ = -1;  ///< -1: committed, discarded or moved from
};

/// Writes a whole file. The same as create, write and commit.
[[nodiscard]] Status write_file_atomically(const std::string& path, std::string_view text);

/// Creates the folder, and its parents, where missing, and proves that a file can be made in it.
/// For outputs: before the work starts, not after it.
[[nodiscard]] Status check_writable_directory(const std::string& path);

}  // namespace opcensus

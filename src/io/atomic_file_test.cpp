// SPDX-License-Identifier: Apache-2.0
#include "src/io/atomic_file.h"

#include <filesystem>
#include <iterator>
#include <string>
#include <utility>

#include <gtest/gtest.h>
#include <sys/stat.h>

#include "tests/support/temporary_folder.h"

namespace opcensus {
namespace {

using testing::read_file;
using testing::TemporaryFolder;

std::ptrdiff_t entries_in(const std::filesystem::path& folder) {
  return std::distance(std::filesystem::directory_iterator(folder),
                       std::filesystem::directory_iterator());
}

TEST(AtomicFile, ReplacesItsTargetAtCommitAndNotBefore) {
  const TemporaryFolder folder;
  const std::string path = folder.write("out.csv", "old");
  auto file = AtomicFile::create(path);
  ASSERT_TRUE(file.has_value());
  ASSERT_TRUE(file->write("new ").has_value());
  ASSERT_TRUE(file->write(std::string(200'000, 'x')).has_value());
  EXPECT_EQ(read_file(path), "old");
  ASSERT_TRUE(file->commit().has_value());
  EXPECT_EQ(read_file(path), "new " + std::string(200'000, 'x'));
  EXPECT_EQ(entries_in(folder.path()), 1);
}

TEST(AtomicFile, LeavesNothingBehindWithoutCommit) {
  const TemporaryFolder folder;
  {
    auto file = AtomicFile::create(folder / "out.csv");
    ASSERT_TRUE(file.has_value());
    ASSERT_TRUE(file->write("text").has_value());
    EXPECT_EQ(entries_in(folder.path()), 1);
  }
  EXPECT_EQ(entries_in(folder.path()), 0);
}

TEST(AtomicFile, MovingHandsTheFileOver) {
  const TemporaryFolder folder;
  auto first = AtomicFile::create(folder / "first");
  auto second = AtomicFile::create(folder / "second");
  ASSERT_TRUE(first.has_value());
  ASSERT_TRUE(second.has_value());
  ASSERT_TRUE(first->write("1").has_value());
  *second = std::move(*first);  // drops the temporary file of "second"
  EXPECT_EQ(entries_in(folder.path()), 1);
  ASSERT_TRUE(second->commit().has_value());
  EXPECT_EQ(read_file(folder / "first"), "1");
  EXPECT_FALSE(second->commit().has_value());
  EXPECT_FALSE(second->write("late").has_value());
  EXPECT_EQ(entries_in(folder.path()), 1);
}

TEST(AtomicFile, AnotherWriterMayFillTheTemporaryPath) {
  const TemporaryFolder folder;
  auto file = AtomicFile::create(folder / "run.census");
  ASSERT_TRUE(file.has_value());
  static_cast<void>(
      folder.write(std::filesystem::path(file->temporary_path()).filename().string(), "database"));
  ASSERT_TRUE(file->commit().has_value());
  EXPECT_EQ(read_file(folder / "run.census"), "database");
}

TEST(AtomicFile, TwoForOneTargetDoNotMeet) {
  const TemporaryFolder folder;
  auto first = AtomicFile::create(folder / "out");
  auto second = AtomicFile::create(folder / "out");
  ASSERT_TRUE(first.has_value());
  ASSERT_TRUE(second.has_value());
  EXPECT_NE(first->temporary_path(), second->temporary_path());
}

TEST(AtomicFile, AFailedRenameRemovesTheTemporaryFile) {
  const TemporaryFolder folder;
  auto file = AtomicFile::create(folder / "out");
  ASSERT_TRUE(file.has_value());
  std::filesystem::create_directory(folder / "out");
  const Status status = file->commit();
  ASSERT_FALSE(status.has_value());
  EXPECT_EQ(status.error().code, ErrorCode::Unwritable);
  EXPECT_EQ(status.error().file, folder / "out");
  EXPECT_EQ(entries_in(folder.path()), 1);
}

TEST(AtomicFile, ALinkStaysALink) {
  const TemporaryFolder folder;
  const std::string target = folder.write("target", "old");
  std::filesystem::create_symlink(target, folder / "link");
  ASSERT_TRUE(write_file_atomically(folder / "link", "new").has_value());
  EXPECT_TRUE(std::filesystem::is_symlink(folder / "link"));
  EXPECT_EQ(read_file(target), "new");
}

TEST(AtomicFile, TheModeFollowsTheUmask) {
  const TemporaryFolder folder;
  const mode_t mask = ::umask(022);
  const Status status = write_file_atomically(folder / "out", "x");
  ::umask(mask);
  ASSERT_TRUE(status.has_value());
  EXPECT_EQ(std::filesystem::status(folder / "out").permissions(), std::filesystem::perms{0644});
}

TEST(AtomicFile, WhatIsNoRegularFileIsNotReplaced) {
  const TemporaryFolder folder;
  for (const std::string& path : {std::string("/dev/null"), folder.path().string()}) {
    const auto file = AtomicFile::create(path);
    ASSERT_FALSE(file.has_value()) << path;
    EXPECT_EQ(file.error().code, ErrorCode::Unwritable);
    EXPECT_EQ(file.error().file, path);
    EXPECT_FALSE(file.error().message.empty());
  }
}

TEST(AtomicFile, AMissingFolderIsUnwritable) {
  const TemporaryFolder folder;
  const auto file = AtomicFile::create(folder / "missing/out");
  ASSERT_FALSE(file.has_value());
  EXPECT_EQ(file.error().code, ErrorCode::Unwritable);
  EXPECT_EQ(file.error().message, "cannot be written: No such file or directory");
}

TEST(CheckWritableDirectory, CreatesTheFolderAndLeavesItEmpty) {
  const TemporaryFolder folder;
  ASSERT_TRUE(check_writable_directory(folder / "a/b").has_value());
  EXPECT_TRUE(std::filesystem::is_directory(folder / "a/b"));
  EXPECT_EQ(entries_in(folder / "a/b"), 0);
  EXPECT_TRUE(check_writable_directory(folder / "a/b").has_value());
}

TEST(CheckWritableDirectory, AFileInTheWayIsUnwritable) {
  const TemporaryFolder folder;
  const std::string file = folder.write("file", "x");
  for (const std::string& path : {file, file + "/below"}) {
    const Status status = check_writable_directory(path);
    ASSERT_FALSE(status.has_value()) << path;
    EXPECT_EQ(status.error().code, ErrorCode::Unwritable);
    EXPECT_EQ(status.error().file, path);
  }
  EXPECT_EQ(read_file(file), "x");
}

TEST(CheckWritableDirectory, AFolderThatTakesNoFilesIsUnwritable) {
  const Status status = check_writable_directory("/proc");  // not even for root
  ASSERT_FALSE(status.has_value());
  EXPECT_EQ(status.error().code, ErrorCode::Unwritable);
}

}  // namespace
}  // namespace opcensus

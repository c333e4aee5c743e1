// SPDX-License-Identifier: Apache-2.0
#include "src/launch/recording_folder.h"

#include <filesystem>

#include <gtest/gtest.h>

#include "tests/support/temporary_folder.h"

namespace opcensus {
namespace {

TEST(RecordingFolder, IsCreatedWithItsParents) {
  const testing::TemporaryFolder folder;
  const auto prepared = prepare_recording_folder(folder / "a/b", false);
  ASSERT_TRUE(prepared);
  EXPECT_TRUE(std::filesystem::is_directory(*prepared));
  EXPECT_TRUE(std::filesystem::path(*prepared).is_absolute());
}

TEST(RecordingFolder, WithOtherFilesIsUsed) {
  const testing::TemporaryFolder folder;
  const std::string notes = folder.write("notes.txt", "mine");
  ASSERT_TRUE(prepare_recording_folder(folder.path().string(), false));
  EXPECT_EQ(testing::read_file(notes), "mine");
}

TEST(RecordingFolder, WithRecordingsIsRefusedAndUntouched) {
  const testing::TemporaryFolder folder;
  const std::string recording = folder.write("1.ocrec", "old");
  const auto prepared = prepare_recording_folder(folder.path().string(), false);
  ASSERT_FALSE(prepared);
  EXPECT_EQ(prepared.error().code, ErrorCode::Conflict);
  EXPECT_EQ(testing::read_file(recording), "old");
}

TEST(RecordingFolder, ForceRemovesTheRecordingsAlone) {
  const testing::TemporaryFolder folder;
  static_cast<void>(folder.write("1.ocrec", "old"));
  const std::string notes = folder.write("notes.txt", "mine");
  ASSERT_TRUE(prepare_recording_folder(folder.path().string(), true));
  EXPECT_EQ(count_recordings(folder.path().string()).count, 0U);
  EXPECT_EQ(testing::read_file(notes), "mine");
}

TEST(RecordingFolder, BelowAFileIsAnError) {
  const testing::TemporaryFolder folder;
  const std::string file = folder.write("file", "");
  const auto prepared = prepare_recording_folder(file + "/run", false);
  ASSERT_FALSE(prepared);
  EXPECT_EQ(prepared.error().code, ErrorCode::Unwritable);
}

TEST(RecordingFolder, CountsRecordingsAndBytes) {
  const testing::TemporaryFolder folder;
  static_cast<void>(folder.write("1.ocrec", "12345"));
  static_cast<void>(folder.write("2.ocrec", "123"));
  static_cast<void>(folder.write("2.ocrec.part", "1"));
  const RecordingFiles files = count_recordings(folder.path().string());
  EXPECT_EQ(files.count, 2U);
  EXPECT_EQ(files.bytes, 8U);
  EXPECT_EQ(count_recordings(folder / "missing").count, 0U);
}

}  // namespace
}  // namespace opcensus

// SPDX-License-Identifier: Apache-2.0
#include "src/io/byte_source.h"

#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <unistd.h>

#include "src/io/gzip_test_data.h"
#include "src/io/io_test_support.h"

#include "tests/support/temporary_folder.h"

namespace opcensus {
namespace {

using testing::flip_bit;
using testing::gzip;
using testing::mentions;
using testing::read_all;
using testing::Reading;
using testing::TemporaryFolder;
using testing::trace_like_text;

TEST(ByteSource, ReadsAPlainFileAndCountsItsBytes) {
  const TemporaryFolder folder;
  const std::string content = trace_like_text(300'000);
  auto source = open_bytes(folder.write("trace.json", content));
  ASSERT_TRUE(source.has_value());
  EXPECT_EQ((*source)->total(), content.size());
  const Reading reading = read_all(**source);
  EXPECT_EQ(reading.content, content);
  EXPECT_FALSE(reading.error.has_value());
  EXPECT_EQ((*source)->consumed(), content.size());
  EXPECT_EQ((*source)->trailing_bytes(), 0U);
}

TEST(ByteSource, AnEmptyFileEndsAtOnce) {
  const TemporaryFolder folder;
  auto source = open_bytes(folder.write("empty", ""));
  ASSERT_TRUE(source.has_value());
  const Reading reading = read_all(**source);
  EXPECT_EQ(reading.content, "");
  EXPECT_FALSE(reading.error.has_value());
}

TEST(ByteSource, AMissingFileIsNotFound) {
  const TemporaryFolder folder;
  const auto source = open_bytes(folder / "missing");
  ASSERT_FALSE(source.has_value());
  EXPECT_EQ(source.error().code, ErrorCode::NotFound);
  EXPECT_EQ(source.error().message, "No such file or directory");
  EXPECT_EQ(source.error().file, folder / "missing");
}

TEST(ByteSource, AFolderIsUnreadable) {
  const TemporaryFolder folder;
  const auto source = open_bytes(folder.path().string());
  ASSERT_FALSE(source.has_value());
  EXPECT_EQ(source.error().code, ErrorCode::Unreadable);
  EXPECT_EQ(source.error().message, "Is a directory");
}

TEST(ByteSource, AFileWithoutPermissionIsUnreadable) {
  if (::geteuid() == 0) {
    GTEST_SKIP() << "root may read everything";
  }
  const TemporaryFolder folder;
  const std::string path = folder.write("secret", "x");
  std::filesystem::permissions(path, std::filesystem::perms::none);
  const auto source = open_bytes(path);
  ASSERT_FALSE(source.has_value());
  EXPECT_EQ(source.error().code, ErrorCode::Unreadable);
  EXPECT_EQ(source.error().message, "Permission denied");
}

TEST(ByteSource, AWrongLengthComesAfterTheContent) {
  const std::string content = trace_like_text(500'000);
  const std::string packed = gzip(content);
  const Reading reading = read_all(flip_bit(packed, packed.size() - 1));
  EXPECT_EQ(reading.content, content);
  ASSERT_TRUE(reading.error.has_value());
  EXPECT_EQ(reading.error->code, ErrorCode::Damaged);
  EXPECT_TRUE(mentions(reading.error->message, "length")) << reading.error->message;
}

TEST(ByteSource, DamageKeepsWhatInflatedBeforeIt) {
  const std::string content = trace_like_text(400'000);
  const std::string packed = gzip(content);
  for (std::size_t at = 1'000; at < packed.size(); at += packed.size() / 37) {
    const std::string bad = flip_bit(packed, at);
    const Reading large = read_all(bad);
    const Reading small = read_all(bad, 333);
    ASSERT_TRUE(large.error.has_value()) << at;
    EXPECT_EQ(large.error->code, ErrorCode::Damaged);
    EXPECT_EQ(large.error->byte_offset, large.content.size());
    EXPECT_EQ(large.content, small.content) << at;
    // At least what the bytes before the damage hold, but for ISA-L's read-ahead.
    const std::size_t intact = read_all(std::string_view(packed).substr(0, at)).content.size();
    EXPECT_GE(large.content.size() + 300, intact) << at;
  }
}

TEST(ByteSource, SurvivesDamageAfterWhichTheLibraryMiscounts) {
  // Found by fuzzing: an invalid distance, upon which ISA-L reports more input left than there was.
  const std::string bad(
      "\x1f\x8b\x08\x00\x8e\x3a\x0d\x6b\x02\xff\xd3\xd5\x25\x0b\xff\xff\xff\x25\x03"
      "\0\0\0\0\0\0\0\0\0",
      28);
  const Reading reading = read_all(bad);
  ASSERT_TRUE(reading.error.has_value());
  EXPECT_EQ(reading.error->code, ErrorCode::Damaged);
  EXPECT_EQ(reading.error->byte_offset, reading.content.size());
}

TEST(ByteSource, OtherCompressionsAreNamed) {
  for (const auto& [magic, name] : std::vector<std::pair<std::string, std::string>>{
           {std::string("\xfd\x37\x7a\x58\x5a\x00", 6), "xz"},
           {"BZh9", "bzip2"},
           {"PK\x03\x04", "zip"}}) {
    const Reading reading = read_all(magic + "rest");
    ASSERT_TRUE(reading.error.has_value()) << name;
    EXPECT_EQ(reading.error->code, ErrorCode::UnsupportedFormat);
    EXPECT_TRUE(mentions(reading.error->message, name)) << reading.error->message;
    EXPECT_FALSE(reading.error->hint.empty());
  }
}

}  // namespace
}  // namespace opcensus

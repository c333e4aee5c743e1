// SPDX-License-Identifier: Apache-2.0
#include "src/io/spill_file.h"

#include <array>
#include <string>
#include <utility>

#include <gtest/gtest.h>

namespace opcensus {
namespace {

std::span<const std::byte> bytes_of(const std::string& text) {
  return std::as_bytes(std::span(text.data(), text.size()));
}

TEST(SpillFile, GivesBackWhatWasAppended) {
  auto created = SpillFile::create();
  ASSERT_TRUE(created);
  SpillFile file = std::move(created).value();
  EXPECT_EQ(file.append(bytes_of("first")).value(), 0U);
  EXPECT_EQ(file.append(bytes_of("second")).value(), 5U);
  std::array<char, 6> text{};
  ASSERT_TRUE(file.read(5, std::as_writable_bytes(std::span(text))));
  EXPECT_EQ(std::string(text.data(), text.size()), "second");
}

TEST(SpillFile, ReadingPastTheEndIsAnError) {
  auto file = SpillFile::create();
  ASSERT_TRUE(file);
  ASSERT_TRUE(file->append(bytes_of("abc")));
  std::array<char, 4> text{};
  EXPECT_EQ(file->read(0, std::as_writable_bytes(std::span(text))).error().code,
            ErrorCode::Unreadable);
}

TEST(SpillFile, AFolderThatIsNotThereIsNamedAsTheProblem) {
  const auto file = SpillFile::create("/no/such/folder");
  ASSERT_FALSE(file);
  EXPECT_EQ(file.error().code, ErrorCode::Unwritable);
  EXPECT_NE(file.error().hint.find("TMPDIR"), std::string::npos);
}

}  // namespace
}  // namespace opcensus

// SPDX-License-Identifier: Apache-2.0
#include "src/report/display_width.h"

#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace opcensus {
namespace {

TEST(DisplayWidth, CountsColumns) {
  EXPECT_EQ(display_width("abc"), 3U);
  EXPECT_EQ(display_width("µs·…"), 4U);
  EXPECT_EQ(display_width("模型"), 4U);
  EXPECT_EQ(display_width("e\u0301"), 1U);
  EXPECT_EQ(display_width("\U0001F600"), 2U);
}

TEST(ShortenMiddle, KeepsBothEnds) {
  EXPECT_EQ(shorten_middle("abcdefghij", 10), "abcdefghij");
  EXPECT_EQ(shorten_middle("abcdefghij", 9), "abcd…ghij");
  EXPECT_EQ(shorten_middle("abcdefghij", 6), "abc…ij");
  EXPECT_EQ(shorten_middle("abcdefghij", 1), "…");
}

TEST(ShortenMiddle, NeverSplitsACharacter) {
  const std::string wide = "模型模型模型";
  for (std::size_t width = 1; width <= 12; ++width) {
    const std::string shortened = shorten_middle(wide, width);
    EXPECT_LE(display_width(shortened), width);
    EXPECT_EQ(shortened.find("\uFFFD"), std::string::npos);
  }
  EXPECT_EQ(shorten_middle(wide, 5), "模…型");
}

TEST(WrapText, BreaksAtSpaces) {
  EXPECT_EQ(wrap_text("one two three", 7), (std::vector<std::string>{"one two", "three"}));
  EXPECT_EQ(wrap_text("one two three", 0), (std::vector<std::string>{"one two three"}));
  EXPECT_EQ(wrap_text("", 5), (std::vector<std::string>{""}));
}

TEST(WrapText, BreaksALongWordWithoutLosingAnything) {
  EXPECT_EQ(wrap_text("abcdefghij", 4), (std::vector<std::string>{"abcd", "efgh", "ij"}));
  EXPECT_EQ(wrap_text("ab cdefghij", 4), (std::vector<std::string>{"ab", "cdef", "ghij"}));
  EXPECT_EQ(wrap_text("模型模", 3), (std::vector<std::string>{"模", "型", "模"}));
}

}  // namespace
}  // namespace opcensus

// SPDX-License-Identifier: Apache-2.0
#include "src/base/string_table.h"

#include <string>
#include <string_view>
#include <utility>

#include <gtest/gtest.h>

namespace opcensus {
namespace {

TEST(StringTable, EqualTextsShareAnIdAndIdsAreDense) {
  StringTable table;
  EXPECT_EQ(table.intern("aten::mm").index(), 0U);
  EXPECT_EQ(table.intern("aten::add").index(), 1U);
  EXPECT_EQ(table.intern("aten::mm").index(), 0U);
  EXPECT_EQ(table.size(), 2U);
}

TEST(StringTable, KeepsTextsByteForByte) {
  StringTable table;
  const std::string text("a\0b\xff\n", 5);
  EXPECT_EQ(table.view(table.intern(text)), text);
  EXPECT_NE(table.intern(text), table.intern(text.substr(0, 1)));
}

TEST(StringTable, TheEmptyTextIsNotNone) {
  StringTable table;
  const StringId empty = table.intern("");
  EXPECT_TRUE(empty.has_value());
  EXPECT_EQ(table.view(empty), "");
  EXPECT_EQ(table.view(StringId::none()), "");
}

TEST(StringTable, FindDoesNotIntern) {
  StringTable table;
  EXPECT_TRUE(table.find("aten::mm").is_none());
  EXPECT_EQ(table.size(), 0U);
  const StringId id = table.intern("aten::mm");
  EXPECT_EQ(table.find("aten::mm"), id);
}

TEST(StringTable, ViewsStayValidWhileItGrowsAndMoves) {
  StringTable table;
  const std::string_view first = table.view(table.intern("short"));
  for (int i = 0; i < 10'000; ++i) {
    table.intern(std::to_string(i));
  }
  const StringTable moved = std::move(table);
  EXPECT_EQ(first, "short");
  EXPECT_EQ(moved.view(moved.find("short")).data(), first.data());
}

}  // namespace
}  // namespace opcensus

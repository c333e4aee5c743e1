// SPDX-License-Identifier: Apache-2.0
#include "src/report/table_text.h"

#include <gtest/gtest.h>

namespace opcensus {
namespace {

TextTable example_table() {
  TextColumn number{"n", true, false, 0, 0, TextStyle::Plain};
  TextColumn text{"words", false, false, 2, 6, TextStyle::Plain};
  TextColumn name{"name", false, true, 1, 5, TextStyle::Dim};
  TextTable table({number, text, name});
  table.add_row({"1", "one two three", "abcdefghij"});
  table.add_row({"22", "", ""});
  return table;
}

TEST(TextTable, AlignsAndLeavesNoTrailingSpaces) {
  EXPECT_EQ(example_table().render(0, 1, false),
            "  n  words          name\n"
            "  1  one two three  abcdefghij\n"
            " 22\n");
}

TEST(TextTable, NarrowsInTheStatedOrder) {
  EXPECT_EQ(example_table().render(25, 1, false),
            "  n  words          name\n"
            "  1  one two three  ab…ij\n"
            " 22\n");
  EXPECT_EQ(example_table().render(19, 1, false),
            "  n  words    name\n"
            "  1  one two  ab…ij\n"
            "     three\n"
            " 22\n");
}

TEST(TextTable, ShowsDetailsUnderTheLastColumn) {
  TextTable table({TextColumn{"a"}, TextColumn{"b"}});
  table.add_row({"x", "y"});
  table.add_detail("0123456789");
  EXPECT_EQ(table.render(0, 2, false), "  a  b\n  x  y\n     0123456789\n");
  EXPECT_EQ(table.render(10, 2, false), "  a  b\n  x  y\n     01…89\n");
}

TEST(TextTable, ColoursTextAndNotBlanks) {
  TextTable table({TextColumn{}, TextColumn{"", true, false, 0, 0, TextStyle::Dim}});
  table.add_row({"a", "1"});
  table.add_row({"bbb", "22"}, TextStyle::Failure);
  EXPECT_EQ(table.render(0, 0, true),
            "a     \x1b[2m1\x1b[0m\n"
            "\x1b[1;31mbbb\x1b[0m  \x1b[1;31m22\x1b[0m\n");
}

}  // namespace
}  // namespace opcensus

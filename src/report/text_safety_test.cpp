// SPDX-License-Identifier: Apache-2.0
#include "src/report/text_safety.h"

#include <string>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace opcensus {
namespace {

TEST(SafeText, LeavesOrdinaryNamesAlone) {
  EXPECT_EQ(safe_text("aten::mm"), "aten::mm");
  EXPECT_EQ(safe_text("каталог 模型 é"), "каталог 模型 é");
  EXPECT_EQ(safe_text(""), "");
}

TEST(SafeText, ShowsControlCharacters) {
  EXPECT_EQ(safe_text("a\nb\tc\rd"), "a\\nb\\tc\\rd");
  EXPECT_EQ(safe_text("\x1b[31m\x7f"), "\\x1b[31m\\x7f");
  EXPECT_EQ(safe_text(std::string("a\0b", 3)), "a\\x00b");
  EXPECT_EQ(safe_text("\u0085\u009b"), "\\u0085\\u009b");
}

TEST(SafeText, ShowsEveryDeceptiveCharacter) {
  EXPECT_EQ(safe_text("\u202a\u202e\u2066\u2069"), "\\u202a\\u202e\\u2066\\u2069");
  EXPECT_EQ(safe_text("\u200b\u200f\ufeff\u061c\u2028"), "\\u200b\\u200f\\ufeff\\u061c\\u2028");
  EXPECT_EQ(safe_text("\u2010\u2030"), "\u2010\u2030");
}

TEST(SafeText, ReplacesInvalidUtf8) {
  EXPECT_EQ(safe_text("a\xff"), "a\uFFFD");
  EXPECT_EQ(safe_text("\xc3"), "\uFFFD");                           // cut off
  EXPECT_EQ(safe_text("\xc0\xaf"), "\uFFFD\uFFFD");                 // overlong '/'
  EXPECT_EQ(safe_text("\xed\xa0\x80"), "\uFFFD\uFFFD\uFFFD");       // a surrogate
  EXPECT_EQ(safe_text("\xf4\x90\x80\x80").substr(0, 3), "\uFFFD");  // beyond Unicode
}

TEST(CsvTextCell, QuotesWhatRfc4180AsksFor) {
  EXPECT_EQ(csv_text_cell("aten::mm"), "aten::mm");
  EXPECT_EQ(csv_text_cell("a,b"), "\"a,b\"");
  EXPECT_EQ(csv_text_cell("say \"x\""), "\"say \"\"x\"\"\"");
  EXPECT_EQ(csv_text_cell("two\nlines"), "two\\nlines");
}

TEST(CsvTextCell, CannotBecomeAFormula) {
  EXPECT_EQ(csv_text_cell("=1+1"), "'=1+1");
  EXPECT_EQ(csv_text_cell("+1"), "'+1");
  EXPECT_EQ(csv_text_cell("-1"), "'-1");
  EXPECT_EQ(csv_text_cell("@f"), "'@f");
  EXPECT_EQ(csv_text_cell("\tx"), "'\\tx");
  EXPECT_EQ(csv_text_cell("\rx"), "'\\rx");
  EXPECT_EQ(csv_text_cell("=a,b"), "\"'=a,b\"");
  EXPECT_EQ(csv_text_cell("a=b"), "a=b");
}

TEST(JsonString, ReadsBackAsTheSameText) {
  for (const std::string text : {"plain", "q\"\\/\b\f\n\r\t\x01", "\u202e\u2066é模"}) {
    EXPECT_EQ(nlohmann::json::parse(json_string(text)).get<std::string>(), text);
  }
  EXPECT_EQ(json_string("\u202e"), "\"\\u202e\"");
  EXPECT_EQ(json_string("\xff"), "\"\uFFFD\"");
}

}  // namespace
}  // namespace opcensus

// SPDX-License-Identifier: Apache-2.0
#include "agent/nvtx_text.h"

#include <string>

#include <gtest/gtest.h>

namespace opcensus::agent {
namespace {

std::string split(std::string_view text) {
  const RangeText range = split_range_text(text);
  return std::string(range.name) + "|" + std::string(range.sizes) +
         (range.is_user_scope ? "|scope" : "");
}

TEST(RangeText, FieldsOfTorchAreNoPartOfTheName) {
  EXPECT_EQ(split("aten::mm, seq = 3, op_id = 5, sizes = [[8, 16], []], input_op_ids = [(4,0)]"),
            "aten::mm|[[8, 16], []]");
  EXPECT_EQ(split("aten::mm, seq = 3"), "aten::mm|");
  EXPECT_EQ(split("aten::mm, op_id = 5"), "aten::mm|");
  EXPECT_EQ(split("triton_poi_0, op_id = 5"), "triton_poi_0|");
  EXPECT_EQ(split("my scope, op_id = 5"), "my scope||scope");
}

TEST(RangeText, OthersTextsStayWhole) {
  for (const std::string text : {"step 7",
                                 "Thunk:#name=dot.3,hlo_op=dot.3#",
                                 "a, seq = b",
                                 "a, seq = 3 and more",
                                 ", seq = 3",
                                 ""}) {
    EXPECT_EQ(split(text), text + "|");
  }
}

TEST(RangeText, ALongNameIsCutBetweenCharacters) {
  EXPECT_EQ(split_range_text(std::string(600, 'x')).name.size(), 512U);
  for (std::size_t before = 505; before < 520; ++before) {
    const std::string text = std::string(before, 'x') + "\xf0\x9f\x98\x80" + std::string(20, 'y');
    const std::size_t expected = before > 508 && before < 512 ? before : 512;
    EXPECT_EQ(split_range_text(text).name.size(), expected) << before;
  }
  EXPECT_EQ(split_range_text(std::string(600, '\x80')).name.size(), 512U);  // no UTF-8 at all
}

TEST(RangeText, ShapesAreCompactOrNone) {
  EXPECT_EQ(shapes_json("[[8, 16], [], [-1]]"), "[[8,16],[],[-1]]");
  EXPECT_EQ(shapes_json("[[8,16]]"), "[[8,16]]");
  EXPECT_EQ(shapes_json("[]"), "[]");
  for (const char* text :
       {"", "[", "[[8, 16]", "[[8, 16]] ", "[[[1]]]", "[[a]]", "[[1,]]", "[1]"}) {
    EXPECT_EQ(shapes_json(text), "") << text;
  }
}

TEST(RangeText, AHostsTextIsReadToALimit) {
  EXPECT_EQ(host_text(static_cast<const char*>(nullptr)), "");
  EXPECT_EQ(host_text(static_cast<const wchar_t*>(nullptr)), "");
  EXPECT_EQ(host_text(std::string(100'000, 'x').c_str()).size(), kMaxTextBytes);
  EXPECT_EQ(host_text(std::wstring(100'000, L'x').c_str()).size(), kMaxTextBytes);
}

TEST(RangeText, WideTextsBecomeUtf8) {
  EXPECT_EQ(host_text(L"a\u00e4\u4e2d\U0001f600"), "a\xc3\xa4\xe4\xb8\xad\xf0\x9f\x98\x80");
  const wchar_t bad[] = {static_cast<wchar_t>(0xd800), static_cast<wchar_t>(0x7fffffff), 0};
  EXPECT_EQ(host_text(bad), "\xef\xbf\xbd\xef\xbf\xbd");
}

}  // namespace
}  // namespace opcensus::agent

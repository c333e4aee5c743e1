// SPDX-License-Identifier: Apache-2.0
#include "src/report/flat_json.h"

#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace opcensus {
namespace {

using Strings = std::vector<std::string>;

TEST(FlatObject, ReadsScalarsAndSkipsWhatIsNested) {
  const std::vector<FlatMember> members = parse_flat_object(
      R"({"a":13000,"n":{"x":[1,"]}"]},"b":"0.11","l":[1,2],"c":true,"d":4.10,"e":-3})");
  ASSERT_EQ(members.size(), 5U);
  EXPECT_EQ(members[0].name, "a");
  EXPECT_EQ(members[0].value, "13000");
  EXPECT_TRUE(members[0].is_number);
  EXPECT_EQ(members[1].value, "0.11");
  EXPECT_FALSE(members[1].is_number);
  EXPECT_EQ(members[2].value, "true");
  EXPECT_FALSE(members[2].is_number);
  EXPECT_TRUE(members[3].is_number);
  EXPECT_EQ(members[4].value, "-3");
}

TEST(FlatObject, WhatIsNoNumberIsText) {
  for (const char* json :
       {R"({"a":01})", R"({"a":1e5})", R"({"a":1.})", R"({"a":-})", R"({"a":NaN})"}) {
    const std::vector<FlatMember> members = parse_flat_object(json);
    ASSERT_EQ(members.size(), 1U) << json;
    EXPECT_FALSE(members[0].is_number) << json;
  }
}

TEST(FlatObject, GivesThePrefixOfADamagedText) {
  EXPECT_EQ(parse_flat_object(R"({"a":1,"b":"x)").size(), 1U);
  EXPECT_EQ(parse_flat_object(R"({"a":1,"b)").size(), 1U);
  EXPECT_EQ(parse_flat_object(R"({"a":{[)").size(), 0U);
  EXPECT_TRUE(parse_flat_object("").empty());
  EXPECT_TRUE(parse_flat_object("[1]").empty());
}

TEST(StringArray, DecodesEscapes) {
  EXPECT_EQ(parse_string_array(R"(["float","",  "a\"b\\\n\u00e9"])"),
            (Strings{"float", "", "a\"b\\\n\u00e9"}));
  EXPECT_EQ(parse_string_array(R"(["\ud83d"])"), (Strings{"\uFFFD"}));
  EXPECT_EQ(parse_string_array(R"([1,["x"],"y"])"), (Strings{"", "", "y"}));
}

TEST(StringArray, SurvivesDamage) {
  EXPECT_TRUE(parse_string_array("[]").empty());
  EXPECT_TRUE(parse_string_array("").empty());
  EXPECT_EQ(parse_string_array(R"(["a","b)"), (Strings{"a", ""}));
  EXPECT_EQ(parse_string_array(R"(["a\u00)"), (Strings{""}));
}

}  // namespace
}  // namespace opcensus

// SPDX-License-Identifier: Apache-2.0
#include "src/launch/window.h"

#include <gtest/gtest.h>

namespace opcensus {
namespace {

TEST(Window, TheFormsPass) {
  for (const char* text :
       {"all", "none", "launches=1", "launches=5..9", "seconds=30", "seconds=60..70"}) {
    const auto window = parse_window(text);
    ASSERT_TRUE(window) << text;
    EXPECT_EQ(*window, text);
  }
}

TEST(Window, NumbersTakeTheirShortestForm) {
  const auto window = parse_window("launches=007");
  ASSERT_TRUE(window);
  EXPECT_EQ(*window, "launches=7");
  const auto range = parse_window("seconds=0..05");
  ASSERT_TRUE(range);
  EXPECT_EQ(*range, "seconds=5");
}

TEST(Window, AnythingElseIsRefusedWithTheForms) {
  for (const char* text : {"",
                           "All",
                           "launches",
                           "launches=",
                           "launches=0",
                           "launches=-1",
                           "launches=1x",
                           "launches= 1",
                           "launches=5..5",
                           "launches=..5",
                           "seconds=7..6",
                           "seconds=1..2..3",
                           "launches=99999999999999999999",
                           "every=200",
                           "seconds=1.5"}) {
    const auto window = parse_window(text);
    ASSERT_FALSE(window) << text;
    EXPECT_EQ(window.error().code, ErrorCode::BadArgument);
    EXPECT_NE(window.error().hint.find("seconds=A..B"), std::string::npos);
  }
}

TEST(Window, SamplingTakesOneLaunchOfSeveral) {
  const auto sample = parse_sample("every=0200");
  ASSERT_TRUE(sample);
  EXPECT_EQ(*sample, "every=200");
  for (const char* text : {"", "200", "every=", "every=1", "every=0", "every=2..3", "launches=2"}) {
    EXPECT_FALSE(parse_sample(text)) << text;
  }
}

}  // namespace
}  // namespace opcensus

// SPDX-License-Identifier: Apache-2.0
#include "src/launch/window.h"

#include <gtest/gtest.h>

namespace opcensus {
namespace {

TEST(Window, TheFormsPass) {
  for (const char* text : {"all", "none", "launches=1", "every=200"}) {
    const auto window = parse_window(text);
    ASSERT_TRUE(window) << text;
    EXPECT_EQ(*window, text);
  }
}

TEST(Window, LeadingZerosGo) {
  const auto window = parse_window("launches=007");
  ASSERT_TRUE(window);
  EXPECT_EQ(*window, "launches=7");
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
                           "every=99999999999999999999",
                           "every=1.5"}) {
    const auto window = parse_window(text);
    ASSERT_FALSE(window) << text;
    EXPECT_EQ(window.error().code, ErrorCode::BadArgument);
    EXPECT_NE(window.error().hint.find("every=N"), std::string::npos);
  }
}

}  // namespace
}  // namespace opcensus

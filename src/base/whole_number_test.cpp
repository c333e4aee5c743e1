// SPDX-License-Identifier: Apache-2.0
#include "src/base/whole_number.h"

#include <cstdint>

#include <gtest/gtest.h>

namespace opcensus {
namespace {

TEST(ParseWhole, TakesAllOfTheText) {
  EXPECT_EQ(parse_whole<std::uint64_t>("18446744073709551615"), UINT64_MAX);
  EXPECT_EQ(parse_whole<std::int64_t>("-7"), -7);
  EXPECT_EQ(parse_whole<std::int32_t>("007"), 7);
}

TEST(ParseWhole, AnythingElseIsNone) {
  for (const char* text : {"", " 1", "1 ", "+1", "1.0", "0x1", "one", "-"}) {
    EXPECT_EQ(parse_whole<std::int64_t>(text), std::nullopt) << text;
  }
  EXPECT_EQ(parse_whole<std::uint64_t>("-1"), std::nullopt);
  EXPECT_EQ(parse_whole<std::int32_t>("2147483648"), std::nullopt);
}

}  // namespace
}  // namespace opcensus

// SPDX-License-Identifier: Apache-2.0
#include "src/analyze/percent.h"

#include <cstdint>
#include <limits>

#include <gtest/gtest.h>

namespace opcensus {
namespace {

TEST(Percent, RoundsHalfUpFromIntegers) {
  EXPECT_EQ(percent_text(1, 3, 6), "33.333333");
  EXPECT_EQ(percent_text(2, 3, 6), "66.666667");
  EXPECT_EQ(percent_text(1, 2000, 1), "0.1");
  EXPECT_EQ(percent_text(1, 2001, 1), "0.0");
  EXPECT_EQ(percent_text(1, 8, 0), "13");
}

TEST(Percent, IsExactBeyondDoubles) {
  const std::uint64_t most = std::numeric_limits<std::uint64_t>::max();
  EXPECT_EQ(percent_text(most, most, 6), "100.000000");
  EXPECT_EQ(percent_text(most - 1, most, 6), "100.000000");
  EXPECT_EQ(percent_text(most / 2, most, 2), "50.00");
}

TEST(Percent, NothingOfNothingIsZero) {
  EXPECT_EQ(percent_text(0, 0, 6), "0.000000");
  EXPECT_EQ(percent_text(Nanoseconds(-5), Nanoseconds(10), 1), "0.0");
}

}  // namespace
}  // namespace opcensus

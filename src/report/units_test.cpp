// SPDX-License-Identifier: Apache-2.0
#include "src/report/units.h"

#include <gtest/gtest.h>

namespace opcensus {
namespace {

TEST(Units, CountsHaveThousands) {
  EXPECT_EQ(format_count(0), "0");
  EXPECT_EQ(format_count(999), "999");
  EXPECT_EQ(format_count(1000), "1,000");
  EXPECT_EQ(format_count(1234567), "1,234,567");
}

TEST(Units, Bytes) {
  EXPECT_EQ(format_bytes(999), "999 B");
  EXPECT_EQ(format_bytes(582801), "583 kB");
  EXPECT_EQ(format_bytes(2491852), "2.5 MB");
  EXPECT_EQ(format_bytes(4'000'000'000), "4.0 GB");
}

TEST(Units, SharesNeverPretendNoneOrAll) {
  EXPECT_EQ(format_share(1, 4), "25.0 %");
  EXPECT_EQ(format_share(0, 10), "0.0 %");
  EXPECT_EQ(format_share(10, 10), "100.0 %");
  EXPECT_EQ(format_share(1, 100000), "<0.1 %");
  EXPECT_EQ(format_share(99999, 100000), ">99.9 %");
  EXPECT_EQ(format_share(Nanoseconds(1), Nanoseconds(100000)), "<0.1 %");
}

TEST(Units, TimesHaveFourSignificantDigits) {
  EXPECT_EQ(format_time(Nanoseconds(0)), "0 ns");
  EXPECT_EQ(format_time(Nanoseconds(512)), "512 ns");
  EXPECT_EQ(format_time(Nanoseconds(7278), 2), "3.639 µs");
  EXPECT_EQ(format_time(Nanoseconds(63'100)), "63.10 µs");
  EXPECT_EQ(format_time(Nanoseconds(727'800)), "727.8 µs");
  EXPECT_EQ(format_time(Nanoseconds(13'072'000)), "13.07 ms");
  EXPECT_EQ(format_time(Nanoseconds(1'234'500'000)), "1.234 s");
  EXPECT_EQ(format_time(Nanoseconds(12'345'600'000'000)), "12,346 s");
}

TEST(Units, RoundingUpMovesToTheNextUnit) {
  EXPECT_EQ(format_time(Nanoseconds(999'960)), "1.000 ms");
  EXPECT_EQ(format_time(Nanoseconds(999'940)), "999.9 µs");
  EXPECT_EQ(format_time(Nanoseconds(9'999'600)), "10.00 ms");
}

TEST(Units, AColumnHasOneUnit) {
  const TimeScale scale(Nanoseconds(63'100), 1);
  EXPECT_EQ(scale.unit(), "µs");
  EXPECT_EQ(scale.number(Nanoseconds(63'100)), "63.10");
  EXPECT_EQ(scale.number(Nanoseconds(520)), "0.52");
  EXPECT_EQ(scale.number(Nanoseconds(4)), "<0.01");
  EXPECT_EQ(scale.number(Nanoseconds(0)), "0.00");
}

TEST(Units, AColumnCanAskForMoreDecimals) {
  EXPECT_EQ(TimeScale(Nanoseconds(13'072'314), 1, 3).text(Nanoseconds(1'428'085)), "1.428 ms");
  EXPECT_EQ(TimeScale(Nanoseconds(512), 1, 3).text(Nanoseconds(512)), "512 ns");
}

TEST(Units, Ratios) {
  EXPECT_EQ(format_ratio(48, 16), "3.00");
  EXPECT_EQ(format_ratio(12, 16), "0.75");
  EXPECT_EQ(format_ratio(123456, 10), "12,346");
}

}  // namespace
}  // namespace opcensus

// SPDX-License-Identifier: Apache-2.0
#include "src/base/decimal.h"

#include <string>

#include <gtest/gtest.h>

namespace opcensus {
namespace {

std::optional<std::int64_t> nanoseconds(std::string_view text) {
  const auto time = parse_microseconds(text);
  return time ? std::optional<std::int64_t>(time->count()) : std::nullopt;
}

TEST(Microseconds, BecomeNanosecondsExactly) {
  EXPECT_EQ(nanoseconds("0"), 0);
  EXPECT_EQ(nanoseconds("7"), 7000);
  EXPECT_EQ(nanoseconds("1.5"), 1500);
  EXPECT_EQ(nanoseconds("5165214725160.619"), 5165214725160619);
  EXPECT_EQ(nanoseconds("1736408883688177.930"), 1736408883688177930);
  EXPECT_EQ(nanoseconds("-0.001"), -1);
}

TEST(Microseconds, MayHaveAnExponent) {
  EXPECT_EQ(nanoseconds("-1.5e1"), -15000);
  EXPECT_EQ(nanoseconds("1E2"), 100000);
  EXPECT_EQ(nanoseconds("12345e-3"), 12345);
  EXPECT_EQ(nanoseconds("1e-400"), 0);
  EXPECT_EQ(nanoseconds("0e99999999999"), 0);
}

TEST(Microseconds, RoundHalfAway) {
  EXPECT_EQ(nanoseconds("0.0004"), 0);
  EXPECT_EQ(nanoseconds("0.0005"), 1);
  EXPECT_EQ(nanoseconds("1.23449999999999999999999999"), 1234);
  EXPECT_EQ(nanoseconds("-0.0005"), -1);
  EXPECT_EQ(nanoseconds("9.9995"), 10000);
}

TEST(Microseconds, BeyondTheLimitAreNone) {
  EXPECT_EQ(nanoseconds("4611686018427387.904"), kDecimalLimit);
  EXPECT_EQ(nanoseconds("-4611686018427387.904"), -kDecimalLimit);
  EXPECT_EQ(nanoseconds("4611686018427387.905"), std::nullopt);
  EXPECT_EQ(nanoseconds("1e300"), std::nullopt);
  EXPECT_EQ(nanoseconds(std::string(1000, '9')), std::nullopt);
}

TEST(Microseconds, ThatAreNoNumberAreNone) {
  for (const std::string_view text :
       {"", "-", ".", "1.2.3", "1e", "abc", "0x10", " 1", "1 ", "inf"}) {
    EXPECT_EQ(nanoseconds(text), std::nullopt) << text;
  }
}

TEST(Decimal, ScalesByPowersOfTen) {
  EXPECT_EQ(parse_decimal("12.0", 0), 12);
  EXPECT_EQ(parse_decimal("1790857026000000000", 0), 1790857026000000000);
  EXPECT_EQ(parse_decimal("1.79e18", 0), 1790000000000000000);
  EXPECT_EQ(parse_decimal("0.5", 0), 1);
}

}  // namespace
}  // namespace opcensus

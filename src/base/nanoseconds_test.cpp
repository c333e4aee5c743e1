// SPDX-License-Identifier: Apache-2.0
#include "src/base/nanoseconds.h"

#include <cstdint>
#include <limits>

#include <gtest/gtest.h>

namespace opcensus {
namespace {

constexpr std::int64_t kMax = std::numeric_limits<std::int64_t>::max();
constexpr std::int64_t kMin = std::numeric_limits<std::int64_t>::min();

TEST(Nanoseconds, AddsAndSubtractsExactly) {
  EXPECT_EQ((Nanoseconds(3) + Nanoseconds(-5)).count(), -2);
  EXPECT_EQ((Nanoseconds(3) - Nanoseconds(-5)).count(), 8);
  Nanoseconds sum;
  sum += Nanoseconds(7);
  sum -= Nanoseconds(2);
  EXPECT_EQ(sum, Nanoseconds(5));
}

TEST(Nanoseconds, SumsEndAtTheLimits) {
  EXPECT_EQ((Nanoseconds(kMax) + Nanoseconds(0)).count(), kMax);
  EXPECT_EQ((Nanoseconds(kMax) + Nanoseconds(1)).count(), kMax);
  EXPECT_EQ((Nanoseconds(kMin) + Nanoseconds(-1)).count(), kMin);
  EXPECT_EQ((Nanoseconds(kMax) + Nanoseconds(kMin)).count(), -1);
}

TEST(Nanoseconds, DifferencesEndAtTheLimits) {
  EXPECT_EQ((Nanoseconds(kMax) - Nanoseconds(-1)).count(), kMax);
  EXPECT_EQ((Nanoseconds(kMin) - Nanoseconds(1)).count(), kMin);
  EXPECT_EQ((Nanoseconds(0) - Nanoseconds(kMin)).count(), kMax);
  EXPECT_EQ((Nanoseconds(kMin) - Nanoseconds(kMin)).count(), 0);
}

TEST(Nanoseconds, AreOrdered) {
  EXPECT_LT(Nanoseconds(-1), Nanoseconds(0));
  EXPECT_EQ(Nanoseconds(), Nanoseconds(0));
}

}  // namespace
}  // namespace opcensus

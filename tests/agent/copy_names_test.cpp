// SPDX-License-Identifier: Apache-2.0
#include "agent/copy_names.h"

#include <gtest/gtest.h>

namespace opcensus::agent {
namespace {

TEST(CopyNames, TheyAreSpelledAsKinetoSpellsThem) {
  EXPECT_EQ(memcpy_name(8, 3, 3), "Memcpy DtoD (Device -> Device)");
  EXPECT_EQ(memcpy_name(1, 1, 3), "Memcpy HtoD (Pageable -> Device)");
  EXPECT_EQ(memcpy_name(2, 3, 2), "Memcpy DtoH (Device -> Pinned)");
  EXPECT_EQ(memset_name(3), "Memset (Device)");
}

TEST(CopyNames, KindsOfLaterVersionsAreUnknown) {
  EXPECT_EQ(memcpy_name(200, 9, 255), "Memcpy Unknown (Unknown -> Unknown)");
  EXPECT_EQ(memset_name(8), "Memset (Unknown)");
}

}  // namespace
}  // namespace opcensus::agent

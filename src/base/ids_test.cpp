// SPDX-License-Identifier: Apache-2.0
#include "src/base/ids.h"

#include <type_traits>
#include <unordered_set>

#include <gtest/gtest.h>

namespace opcensus {
namespace {

// The point of the type: ids do not mix with each other or with numbers.
static_assert(!std::is_convertible_v<StringId, SignatureId>);
static_assert(!std::is_constructible_v<SignatureId, StringId>);
static_assert(!std::is_convertible_v<int, StringId>);
static_assert(!std::is_convertible_v<StringId, int>);
static_assert(sizeof(StringId) == 4);  // columns of ids are large

TEST(Id, IsNoneUntilItIsSet) {
  EXPECT_TRUE(StringId().is_none());
  EXPECT_FALSE(StringId().has_value());
  EXPECT_EQ(StringId(), StringId::none());
  EXPECT_TRUE(StringId(0).has_value());
  EXPECT_NE(StringId(0), StringId::none());
}

TEST(Id, IsOrderedByIndexAndNoneComesLast) {
  EXPECT_LT(StringId(1), StringId(2));
  EXPECT_LT(StringId(2), StringId::none());
  EXPECT_EQ(StringId(7).index(), 7U);
}

TEST(Id, WorksAsAHashKey) {
  const std::unordered_set<StringId> ids{StringId(1), StringId(2), StringId(1)};
  EXPECT_EQ(ids.size(), 2U);
  EXPECT_TRUE(ids.contains(StringId(2)));
  EXPECT_FALSE(ids.contains(StringId(3)));
}

}  // namespace
}  // namespace opcensus

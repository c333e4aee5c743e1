// SPDX-License-Identifier: Apache-2.0
#include <set>
#include <string_view>

#include <gtest/gtest.h>

#include "src/census/census.h"

namespace opcensus {
namespace {

template <class Values, class Name, class Parse>
void expect_round_trip(const Values& values, const Name& name, const Parse& parse) {
  std::set<std::string_view> names;
  for (const auto value : values) {
    EXPECT_TRUE(names.insert(name(value)).second) << name(value);
    EXPECT_EQ(parse(name(value)), value);
  }
  EXPECT_FALSE(parse("no such name").has_value());
  EXPECT_FALSE(parse(" ").has_value());
}

TEST(CensusNames, AreDistinctAndReadBack) {
  expect_round_trip(kPhases, &phase_name, &parse_phase);
  expect_round_trip(kTiers, &tier_name, &parse_tier);
  expect_round_trip(kReasons, &reason_name, &parse_reason);
  expect_round_trip(kStepKinds, &step_kind_name, &parse_step_kind);
}

TEST(CensusNames, AreTheOnesInTheFiles) {
  EXPECT_EQ(phase_name(Phase::Replay), "replay");
  EXPECT_EQ(tier_name(Tier::Aligned), "aligned");
  EXPECT_EQ(reason_name(Reason::None), "");
  EXPECT_EQ(reason_name(Reason::NoLaunch), "no_launch");
  EXPECT_EQ(reason_name(Reason::OrderAmbiguous), "order_ambiguous");
  EXPECT_EQ(step_kind_name(StepKind::Prefill), "prefill");
}

}  // namespace
}  // namespace opcensus

// SPDX-License-Identifier: Apache-2.0
#include "src/analyze/ledger.h"

#include <gtest/gtest.h>

#include "src/analyze/example_census.h"

namespace opcensus {
namespace {

TEST(Ledger, TotalIsTheSumOfTheTiers) {
  for (const Census& census : {example_census(), hostile_census()}) {
    for (const PhaseSet phases : {kRuntimePhases, kEveryPhase, PhaseSet{Phase::Replay}}) {
      const TierLedger ledger = compute_ledger(census, phases);
      EventSum sum = ledger.attributed();
      sum += ledger.of(Tier::Unattributed);
      EXPECT_EQ(sum, ledger.total);
      EXPECT_GT(ledger.total.events, 0U);
    }
  }
}

TEST(Ledger, EveryPhaseTogetherIsTheIndependentCount) {
  const Census census = example_census();
  EXPECT_EQ(compute_ledger(census, kEveryPhase).total, sum_raw_counts(census));
}

TEST(Ledger, WarmUpIsNotPartOfTheRuntime) {
  ExampleCensus example;
  const std::uint32_t signature = example.signature("aten::mm", "[]", "[]");
  example.add_device_time(Phase::Warmup, Tier::Direct, signature, "k", 5, 500);
  example.add_device_time(Phase::Eager, Tier::Direct, signature, "k", 1, 100);
  example.add_device_time(Phase::Replay, Tier::Exact, signature, "k", 2, 30);
  const TierLedger ledger = compute_ledger(example.census, kRuntimePhases);
  EXPECT_EQ(ledger.of(Tier::Direct), (EventSum{1, Nanoseconds(100)}));
  EXPECT_EQ(ledger.of(Tier::Exact), (EventSum{2, Nanoseconds(30)}));
  EXPECT_EQ(ledger.total, (EventSum{3, Nanoseconds(130)}));
}

TEST(Ledger, ReasonsAreByTierAndAddUpToTheUnattributed) {
  const TierLedger ledger = compute_ledger(hostile_census(), kRuntimePhases);
  ASSERT_EQ(ledger.reasons.size(), 3U);
  EXPECT_EQ(ledger.reasons[0].tier, Tier::Aligned);
  EXPECT_EQ(ledger.reasons[0].reason, Reason::ShapeAmbiguous);
  EXPECT_EQ(ledger.reasons[1].reason, Reason::NoEnclosingOp);
  EXPECT_EQ(ledger.reasons[2].reason, Reason::PlanMismatch);
  EventSum missing = ledger.reasons[1].sum;
  missing += ledger.reasons[2].sum;
  EXPECT_EQ(missing, ledger.of(Tier::Unattributed));
}

TEST(Ledger, OfNothingIsZero) {
  const TierLedger ledger = compute_ledger(Census{}, kEveryPhase);
  EXPECT_EQ(ledger.total, EventSum{});
  EXPECT_TRUE(ledger.reasons.empty());
}

}  // namespace
}  // namespace opcensus

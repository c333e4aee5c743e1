// SPDX-License-Identifier: Apache-2.0
#include "src/analyze/top_table.h"

#include <gtest/gtest.h>

#include "src/analyze/example_census.h"

namespace opcensus {
namespace {

EventSum sum_rows(const TopTable& table) {
  EventSum sum = table.further_device;
  for (const TopRow& row : table.rows) {
    sum += row.device;
  }
  return sum;
}

TEST(TopTable, RowsAndTheRestAreTheWholePhase) {
  for (const Census& census : {example_census(), hostile_census()}) {
    for (const Phase phase : kPhases) {
      for (const SortBy sort : {SortBy::Device, SortBy::Cpu, SortBy::Calls}) {
        for (const std::size_t top : {0U, 1U, 5U}) {
          const TopTable table = compute_top_table(census, phase, sort, top);
          EXPECT_EQ(sum_rows(table), compute_ledger(census, {phase}).total);
        }
      }
    }
  }
}

TEST(TopTable, UnattributedTimeIsARowForEachReason) {
  ExampleCensus example;
  const auto add = [&](Reason reason, std::int64_t time_ns) {
    example.add_device_time(Phase::Replay, Tier::Unattributed, kNoIndex, "k", 1, time_ns).reason =
        reason;
  };
  add(Reason::PlanMismatch, 10);
  add(Reason::NoCaptureTrace, 30);
  add(Reason::PlanMismatch, 5);
  const TopTable table = compute_top_table(example.census, Phase::Replay, SortBy::Device, 1);
  ASSERT_EQ(table.rows.size(), 2U);
  EXPECT_EQ(table.rows[0].reason, Reason::NoCaptureTrace);
  EXPECT_EQ(table.rows[1].reason, Reason::PlanMismatch);
  EXPECT_EQ(table.rows[1].device, (EventSum{2, Nanoseconds(15)}));
}

TEST(TopTable, TopLimitsSignaturesAndKeepsWhatIsMissing) {
  const TopTable table = compute_top_table(hostile_census(), Phase::Eager, SortBy::Device, 1);
  ASSERT_EQ(table.rows.size(), 2U);
  EXPECT_EQ(table.rows[1].signature, kNoIndex);
  EXPECT_EQ(table.further_rows, 1U);
  EXPECT_EQ(table.further_device, (EventSum{3, Nanoseconds(500)}));
  EXPECT_EQ(table.further_calls, 3U);
}

TEST(TopTable, SortsByWhatWasAsked) {
  ExampleCensus example;
  const std::uint32_t device = example.signature("device", "[]", "[]");
  const std::uint32_t cpu = example.signature("cpu", "[]", "[]");
  const std::uint32_t calls = example.signature("calls", "[]", "[]");
  example.add_calls(Phase::Eager, device, 1, 10);
  example.add_calls(Phase::Eager, cpu, 2, 99);
  example.add_calls(Phase::Eager, calls, 50, 20);
  example.add_device_time(Phase::Eager, Tier::Direct, device, "k", 1, 1000);
  const auto first = [&](SortBy sort) {
    return compute_top_table(example.census, Phase::Eager, sort, 0).rows.at(0).signature;
  };
  EXPECT_EQ(first(SortBy::Device), device);
  EXPECT_EQ(first(SortBy::Cpu), cpu);
  EXPECT_EQ(first(SortBy::Calls), calls);
  EXPECT_EQ(compute_top_table(example.census, Phase::Eager, SortBy::Device, 0).rows.size(), 1U);
  EXPECT_EQ(compute_top_table(example.census, Phase::Eager, SortBy::Cpu, 0).rows.size(), 3U);
}

TEST(TopTable, NamesTheKernelWithMostTime) {
  ExampleCensus example;
  const std::uint32_t mm = example.signature("aten::mm", "[]", "[]");
  example.add_device_time(Phase::Eager, Tier::Direct, mm, "short", 9, 10);
  example.add_device_time(Phase::Eager, Tier::Direct, mm, "long", 1, 15);
  example.add_device_time(Phase::Eager, Tier::Direct, mm, "short", 1, 4);
  const TopTable table = compute_top_table(example.census, Phase::Eager, SortBy::Device, 0);
  ASSERT_EQ(table.rows.size(), 1U);
  EXPECT_EQ(example.census.text(table.rows[0].main_kernel), "long");
  EXPECT_EQ(table.rows[0].other_kernels, 1U);
}

TEST(PerStep, CountsAnnotatedStepsThatLaunchedGraphs) {
  Census census = example_census();
  PerStep per_step = compute_per_step(census, Phase::Replay);
  EXPECT_EQ(per_step.basis, StepBasis::DecodeSteps);
  EXPECT_EQ(per_step.count, 16U);
  census.steps.push_back({0, StepKind::Mixed, 64, 2, 2});
  per_step = compute_per_step(census, Phase::Replay);
  EXPECT_EQ(per_step.basis, StepBasis::EngineSteps);
  EXPECT_EQ(per_step.count, 18U);
}

TEST(PerStep, FallsBackToReplaysAndThenToTotals) {
  Census census = example_census();
  census.steps.clear();
  census.graphs[0].replays = 5;
  EXPECT_EQ(compute_per_step(census, Phase::Replay).basis, StepBasis::GraphReplays);
  EXPECT_EQ(compute_per_step(census, Phase::Replay).count, 17U);
  census.graphs.clear();
  EXPECT_EQ(compute_per_step(census, Phase::Replay).basis, StepBasis::Total);
  EXPECT_EQ(compute_per_step(example_census(), Phase::Eager).basis, StepBasis::Total);
}

}  // namespace
}  // namespace opcensus

// SPDX-License-Identifier: Apache-2.0
#include "src/analyze/operator_rows.h"

#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "src/analyze/example_census.h"

namespace opcensus {
namespace {

TEST(OperatorRows, KeepPhasesApartAndTimeOnlyTheRuntime) {
  ExampleCensus example;
  const std::uint32_t mm = example.signature("aten::mm", "[[8,8]]", R"(["float"])");
  example.add_calls(Phase::Warmup, mm, 2, 900);
  example.add_calls(Phase::Capture, mm, 1, 800);
  example.add_calls(Phase::Replay, mm, 16);
  example.add_calls(Phase::Eager, mm, 3, 30);
  example.add_device_time(Phase::Warmup, Tier::Direct, mm, "k", 2, 5000);
  example.add_device_time(Phase::Eager, Tier::Direct, mm, "k", 3, 70);
  example.add_device_time(Phase::Replay, Tier::Aligned, mm, "k", 16, 200);
  const std::vector<OperatorRow> rows = compute_operator_rows(example.census);
  ASSERT_EQ(rows.size(), 1U);
  EXPECT_EQ(rows[0].calls_in(Phase::Warmup), 2U);
  EXPECT_EQ(rows[0].calls_in(Phase::Capture), 1U);
  EXPECT_EQ(rows[0].calls_in(Phase::Eager), 3U);
  EXPECT_EQ(rows[0].calls_in(Phase::Replay), 16U);
  EXPECT_EQ(rows[0].device, (EventSum{19, Nanoseconds(270)}));
  EXPECT_EQ(rows[0].self_cpu_time, Nanoseconds(30));
  EXPECT_EQ(phase_list(rows[0].observed_in), "warmup,capture,eager,replay");
  EXPECT_EQ(tier_list(rows[0].tiers), "direct+aligned");
}

TEST(OperatorRows, AddUpRanks) {
  ExampleCensus example;
  const std::uint32_t mm = example.signature("aten::mm", "[]", "[]");
  example.add_calls(Phase::Eager, mm, 3, 30);
  example.use_rank(1);
  example.add_calls(Phase::Eager, mm, 4, 40);
  example.add_device_time(Phase::Eager, Tier::Direct, mm, "k", 4, 44);
  const std::vector<OperatorRow> rows = compute_operator_rows(example.census);
  ASSERT_EQ(rows.size(), 1U);
  EXPECT_EQ(rows[0].calls_in(Phase::Eager), 7U);
  EXPECT_EQ(rows[0].device.events, 4U);
}

TEST(OperatorRows, AreOrderedByTimeThenContent) {
  ExampleCensus example;
  const std::uint32_t z = example.signature("z", "[]", "[]");
  const std::uint32_t a = example.signature("a", "[]", "[]");
  const std::uint32_t slow = example.signature("slow", "[]", "[]");
  for (const std::uint32_t signature : {z, a, slow}) {
    example.add_calls(Phase::Eager, signature, 1);
  }
  example.add_device_time(Phase::Replay, Tier::Exact, slow, "k", 1, 10);
  std::vector<std::uint32_t> order;
  for (const OperatorRow& row : compute_operator_rows(example.census)) {
    order.push_back(row.signature);
  }
  EXPECT_EQ(order, (std::vector<std::uint32_t>{slow, a, z}));
}

TEST(OperatorRows, RuntimeRowsAreOnePerPhase) {
  const std::vector<PhaseOperatorRow> rows =
      compute_phase_operator_rows(hostile_census(), kRuntimePhases);
  ASSERT_EQ(rows.size(), 4U);
  EXPECT_EQ(rows[2].phase, Phase::Replay);
  EXPECT_EQ(rows[3].phase, Phase::Eager);
  EXPECT_EQ(rows[2].signature, rows[3].signature);
  EXPECT_EQ(rows[3].tiers, TierSet{});
}

TEST(OperatorRows, CaptureRowsAreByCalls) {
  ExampleCensus example;
  const std::uint32_t b = example.signature("b", "[]", "[]");
  const std::uint32_t a = example.signature("a", "[]", "[]");
  const std::uint32_t most = example.signature("most", "[]", "[]");
  example.add_calls(Phase::Capture, b, 1);
  example.add_calls(Phase::Capture, a, 1);
  example.add_calls(Phase::Capture, most, 7);
  example.add_calls(Phase::Warmup, a, 100);
  const std::vector<PhaseOperatorRow> rows = compute_capture_operator_rows(example.census);
  ASSERT_EQ(rows.size(), 3U);
  EXPECT_EQ(rows[0].signature, most);
  EXPECT_EQ(rows[1].signature, a);
  EXPECT_EQ(rows[1].calls, 1U);
  EXPECT_EQ(rows[2].signature, b);
}

}  // namespace
}  // namespace opcensus

// SPDX-License-Identifier: Apache-2.0
#include "src/analyze/kernel_rows.h"

#include <vector>

#include <gtest/gtest.h>

#include "src/analyze/example_census.h"

namespace opcensus {
namespace {

TEST(KernelRows, HoldEveryDeviceEvent) {
  for (const Census& census : {example_census(), hostile_census()}) {
    EventSum sum;
    for (const KernelRow& row : compute_kernel_rows(census)) {
      sum += row.device;
    }
    EXPECT_EQ(sum, sum_raw_counts(census));
  }
}

TEST(KernelRows, AddUpRanksAndStreamsButKeepPhasesApart) {
  ExampleCensus example;
  const std::uint32_t mm = example.signature("aten::mm", "[]", "[]");
  example.add_device_time(Phase::Eager, Tier::Direct, mm, "k", 1, 10);
  example.use_rank(3);
  example.add_device_time(Phase::Eager, Tier::Direct, mm, "k", 1, 10).stream = 9;
  example.add_device_time(Phase::Replay, Tier::Direct, mm, "k", 1, 20);
  const std::vector<KernelRow> rows = compute_kernel_rows(example.census);
  ASSERT_EQ(rows.size(), 2U);
  EXPECT_EQ(rows[0].phase, Phase::Eager);
  EXPECT_EQ(rows[0].device, (EventSum{2, Nanoseconds(20)}));
}

TEST(KernelRows, AreOrderedByTimeThenName) {
  ExampleCensus example;
  example.add_device_time(Phase::Eager, Tier::Unattributed, kNoIndex, "b", 1, 5);
  example.add_device_time(Phase::Eager, Tier::Unattributed, kNoIndex, "a", 1, 5);
  example.add_device_time(Phase::Eager, Tier::Unattributed, kNoIndex, "c", 1, 6);
  const std::vector<KernelRow> rows = compute_kernel_rows(example.census);
  ASSERT_EQ(rows.size(), 3U);
  EXPECT_EQ(example.census.text(rows[0].kernel), "c");
  EXPECT_EQ(example.census.text(rows[1].kernel), "a");
  EXPECT_EQ(example.census.text(rows[2].kernel), "b");
}

}  // namespace
}  // namespace opcensus

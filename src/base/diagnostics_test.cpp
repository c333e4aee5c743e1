// SPDX-License-Identifier: Apache-2.0
#include "src/base/diagnostics.h"

#include <string>

#include <gtest/gtest.h>

namespace opcensus {
namespace {

IssuePlace place(std::uint64_t offset) {
  IssuePlace result;
  result.file = "trace.json";
  result.byte_offset = offset;
  return result;
}

TEST(Diagnostics, CountsEveryOccurrenceAndKeepsTheFirstPlaces) {
  Diagnostics diagnostics;
  for (std::uint64_t i = 0; i < 1'000; ++i) {
    diagnostics.count(Issue::BadEvent, place(i));
  }
  EXPECT_EQ(diagnostics.times(Issue::BadEvent), 1'000U);
  const auto& samples = diagnostics.samples(Issue::BadEvent);
  ASSERT_EQ(samples.size(), Diagnostics::kSamples);
  EXPECT_EQ(samples.front().byte_offset, 0U);
  EXPECT_EQ(samples.back().byte_offset, Diagnostics::kSamples - 1);
}

TEST(Diagnostics, CountsSeveralAtOnce) {
  Diagnostics diagnostics;
  diagnostics.count(Issue::BadEvent, place(1), 5);
  EXPECT_EQ(diagnostics.times(Issue::BadEvent), 5U);
  EXPECT_EQ(diagnostics.samples(Issue::BadEvent).size(), 1U);
  EXPECT_EQ(diagnostics.times(Issue::InvalidJson), 0U);
}

TEST(Diagnostics, MergeAddsTimesAndStaysBounded) {
  Diagnostics a;
  Diagnostics b;
  a.count(Issue::BadEvent, place(1));
  a.count(Issue::BadEvent, place(2));
  b.count(Issue::BadEvent, place(3));
  b.count(Issue::BadEvent, place(4));
  b.count(Issue::NoWarmup);
  a.merge(b);
  EXPECT_EQ(a.times(Issue::BadEvent), 4U);
  EXPECT_EQ(a.times(Issue::NoWarmup), 1U);
  ASSERT_EQ(a.samples(Issue::BadEvent).size(), Diagnostics::kSamples);
  EXPECT_EQ(a.samples(Issue::BadEvent).back().byte_offset, 3U);
}

TEST(Diagnostics, HasIsTrueFromTheSeverityUp) {
  Diagnostics diagnostics;
  EXPECT_FALSE(diagnostics.has(Severity::Info));
  diagnostics.count(Issue::NoWarmup);  // Info
  EXPECT_TRUE(diagnostics.has(Severity::Info));
  EXPECT_FALSE(diagnostics.has(Severity::DataLoss));
  diagnostics.count(Issue::NoDeviceEvents);  // Error
  EXPECT_TRUE(diagnostics.has(Severity::DataLoss));
  EXPECT_TRUE(diagnostics.has(Severity::Error));
}

}  // namespace
}  // namespace opcensus

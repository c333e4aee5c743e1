// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cstdint>
#include <set>
#include <string>
#include <utility>

#include <gtest/gtest.h>

#include "src/census/census.h"
#include "src/census/random_census.h"
#include "src/census/validate.h"

namespace opcensus {
namespace {

using testing::random_census;
using testing::scrambled;

constexpr std::uint64_t kSeeds = 40;

Census merged(const Census& a, const Census& b) {
  Result<Census> sum = merge(a, b);
  EXPECT_TRUE(sum.has_value()) << (sum ? "" : sum.error().message);
  return sum ? *sum : Census{};
}

bool all_passed(const Census& census) {
  return std::all_of(
      census.checks.begin(), census.checks.end(), [](const Check& check) { return check.passed; });
}

std::uint64_t count_events(const Census& census) {
  std::uint64_t events = 0;
  for (const DeviceTime& row : census.device_times) {
    events += row.events;
  }
  return events;
}

TEST(Merge, IsCommutative) {
  for (std::uint64_t seed = 0; seed < kSeeds; ++seed) {
    const Census a = random_census(seed, "a");
    const Census b = random_census(seed + 500, "b");
    EXPECT_EQ(merged(a, b), merged(b, a)) << "seed " << seed;
  }
}

TEST(Merge, IsAssociative) {
  for (std::uint64_t seed = 0; seed < kSeeds; ++seed) {
    const Census a = random_census(seed, "a");
    const Census b = random_census(seed + 500, "b", seed % 3 != 0);
    const Census c = random_census(seed + 900, "c");
    EXPECT_EQ(merged(merged(a, b), c), merged(a, merged(b, c))) << "seed " << seed;
  }
}

TEST(Merge, DoesNotDependOnTheFormOfItsInputs) {
  for (std::uint64_t seed = 0; seed < kSeeds; ++seed) {
    const Census a = random_census(seed, "a");
    const Census b = random_census(seed + 500, "b");
    EXPECT_EQ(merged(scrambled(a, seed), scrambled(b, seed + 1)), merged(a, b)) << "seed " << seed;
  }
}

TEST(Merge, WithNothingChangesNothing) {
  for (std::uint64_t seed = 0; seed < kSeeds; ++seed) {
    const Census a = random_census(seed, "a");
    EXPECT_EQ(merged(a, Census{}), a) << "seed " << seed;
  }
}

TEST(Merge, LosesNothingAndStillBalances) {
  for (std::uint64_t seed = 0; seed < kSeeds; ++seed) {
    const Census a = random_census(seed, "a");
    const Census b = random_census(seed + 500, "b");
    const Census sum = merged(a, b);
    EXPECT_TRUE(all_passed(sum)) << "seed " << seed;
    EXPECT_TRUE(validate(sum).has_value()) << "seed " << seed;
    EXPECT_EQ(count_events(sum), count_events(a) + count_events(b));
    EXPECT_EQ(sum.graphs.size(), a.graphs.size() + b.graphs.size());
    EXPECT_EQ(sum.graph_nodes.size(), a.graph_nodes.size() + b.graph_nodes.size());
  }
}

TEST(Merge, RecomputesTheChecks) {
  Census a = random_census(1, "a");
  a.checks = {{"device_events_match_raw_count", false}};
  EXPECT_TRUE(all_passed(merged(a, random_census(2, "b"))));
  a.raw_counts.front().events += 1;
  EXPECT_FALSE(all_passed(merged(a, random_census(2, "b"))));
}

TEST(Merge, RefusesTheSameInputTwice) {
  const Census a = random_census(1, "same");
  const Census b = random_census(2, "same");
  const Result<Census> sum = merge(a, b);
  ASSERT_FALSE(sum.has_value());
  EXPECT_EQ(sum.error().code, ErrorCode::Conflict);
  EXPECT_EQ(sum.error().file, "same/rank0/runtime.json");
  EXPECT_FALSE(sum.error().hint.empty());
}

TEST(Merge, AcceptsAnInputThatOneOfThemIgnored) {
  Census a;
  a.inputs.push_back({"t.json", "kineto_json", "ignored", 0, 1, 1, true, "no device events"});
  Census b;
  b.inputs.push_back({"t.json", "kineto_json", "runtime", 0, 1, 1, true, ""});
  EXPECT_EQ(merged(a, b).inputs.size(), 2U);
  EXPECT_EQ(merged(a, a).inputs.size(), 1U);
}

TEST(Merge, AcceptsTheSamePathOfAnotherRank) {
  Census a;
  a.inputs.push_back({"t.json", "kineto_json", "runtime", 0, 1, 1, true, ""});
  Census b = a;
  b.inputs[0].rank = 1;
  EXPECT_EQ(merged(a, b).inputs.size(), 2U);
}

Census census_of_graph(const std::string& label, std::int64_t batch_size, std::int64_t rank) {
  Census census;
  CensusGraph graph;
  graph.rank = rank;
  graph.number = 0;
  graph.label = label;
  graph.batch_size = batch_size;
  graph.nodes = 1;
  census.graphs.push_back(graph);
  census.texts.push_back("kernel of " + label);
  CensusGraphNode node;
  node.kernel = 1;
  census.graph_nodes.push_back(node);
  return census;
}

TEST(Merge, NumbersTheGraphsOfASharedRankByContent) {
  const Census small = census_of_graph("small", 1, 0);
  const Census large = census_of_graph("large", 8, 0);
  const Census sum = merged(small, large);
  ASSERT_EQ(sum.graphs.size(), 2U);
  EXPECT_EQ(sum.graphs[0].label, "large");
  EXPECT_EQ(sum.graphs[0].number, 0U);
  EXPECT_EQ(sum.graphs[1].number, 1U);
  EXPECT_EQ(sum.text(sum.graph_nodes[1].kernel), "kernel of small");
}

TEST(Merge, KeepsEqualGraphsApart) {
  const Census graph = census_of_graph("same", 8, 0);
  const Census sum = merged(graph, graph);
  ASSERT_EQ(sum.graphs.size(), 2U);
  EXPECT_EQ(sum.graphs[1].number, 1U);
  EXPECT_EQ(sum.graph_nodes[1].graph, 1U);
}

TEST(Merge, KeepsTheNumbersOfOtherRanks) {
  Census a = census_of_graph("second", 1, 0);
  a.graphs[0].number = 1;
  CensusGraph first;
  first.label = "first";
  first.batch_size = 0;
  a.graphs.push_back(first);
  const Census sum = merged(census_of_graph("other", 8, 1), a);
  ASSERT_EQ(sum.graphs.size(), 3U);
  EXPECT_EQ(sum.graphs[0].label, "first");
  EXPECT_EQ(sum.graphs[1].label, "second");
}

TEST(Merge, RefusesIndicesOutOfRange) {
  Census a = random_census(1, "a");
  a.device_times[0].kernel = static_cast<TextIndex>(a.texts.size());
  const Result<Census> sum = merge(Census{}, a);
  ASSERT_FALSE(sum.has_value());
  EXPECT_EQ(sum.error().code, ErrorCode::BadCensus);
}

}  // namespace
}  // namespace opcensus

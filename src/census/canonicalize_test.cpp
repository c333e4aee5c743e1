// SPDX-License-Identifier: Apache-2.0
#include <cstdint>
#include <string>

#include <gtest/gtest.h>

#include "src/census/census.h"
#include "src/census/random_census.h"

namespace opcensus {
namespace {

using testing::random_census;
using testing::scrambled;

constexpr std::uint64_t kSeeds = 60;

TEST(Canonicalize, IsIdempotent) {
  for (std::uint64_t seed = 0; seed < kSeeds; ++seed) {
    const Census once = random_census(seed, "a");  // canonical already
    Census twice = once;
    canonicalize(twice);
    EXPECT_EQ(twice, once) << "seed " << seed;
  }
}

TEST(Canonicalize, GivesEqualCensusesForEqualContent) {
  for (std::uint64_t seed = 0; seed < kSeeds; ++seed) {
    const Census canonical = random_census(seed, "a");
    Census other = scrambled(canonical, seed + 1000);
    ASSERT_NE(other, canonical) << "seed " << seed;
    canonicalize(other);
    EXPECT_EQ(other, canonical) << "seed " << seed;
  }
}

TEST(Canonicalize, KeepsDifferentContentDifferent) {
  Census one = random_census(1, "a");
  Census other = one;
  other.device_times.back().time += Nanoseconds(1);
  canonicalize(one);
  canonicalize(other);
  EXPECT_NE(one, other);
}

TEST(Canonicalize, AddsUpRowsWithEqualKeys) {
  Census census;
  census.signatures = {{"aten::mm", "", "", "no_input_metadata"},
                       {"aten::mm", "", "", "no_input_metadata"}};
  census.operator_calls = {{0, Phase::Eager, 0, kNoIndex, 2, Nanoseconds(10), Nanoseconds(4)},
                           {0, Phase::Capture, 0, kNoIndex, 7, Nanoseconds(70), Nanoseconds(7)},
                           {0, Phase::Eager, 1, kNoIndex, 3, Nanoseconds(20), Nanoseconds(5)}};
  census.steps = {{0, StepKind::Decode, 8, 1, 2}, {0, StepKind::Decode, 8, 10, 20}};
  canonicalize(census);
  ASSERT_EQ(census.signatures.size(), 1U);
  ASSERT_EQ(census.operator_calls.size(), 2U);
  EXPECT_EQ(census.operator_calls[0].phase, Phase::Capture);
  EXPECT_EQ(census.operator_calls[1],
            (OperatorCalls{0, Phase::Eager, 0, kNoIndex, 5, Nanoseconds(30), Nanoseconds(9)}));
  ASSERT_EQ(census.steps.size(), 1U);
  EXPECT_EQ(census.steps[0], (CensusSteps{0, StepKind::Decode, 8, 11, 22}));
}

TEST(Canonicalize, KeepsRowsOfDifferentKeysApart) {
  Census census;
  census.texts = {"", "kernel"};
  census.inputs = {CensusInput{}};
  DeviceTime row;
  row.events = 1;
  census.device_times.assign(12, row);
  census.device_times[1].rank = 1;
  census.device_times[2].phase = Phase::Replay;
  census.device_times[3].tier = Tier::Unattributed;
  census.device_times[4].reason = Reason::NoLaunch;
  census.device_times[5].kernel = 1;
  census.device_times[6].kind = 1;
  census.device_times[7].device = 1;
  census.device_times[8].stream = 1;
  census.signatures = {{"aten::mm", "", "", ""}};
  census.device_times[9].signature = 0;
  census.graphs = {CensusGraph{}};
  census.device_times[10].graph = 0;
  census.device_times[11].recorded = 0;
  canonicalize(census);
  EXPECT_EQ(census.device_times.size(), 12U);
}

TEST(Canonicalize, DropsWhatNothingUses) {
  Census census;
  census.texts = {"", "unused", "kernel"};
  census.inputs.emplace_back();
  census.raw_counts = {{0, 0, 2, 1, Nanoseconds(1)}};
  census.signatures = {{"aten::unused", "", "", ""}};
  canonicalize(census);
  EXPECT_EQ(census.texts, (std::vector<std::string>{"", "kernel"}));
  EXPECT_EQ(census.raw_counts[0].kind, 1U);
  EXPECT_TRUE(census.signatures.empty());
}

TEST(Canonicalize, OrdersGraphsByRankAndNumber) {
  Census census;
  CensusGraph graph;
  graph.rank = 1;
  graph.number = 0;
  graph.label = "first of rank 1";
  census.graphs.push_back(graph);
  graph.rank = 0;
  graph.number = 1;
  graph.label = "a: second of rank 0";
  census.graphs.push_back(graph);
  graph.number = 0;
  graph.label = "b: first of rank 0";
  census.graphs.push_back(graph);
  CensusGraphNode node;
  node.graph = 0;
  census.graph_nodes = {node};
  canonicalize(census);
  EXPECT_EQ(census.graphs[0].label, "b: first of rank 0");
  EXPECT_EQ(census.graphs[1].label, "a: second of rank 0");
  EXPECT_EQ(census.graph_nodes[0].graph, 2U);
}

TEST(Canonicalize, JoinsDiagnosticsByName) {
  Census census;
  census.diagnostics = {{"bad_event", "info", 2, "d\nb"},
                        {"bad_event", "data_loss", 3, "c\na\nb"},
                        {"no_warmup", "info", 1, ""}};
  canonicalize(census);
  ASSERT_EQ(census.diagnostics.size(), 2U);
  EXPECT_EQ(census.diagnostics[0], (CensusDiagnostic{"bad_event", "data_loss", 5, "a\nb\nc"}));
}

TEST(Canonicalize, KeepsOneRowARankUnlessItsInputsDisagree) {
  Census census;
  census.ranks = {{0, "", R"({"a":1})"},
                  {0, "H200", R"({"a":1})"},
                  {0, "H200", ""},
                  {1, "H100", "{}"},
                  {1, "H200", "{}"},
                  {2, "", ""}};
  canonicalize(census);
  EXPECT_EQ(census.ranks,
            (std::vector<CensusRank>{
                {0, "H200", R"({"a":1})"}, {1, "H100", "{}"}, {1, "H200", "{}"}, {2, "", "{}"}}));
}

TEST(Canonicalize, CountsEndAtTheLimit) {
  Census census;
  census.inputs.emplace_back();
  census.raw_counts = {{0, 0, 0, UINT64_MAX, Nanoseconds(INT64_MAX)}, {0, 0, 0, 1, Nanoseconds(1)}};
  canonicalize(census);
  ASSERT_EQ(census.raw_counts.size(), 1U);
  EXPECT_EQ(census.raw_counts[0].events, UINT64_MAX);
  EXPECT_EQ(census.raw_counts[0].time.count(), INT64_MAX);
}

}  // namespace
}  // namespace opcensus

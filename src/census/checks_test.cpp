// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "src/census/census.h"
#include "src/census/random_census.h"

namespace opcensus {
namespace {

using testing::random_census;

std::vector<std::string> failed_checks(const Census& census) {
  std::vector<std::string> names;
  for (const Check& check : compute_checks(census)) {
    if (!check.passed) {
      names.push_back(check.name);
    }
  }
  return names;
}

bool fails(const Census& census, const std::string& name) {
  const std::vector<std::string> names = failed_checks(census);
  return std::find(names.begin(), names.end(), name) != names.end();
}

/// One rank: an eager row, an unattributed one, and a graph of two nodes, replayed three times.
Census sound_census() {
  Census census;
  census.texts = {"", "kernel", "gemm"};
  census.inputs.push_back({"t.json", "kineto_json", "runtime", 0, 1, 1, true, ""});
  census.signatures = {{"aten::mm", "[[8,8]]", "[]", "shape_and_dtype"},
                       {"aten::mm", "", "", "no_input_metadata"}};
  DeviceTime row;
  row.kernel = 2;
  row.kind = 1;
  row.events = 10;
  row.time = Nanoseconds(1000);
  row.signature = 0;
  census.device_times.push_back(row);  // 0: eager
  row.tier = Tier::Unattributed;
  row.signature = kNoIndex;
  row.reason = Reason::NoLaunch;
  census.device_times.push_back(row);  // 1: unattributed
  row.phase = Phase::Replay;
  row.tier = Tier::Aligned;
  row.reason = Reason::None;
  row.signature = 0;
  row.graph = 0;
  row.events = 6;
  row.time = Nanoseconds(90);
  census.device_times.push_back(row);  // 2: both nodes
  census.raw_counts = {{0, 0, 1, 26, Nanoseconds(2090)}};
  CensusGraph graph;
  graph.nodes = 2;
  graph.replays = 3;
  graph.device_time = Nanoseconds(90);
  graph.busy_time = Nanoseconds(80);
  graph.attributed_nodes = 2;
  census.graphs.push_back(graph);
  CensusGraphNode node;
  node.kind = 1;
  node.kernel = 2;
  node.signature = 0;
  node.tier = Tier::Aligned;
  node.executions = 3;
  node.device_time = Nanoseconds(40);
  census.graph_nodes.push_back(node);
  node.node = 1;
  node.device_time = Nanoseconds(50);
  census.graph_nodes.push_back(node);
  return census;
}

TEST(Checks, PassForASoundCensus) {
  EXPECT_EQ(failed_checks(sound_census()), std::vector<std::string>{});
  EXPECT_EQ(failed_checks(Census{}), std::vector<std::string>{});
  for (std::uint64_t seed = 0; seed < 60; ++seed) {
    EXPECT_EQ(failed_checks(random_census(seed, "a")), std::vector<std::string>{}) << seed;
  }
}

TEST(Checks, AreSortedByName) {
  const std::vector<Check> checks = compute_checks(Census{});
  EXPECT_TRUE(std::is_sorted(checks.begin(), checks.end(), [](const Check& a, const Check& b) {
    return a.name < b.name;
  }));
}

TEST(Checks, DeviceEventsMatchRawCount) {
  Census census = sound_census();
  census.device_times[0].events -= 1;
  EXPECT_TRUE(fails(census, "device_events_match_raw_count"));
  EXPECT_FALSE(fails(census, "device_time_matches_raw_count"));

  census = sound_census();
  census.device_times[0].kind = 2;  // right total, wrong kind
  EXPECT_TRUE(fails(census, "device_events_match_raw_count"));

  census = sound_census();
  census.raw_counts.clear();
  EXPECT_TRUE(fails(census, "device_events_match_raw_count"));
}

TEST(Checks, DeviceTimeMatchesRawCount) {
  Census census = sound_census();
  census.device_times[0].time += Nanoseconds(1);
  EXPECT_TRUE(fails(census, "device_time_matches_raw_count"));
  EXPECT_FALSE(fails(census, "device_events_match_raw_count"));
}

TEST(Checks, PhasesSumToTotal) {
  Census census = sound_census();
  census.device_times[2].phase = Phase::Eager;  // the graph's nodes still have it
  EXPECT_TRUE(fails(census, "phases_sum_to_total"));
  EXPECT_FALSE(fails(census, "device_events_match_raw_count"));

  census = sound_census();
  census.graph_nodes[1].executions += 1;
  EXPECT_TRUE(fails(census, "phases_sum_to_total"));
}

TEST(Checks, TiersSumToTotal) {
  Census census = sound_census();
  census.device_times[2].tier = Tier::Unattributed;
  EXPECT_TRUE(fails(census, "tiers_sum_to_total"));
  EXPECT_FALSE(fails(census, "device_events_match_raw_count"));

  census = sound_census();
  census.graph_nodes[0].tier = Tier::Unattributed;
  EXPECT_TRUE(fails(census, "tiers_sum_to_total"));
}

TEST(Checks, TiersSumToTheirGraphAndNotOnlyToTheRank) {
  Census census = sound_census();
  CensusGraph other = census.graphs[0];
  other.number = 1;
  census.graphs.push_back(other);
  for (std::size_t i = 0; i < 2; ++i) {
    CensusGraphNode node = census.graph_nodes[i];
    node.graph = 1;
    census.graph_nodes.push_back(node);
  }
  DeviceTime row = census.device_times[2];
  row.graph = 1;
  census.device_times.push_back(row);
  census.raw_counts[0].events += row.events;
  census.raw_counts[0].time += row.time;
  ASSERT_EQ(failed_checks(census), std::vector<std::string>{});

  census.graph_nodes[0].executions += 1;
  census.graph_nodes[2].executions -= 1;
  EXPECT_EQ(failed_checks(census), std::vector<std::string>{"tiers_sum_to_total"});
}

TEST(Checks, TiersFitPhases) {
  Census census = sound_census();
  census.device_times[0].tier = Tier::Aligned;
  EXPECT_TRUE(fails(census, "tiers_fit_phases"));

  census = sound_census();
  census.device_times[2].tier = Tier::Direct;
  EXPECT_TRUE(fails(census, "tiers_fit_phases"));
}

TEST(Checks, GraphNodesSumToGraph) {
  Census census = sound_census();
  census.graph_nodes[0].device_time += Nanoseconds(1);
  EXPECT_TRUE(fails(census, "graph_nodes_sum_to_graph"));

  census = sound_census();
  census.graphs[0].nodes = 3;
  EXPECT_TRUE(fails(census, "graph_nodes_sum_to_graph"));

  census = sound_census();
  census.graphs[0].attributed_nodes = 1;
  EXPECT_TRUE(fails(census, "graph_nodes_sum_to_graph"));
}

TEST(Checks, GraphTimeWithinRank) {
  Census census = sound_census();
  census.graphs[0].device_time = Nanoseconds(91);
  EXPECT_TRUE(fails(census, "graph_time_within_rank"));

  census = sound_census();
  census.graphs[0].busy_time = Nanoseconds(91);
  EXPECT_TRUE(fails(census, "graph_time_within_rank"));

  census = sound_census();
  census.graphs[0].rank = 1;
  EXPECT_TRUE(fails(census, "graph_time_within_rank"));
}

TEST(Checks, UnattributedHaveReasons) {
  Census census = sound_census();
  census.device_times[1].reason = Reason::None;
  EXPECT_TRUE(fails(census, "unattributed_have_reasons"));

  census = sound_census();
  census.device_times[1].signature = 0;
  EXPECT_TRUE(fails(census, "unattributed_have_reasons"));

  census = sound_census();
  census.device_times[0].signature = kNoIndex;
  EXPECT_TRUE(fails(census, "unattributed_have_reasons"));

  census = sound_census();
  census.device_times[0].reason = Reason::NoLaunch;
  EXPECT_TRUE(fails(census, "unattributed_have_reasons"));
}

TEST(Checks, AmbiguousShapesAreNotReported) {
  Census census = sound_census();
  census.device_times[2].reason = Reason::ShapeAmbiguous;
  census.device_times[2].signature = 1;  // an operator without shapes
  EXPECT_FALSE(fails(census, "unattributed_have_reasons"));
  census.device_times[2].signature = 0;  // with shapes
  EXPECT_TRUE(fails(census, "unattributed_have_reasons"));
}

TEST(Checks, SignatureIdsValid) {
  Census census = sound_census();
  census.graph_nodes[0].signature = 2;
  EXPECT_EQ(failed_checks(census), std::vector<std::string>{"signature_ids_valid"});

  census = sound_census();
  census.operator_calls.emplace_back().signature = kNoIndex;
  EXPECT_TRUE(fails(census, "signature_ids_valid"));
}

TEST(Checks, SurviveIndicesOutOfRange) {
  Census census = sound_census();
  census.device_times[0].signature = 99;
  census.device_times[2].graph = 99;
  census.device_times[1].kind = 99;
  census.graph_nodes[0].graph = 99;
  EXPECT_FALSE(failed_checks(census).empty());
}

}  // namespace
}  // namespace opcensus

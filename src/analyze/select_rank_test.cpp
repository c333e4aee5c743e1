// SPDX-License-Identifier: Apache-2.0
#include "src/analyze/select_rank.h"

#include <gtest/gtest.h>

#include "src/analyze/example_census.h"
#include "src/analyze/ledger.h"

namespace opcensus {
namespace {

TEST(SelectRank, RanksAddUpToTheWhole) {
  const Census census = hostile_census();
  EventSum sum = compute_ledger(select_rank(census, 0), kEveryPhase).total;
  EXPECT_EQ(sum.events, 11U);
  sum += compute_ledger(select_rank(census, 1), kEveryPhase).total;
  EXPECT_EQ(sum, compute_ledger(census, kEveryPhase).total);
}

TEST(SelectRank, KeepsReferencesRight) {
  Census census = hostile_census();
  CensusGraph other;
  other.rank = 0;
  other.label = "other";
  census.graphs.insert(census.graphs.begin(), other);  // graph 0 becomes graph 1
  census.graph_nodes[0].graph = 1;
  census.device_times[2].graph = 1;
  census.inputs[1].rank = 1;
  const Census selected = select_rank(census, 1);
  ASSERT_EQ(selected.graphs.size(), 1U);
  ASSERT_EQ(selected.graph_nodes.size(), 1U);
  EXPECT_EQ(selected.graph_nodes[0].graph, 0U);
  ASSERT_EQ(selected.device_times.size(), 1U);
  EXPECT_EQ(selected.device_times[0].graph, 0U);
  ASSERT_EQ(selected.inputs.size(), 1U);
  EXPECT_EQ(selected.device_times[0].input, 0U);
  EXPECT_EQ(selected.raw_counts.size(), 1U);
}

TEST(SelectRank, AnUnknownRankIsEmpty) {
  const Census selected = select_rank(hostile_census(), 7);
  EXPECT_TRUE(selected.ranks.empty());
  EXPECT_TRUE(selected.device_times.empty());
  EXPECT_TRUE(selected.graph_nodes.empty());
}

}  // namespace
}  // namespace opcensus

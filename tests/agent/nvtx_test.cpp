// SPDX-License-Identifier: Apache-2.0
//
// NVTX ranges as operators: a host calls through the functions that the agent put into NVTX's
// tables, and the census shows which range each replayed kernel was captured in.
#include <map>
#include <string>

#include <gtest/gtest.h>

#include "tests/agent/agent_run.h"

namespace opcensus {
namespace {

using Executions = std::map<std::string, std::uint64_t>;
using testing::executions;

class NvtxTest : public testing::AgentTest {
 protected:
  /// "range shapes" -> how many kernels were captured in it; those in none go by their own name.
  Executions ranges(const std::string& scenario, const std::string& environment = "") {
    const testing::HostRun host = run(scenario, environment);
    expect_untouched(host);
    EXPECT_EQ(host.err, "");
    census_ = census();
    return executions(census_);
  }

  [[nodiscard]] bool has_property(const std::string& name, const std::string& value) const {
    const std::string wanted = "\"" + name + "\":\"" + value;
    return !census_.ranks.empty() &&
           census_.ranks.front().properties.find(wanted) != std::string::npos;
  }

  Census census_;
};

TEST_F(NvtxTest, ARangeIsTheOperatorOfWhatIsCapturedInIt) {
  const Executions expected{{"opened before the capture ", 2}, {"inner ", 1}, {"in_no_range ", 1}};
  EXPECT_EQ(ranges("plain"), expected);
  EXPECT_TRUE(has_property("operator_source", "nvtx"));
}

TEST_F(NvtxTest, ARangeFromBeforeACaptureCountsWithoutAWindow) {
  EXPECT_EQ(ranges("plain", "OPCENSUS_WINDOW=none"), Executions());
  std::map<std::string, int> nodes;
  for (const CensusGraphNode& node : census_.graph_nodes) {
    if (node.signature != kNoIndex) {
      ++nodes[census_.signatures[node.signature].operator_name];
    }
  }
  EXPECT_EQ(nodes, (std::map<std::string, int>{{"opened before the capture", 2}, {"inner", 1}}));
}

TEST_F(NvtxTest, AnEagerLaunchIsInItsRange) {
  ranges("eager");
  ASSERT_EQ(census_.device_times.size(), 1U);
  const DeviceTime& row = census_.device_times.front();
  EXPECT_EQ(row.tier, Tier::Direct);
  EXPECT_EQ(census_.signatures[row.signature].operator_name, "inner");
}

TEST_F(NvtxTest, EveryKindOfMessageNamesARange) {
  const Executions expected{{"Thunk:#name=dot.3,hlo_op=dot.3# ", 1},
                            {"breit \xc3\xa4\xe4\xb8\xad\xf0\x9f\x98\x80 ", 1},
                            {"wide ", 1},
                            {"wider ", 1}};
  EXPECT_EQ(ranges("messages"), expected);
}

TEST_F(NvtxTest, ARangeWithoutANameKeepsItsPlace) {
  EXPECT_EQ(ranges("nameless"), (Executions{{"around ", 4}}));
}

TEST_F(NvtxTest, EachDomainNestsByItself) {
  EXPECT_EQ(ranges("domains"),
            (Executions{{"c ", 2}, {"global ", 1}, {"a ", 1}, {"in_no_range ", 1}}));
}

TEST_F(NvtxTest, DomainsMayOverlapForEver) {
  EXPECT_EQ(ranges("overlapping"), (Executions{{"b ", 1}, {"in_no_range ", 1}}));
}

TEST_F(NvtxTest, UnbalancedPopsEndNothingElse) {
  EXPECT_EQ(
      ranges("unbalanced"),
      (Executions{{"aten::mm [[1]]", 1}, {"inside ", 1}, {"after ", 1}, {"in_no_range ", 1}}));
}

TEST_F(NvtxTest, RangesOpenBeforeTheAgentStartsAreHandedOver) {
  EXPECT_EQ(ranges("before_injection"),
            (Executions{{"outer ", 1}, {"within ", 1}, {"in_no_range ", 1}}));
}

TEST_F(NvtxTest, EachThreadHasItsOwnRanges) {
  EXPECT_EQ(ranges("threads"), (Executions{{"one ", 100}, {"two ", 100}}));
}

TEST_F(NvtxTest, TextsOfTorchLoseTheirCountersAndGiveShapes) {
  const Executions expected{
      {"aten::mm [[8,64],[64,8]]", 2}, {"aten::mm ", 1}, {"aten::detach ", 1}, {"in_no_range ", 1}};
  EXPECT_EQ(ranges("emitted_by_torch"), expected);  // the last is in "my scope", an annotation
}

TEST_F(NvtxTest, CountersInTextsDoNotGrowTheRecordingWithoutEnd) {
  EXPECT_EQ(ranges("counting"), (Executions{{"early ", 1}, {"(more NVTX ranges) ", 2}}));
  EXPECT_TRUE(has_property("nvtx_range_names", "too many"));
}

TEST_F(NvtxTest, RegisteredStringsThatNoRangeUsesAreNotInTheRecording) {
  const Executions expected{{"opened before the capture ", 2}, {"inner ", 1}, {"in_no_range ", 1}};
  EXPECT_EQ(ranges("registering"), expected);
  EXPECT_FALSE(has_property("nvtx_range_names", ""));
}

TEST_F(NvtxTest, ALongTextIsCutBetweenCharacters) {
  EXPECT_EQ(ranges("long_text"), (Executions{{std::string(511, 'x') + " ", 1}}));
}

TEST_F(NvtxTest, WithTheTorchShimRangesAreAnnotations) {
  EXPECT_EQ(ranges("with_shim"), (Executions{{"aten::mm [[1]]", 1}, {"in_no_range ", 1}}));
  EXPECT_TRUE(has_property("operator_source", "torch"));
}

TEST_F(NvtxTest, SeveralLibrariesShareAThreadsRanges) {
  EXPECT_EQ(ranges("two_libraries"), (Executions{{"inner ", 1}}));
}

TEST_F(NvtxTest, AnUnknownNvtxIsLeftAlone) {
  EXPECT_EQ(ranges("unknown"), (Executions{{"in_no_range ", 1}}));
  EXPECT_TRUE(has_property("operator_source", "none"));
}

TEST_F(NvtxTest, TheSourceOfOperatorsIsTold) {
  EXPECT_EQ(ranges("annotated"), (Executions{{"my::op [[2]]", 1}}));
  EXPECT_TRUE(has_property("operator_source", "annotations"));
}

TEST_F(NvtxTest, WithoutAnAgentTheHostRunsOn) {
  const testing::HostRun host = run("plain", "OPCENSUS_DIR=");
  EXPECT_TRUE(WIFEXITED(host.status));
  EXPECT_EQ(WEXITSTATUS(host.status), 7) << host.err;
  EXPECT_EQ(host.recordings, 0U);
}

}  // namespace
}  // namespace opcensus

// SPDX-License-Identifier: Apache-2.0
//
// From recordings of the agent to a census: every module but the report.
#include <algorithm>
#include <map>

#include <gtest/gtest.h>

#include "src/engine/engine.h"

#include "tests/support/recording_writer.h"
#include "tests/support/temporary_folder.h"

namespace opcensus {
namespace {

using testing::node_id;
using testing::RecordingWriter;
using testing::small_run;
using testing::TemporaryFolder;

Result<Census> census_of(const std::string& path) {
  CensusRequest request;
  request.paths = {path};
  return make_census(request);
}

std::uint64_t events(const Census& census, Phase phase, Tier tier) {
  std::uint64_t sum = 0;
  for (const DeviceTime& row : census.device_times) {
    sum += row.phase == phase && row.tier == tier ? row.events : 0;
  }
  return sum;
}

std::uint64_t calls(const Census& census, Phase phase, std::string_view name) {
  std::uint64_t sum = 0;
  for (const OperatorCalls& row : census.operator_calls) {
    const bool is_it = row.phase == phase && census.signatures[row.signature].operator_name == name;
    sum += is_it ? row.calls : 0;
  }
  return sum;
}

void expect_checks_pass(const Census& census) {
  EXPECT_FALSE(census.checks.empty());
  for (const Check& check : census.checks) {
    EXPECT_TRUE(check.passed) << check.name;
  }
}

bool has_issue(const Census& census, std::string_view name) {
  return std::any_of(census.diagnostics.begin(),
                     census.diagnostics.end(),
                     [name](const CensusDiagnostic& row) { return row.name == name; });
}

TEST(RecordingCensus, AWholeRunIsExact) {
  const TemporaryFolder folder;
  const auto census = census_of(folder.write("host_4242.ocrec", small_run()));
  ASSERT_TRUE(census) << census.error().message;
  expect_checks_pass(*census);
  EXPECT_EQ(events(*census, Phase::Warmup, Tier::Direct), 4U);
  EXPECT_EQ(events(*census, Phase::Eager, Tier::Direct), 1U);
  EXPECT_EQ(events(*census, Phase::Replay, Tier::Exact), 6U);
  EXPECT_EQ(events(*census, Phase::Replay, Tier::Unattributed), 3U);  // memsets of no operator
  EXPECT_EQ(calls(*census, Phase::Warmup, "aten::mm"), 2U);
  EXPECT_EQ(calls(*census, Phase::Capture, "aten::mm"), 2U);
  EXPECT_EQ(calls(*census, Phase::Replay, "aten::mm"), 3U);
  EXPECT_EQ(calls(*census, Phase::Eager, "aten::mm"), 1U);
  ASSERT_EQ(census->graphs.size(), 2U);
  EXPECT_EQ(census->graphs[0].label, "capture_8_FULL");
  EXPECT_EQ(census->graphs[0].batch_size, 8);
  EXPECT_EQ(census->graphs[0].replays, 2U);
  EXPECT_EQ(census->graphs[1].replays, 1U);
  EXPECT_EQ(census->graphs[0].nodes, 3U);
  ASSERT_EQ(census->inputs.size(), 1U);
  EXPECT_EQ(census->inputs[0].format, "opcensus_recording");
  EXPECT_FALSE(has_issue(*census, "no_capture_trace"));
  EXPECT_FALSE(has_issue(*census, "no_warmup"));
}

TEST(RecordingCensus, AnUpdatedGraphStillBalances) {
  RecordingWriter w;
  w.created(1, 0, w.op("aten::old"), 100);
  w.instantiate(2, 1, 1, 200);
  w.created(3, 0, w.op("aten::new"), 550);
  w.node(wire::NodeEvent::Updated, node_id(2, 0), node_id(3, 0), 560);
  w.call(wire::CallKind::GraphLaunch, 500, 1);
  w.call(wire::CallKind::GraphLaunch, 600, 2);
  w.kernel("k1", 700, 1, node_id(2, 0));
  w.kernel("k2", 800, 2, node_id(2, 0));
  w.kernel("k3", 900, 2, node_id(7, 0));  // a graph whose capture was not recorded
  const TemporaryFolder folder;
  const auto census = census_of(folder.write("a.ocrec", w.bytes()));
  ASSERT_TRUE(census);
  expect_checks_pass(*census);
  EXPECT_EQ(calls(*census, Phase::Replay, "aten::old"), 1U);
  EXPECT_EQ(calls(*census, Phase::Replay, "aten::new"), 1U);
  EXPECT_EQ(events(*census, Phase::Replay, Tier::Unattributed), 1U);
  EXPECT_TRUE(has_issue(*census, "no_capture_trace"));
}

TEST(RecordingCensus, AFolderOfProcessesIsOneRankEach) {
  const TemporaryFolder folder;
  (void)folder.write("host_1.ocrec", small_run(0, 1));
  (void)folder.write("host_2.ocrec", small_run(1, 2));
  (void)folder.write("host_3.ocrec", RecordingWriter(-1, 3).bytes());  // an API server
  const auto census = census_of(folder.path().string());
  ASSERT_TRUE(census) << census.error().message;
  expect_checks_pass(*census);
  EXPECT_EQ(census->ranks.size(), 2U);
  EXPECT_EQ(census->graphs.size(), 4U);
  EXPECT_TRUE(has_issue(*census, "frontend_trace_ignored"));
  EXPECT_EQ(events(*census, Phase::Replay, Tier::Exact), 12U);
}

TEST(RecordingCensus, RecordingsOfOneRankShareItsTables) {  // a rank that was started twice
  const TemporaryFolder folder;
  RecordingWriter w(0, 9);
  w.op("another::first");  // signatures have other ids here
  w.created(1, 0, w.op("aten::mm", "[[8,64],[64,64]]", R"(["float","float"])"), 100);
  w.instantiate(2, 1, 1, 200);
  w.call(wire::CallKind::GraphLaunch, 500, 1);
  w.kernel("k", 700, 1, node_id(2, 0));
  (void)folder.write("a.ocrec", small_run(0, 1));
  (void)folder.write("b.ocrec", w.bytes());
  const auto census = census_of(folder.path().string());
  ASSERT_TRUE(census) << census.error().message;
  expect_checks_pass(*census);
  EXPECT_EQ(calls(*census, Phase::Replay, "aten::mm"), 4U);
  EXPECT_EQ(census->graphs.size(), 3U);
}

TEST(RecordingCensus, TheRankMayStandInTheName) {
  const TemporaryFolder folder;
  (void)folder.write("run_rank5.ocrec", small_run(-1, 1));
  (void)folder.write("run_rank6.ocrec", small_run(-1, 2));
  const auto census = census_of(folder.path().string());
  ASSERT_TRUE(census);
  ASSERT_EQ(census->ranks.size(), 2U);
  EXPECT_EQ(census->ranks[0].rank, 5);
}

TEST(RecordingCensus, AKilledProcessLeavesWhatItWrote) {
  const TemporaryFolder folder;
  const std::string bytes = small_run();
  const auto census =
      census_of(folder.write("host_1.ocrec", std::string_view(bytes).substr(0, bytes.size() - 30)));
  ASSERT_TRUE(census);
  expect_checks_pass(*census);
  EXPECT_TRUE(has_issue(*census, "torn_recording"));
  EXPECT_FALSE(census->inputs[0].complete);
}

}  // namespace
}  // namespace opcensus

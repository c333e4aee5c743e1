// SPDX-License-Identifier: Apache-2.0
//
// The agent in a host process, with a fake libcupti in the driver's place: the host must not notice
// it, and the census of its recording must be exact.
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <sstream>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <sys/wait.h>

#include "src/engine/engine.h"

#include "tests/support/temporary_folder.h"

namespace opcensus {
namespace {

struct HostRun {
  int status = 0;  // as waitpid() gives it
  std::string out;
  std::string err;
  std::size_t recordings = 0;
};

std::string read_text(const std::filesystem::path& path) {
  std::ifstream file(path);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

class AgentTest : public ::testing::Test {
 protected:
  HostRun run(const std::string& scenario, const std::string& environment = "") {
    const std::string folder = temporary_.path().string();
    const std::string command = "OPCENSUS_DIR=" + folder +
                                " OPCENSUS_CUPTI=" OPCENSUS_FAKE_CUPTI " " + environment +
                                " " OPCENSUS_SCENARIO " " OPCENSUS_AGENT " " + scenario + " > " +
                                folder + "/out 2> " + folder + "/err";
    HostRun result;
    result.status =
        std::system(("exec env " + command).c_str());  // NOLINT(concurrency-mt-unsafe,cert-env33-c)
    result.out = read_text(folder + "/out");
    result.err = read_text(folder + "/err");
    for (const auto& entry : std::filesystem::directory_iterator(folder)) {
      result.recordings += entry.path().extension() == ".ocrec" ? 1 : 0;
    }
    return result;
  }

  Census census() {
    auto result = make_census({{folder().string()}, std::nullopt, {}});
    EXPECT_TRUE(result.has_value()) << (result ? "" : result.error().message);
    return result ? *result : Census();
  }

  [[nodiscard]] const std::filesystem::path& folder() const { return temporary_.path(); }

 private:
  testing::TemporaryFolder temporary_;
};

void expect_untouched(const HostRun& host) {
  EXPECT_TRUE(WIFEXITED(host.status));
  EXPECT_EQ(WEXITSTATUS(host.status), 7);
  EXPECT_EQ(host.out, "host output\n");
  EXPECT_EQ(host.recordings, 1U);
}

/// "operator shapes" -> executions, of every replayed node.
std::map<std::string, std::uint64_t> executions(const Census& census) {
  std::map<std::string, std::uint64_t> found;
  for (const CensusGraphNode& node : census.graph_nodes) {
    if (node.executions > 0 && node.signature != kNoIndex) {
      const CensusSignature& signature = census.signatures[node.signature];
      found[signature.operator_name + " " + signature.input_shapes] += node.executions;
    }
  }
  return found;
}

std::uint64_t events_of(const Census& census, Tier tier) {
  std::uint64_t events = 0;
  for (const DeviceTime& row : census.device_times) {
    events += row.tier == tier ? row.events : 0;
  }
  return events;
}

const std::map<std::string, std::uint64_t> kServed{{"aten::mm [[8,64]]", 3},
                                                   {"aten::add [[8,64]]", 3},
                                                   {"aten::mm [[4,64]]", 3},
                                                   {"aten::add [[4,64]]", 3}};

void expect_served(const Census& census) {
  EXPECT_EQ(executions(census), kServed);
  EXPECT_EQ(events_of(census, Tier::Exact), 12U);
  EXPECT_EQ(events_of(census, Tier::Direct), 1U);
  EXPECT_EQ(events_of(census, Tier::Unattributed), 0U);
  for (const Check& check : census.checks) {
    EXPECT_TRUE(check.passed) << check.name;
  }
}

TEST_F(AgentTest, EveryReplayedKernelIsExact) {
  const HostRun host = run("serve");
  expect_untouched(host);
  EXPECT_EQ(host.err, "");
  expect_served(census());
}

TEST_F(AgentTest, WhatWasWrittenBeforeAKillIsThere) {
  const HostRun host = run("killed");
  EXPECT_TRUE(WIFSIGNALED(host.status) || WEXITSTATUS(host.status) == 128 + SIGKILL);
  expect_served(census());
}

TEST_F(AgentTest, AForkedChildLeavesTheRecordingAlone) {
  expect_untouched(run("forked"));
  expect_served(census());
}

TEST_F(AgentTest, ThreadsThatCaptureAtOnceKeepTheirOperators) {
  expect_untouched(run("threads"));
  for (const auto& [name, count] : executions(census())) {
    EXPECT_EQ(count, 1U) << name;
  }
  EXPECT_EQ(executions(census()).size(), 4U);
}

TEST_F(AgentTest, AnAbortedCaptureChangesNothing) {
  expect_untouched(run("aborted"));
  EXPECT_EQ(executions(census()), kServed);
}

TEST_F(AgentTest, DroppedRecordsAreCounted) {
  expect_untouched(run("dropped"));
  bool found = false;
  for (const CensusDiagnostic& diagnostic : census().diagnostics) {
    found = found || (diagnostic.name == "records_dropped" && diagnostic.times == 42);
  }
  EXPECT_TRUE(found);
}

TEST_F(AgentTest, WithoutASubscriptionTheHostRunsOn) {
  const HostRun host = run("refused");
  expect_untouched(host);
  EXPECT_NE(host.err.find("another tool"), std::string::npos);
}

TEST_F(AgentTest, SamplingRecordsOneReplayInN) {
  expect_untouched(run("serve", "OPCENSUS_WINDOW=every=3"));
  // Launches 0 and 3 of six: the first of exec 2, the second of exec 4.
  const std::map<std::string, std::uint64_t> sampled{{"aten::mm [[8,64]]", 1},
                                                     {"aten::add [[8,64]]", 1},
                                                     {"aten::mm [[4,64]]", 1},
                                                     {"aten::add [[4,64]]", 1}};
  EXPECT_EQ(executions(census()), sampled);
}

TEST_F(AgentTest, WithoutAWindowOnlyTheMapIsRecorded) {
  expect_untouched(run("serve", "OPCENSUS_WINDOW=none"));
  EXPECT_EQ(events_of(census(), Tier::Exact), 0U);
  EXPECT_EQ(census().graph_nodes.size(), 4U);
}

TEST_F(AgentTest, WithoutADirectoryTheAgentIsOff) {
  const HostRun host = run("serve", "OPCENSUS_DIR=");
  EXPECT_TRUE(WIFEXITED(host.status));
  EXPECT_EQ(WEXITSTATUS(host.status), 7);
  EXPECT_EQ(host.recordings, 0U);
}

}  // namespace
}  // namespace opcensus

// SPDX-License-Identifier: Apache-2.0
//
// The agent in a host process, with a fake libcupti in the driver's place: the host must not notice
// it, and the census of its recording must be exact.
#include <chrono>
#include <csignal>
#include <fstream>
#include <map>
#include <string>
#include <thread>

#include <gtest/gtest.h>
#include <sys/wait.h>

#include "src/launch/window_control.h"

#include "tests/agent/agent_run.h"

namespace opcensus {
namespace {

using testing::AgentTest;
using testing::events_of;
using testing::executions;
using testing::expect_untouched;
using testing::HostRun;

const std::map<std::string, std::uint64_t> kServed{{"aten::mm [[8,64]]", 3},
                                                   {"aten::add [[8,64]]", 3},
                                                   {"aten::mm [[4,64]]", 3},
                                                   {"aten::add [[4,64]]", 3}};

std::uint64_t dropped_in(const Census& census) {
  std::uint64_t dropped = 0;
  for (const CensusDiagnostic& diagnostic : census.diagnostics) {
    dropped += diagnostic.name == "records_dropped" ? diagnostic.times : 0;
  }
  return dropped;
}

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

TEST_F(AgentTest, AChildThatIsForkedAtABadMomentDoesNotHang) {
#ifdef OPCENSUS_SANITIZED
  GTEST_SKIP() << "the sanitizer's own locks hang in such a child";
#endif
  expect_untouched(run("forked_while_busy"));
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

TEST_F(AgentTest, DeviceBuffersAreLimited) {
  const HostRun host = run("device_buffers");
  expect_untouched(host);
  EXPECT_EQ(host.err, "32 device buffers\n");
}

TEST_F(AgentTest, DroppedRecordsAreCounted) {
  expect_untouched(run("dropped"));
  EXPECT_EQ(dropped_in(census()), 42U);
}

TEST_F(AgentTest, AKernelWithoutTimesIsLost) {
  expect_untouched(run("untimed"));
  const Census found = census();
  expect_served(found);
  EXPECT_EQ(dropped_in(found), 1U);
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

TEST_F(AgentTest, AWindowHoldsItsRangeOfGraphLaunches) {
  expect_untouched(run("serve", "OPCENSUS_WINDOW=launches=1..3"));
  // The first of exec 4, the second of exec 2.
  const std::map<std::string, std::uint64_t> held{{"aten::mm [[8,64]]", 1},
                                                  {"aten::add [[8,64]]", 1},
                                                  {"aten::mm [[4,64]]", 1},
                                                  {"aten::add [[4,64]]", 1}};
  EXPECT_EQ(executions(census()), held);
}

TEST_F(AgentTest, ANodeThatRunsAnotherKernelIsStale) {
  expect_untouched(run("stale"));
  const Census found = census();
  EXPECT_EQ(events_of(found, Tier::Exact), 12U);
  EXPECT_EQ(executions(found).at("aten::add [[8,64]]"), 4U) << "the node ran, whatever it ran";
  std::map<std::string, std::uint64_t> calls;
  for (const OperatorCalls& row : found.operator_calls) {
    calls[found.signatures[row.signature].operator_name] +=
        row.phase == Phase::Replay ? row.calls : 0;
  }
  EXPECT_EQ(calls["aten::add"], calls["aten::mm"]) << "but that was no call of its operator";
  std::uint64_t stale = 0;
  for (const DeviceTime& row : found.device_times) {
    stale += row.reason == Reason::StaleNode ? row.events : 0;
  }
  EXPECT_EQ(stale, 1U);
  for (const Check& check : found.checks) {
    EXPECT_TRUE(check.passed) << check.name;
  }
}

/// The answer of the one process, as soon as there is one.
ProcessWindow command(const std::string& folder, const std::string& text) {
  for (int tries = 0; tries < 500; ++tries) {
    const auto windows = command_windows(folder, text, std::chrono::seconds(20));
    if (windows) {
      EXPECT_EQ(windows->size(), 1U);
      return windows->front();
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
  }
  ADD_FAILURE() << "no process listens";
  return {};
}

/// Until the process has made `launches` more.
void wait_for_launches(const std::string& folder, std::uint64_t launches) {
  const std::uint64_t first = command(folder, "status").graph_launches;
  for (int tries = 0; tries < 1000; ++tries) {
    if (command(folder, "status").graph_launches >= first + launches) {
      return;
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
  ADD_FAILURE() << "the process stands still";
}

TEST_F(AgentTest, CommandsOpenAndCloseWindows) {
  HostRun host;
  std::thread runner([&] { host = run("commanded", "OPCENSUS_WINDOW=none OPCENSUS_CONTROL=1"); });
  const std::string place = folder().string();
  EXPECT_FALSE(command(place, "status").is_open);
  EXPECT_TRUE(command(place, "start").is_open);
  wait_for_launches(place, 4);
  const ProcessWindow first = command(place, "stop");
  EXPECT_FALSE(first.is_open);
  EXPECT_GE(first.device_events, 6U);  // the fourth launch may be under way

  EXPECT_TRUE(command(place, "start launches=3").is_open);
  wait_for_launches(place, 6);
  const ProcessWindow second = command(place, "status");
  EXPECT_FALSE(second.is_open);
  EXPECT_EQ(second.windows, 2U);
  EXPECT_NE(command(place, "dance").error, "");

  const ProcessWindow last = command(place, "stop");
  // Three launches at least, one that came while the window opened, and what is left of one that
  // was under way.
  EXPECT_GE(last.device_events, first.device_events + 6);
  EXPECT_LE(last.device_events, first.device_events + 9);
  std::ofstream(folder() / "quit") << "now";
  runner.join();
  expect_untouched(host);
  EXPECT_EQ(host.err, "");
  const auto counts = executions(census());
  EXPECT_EQ(counts.at("aten::mm [[8,64]]") + counts.at("aten::add [[8,64]]"), last.device_events);
  EXPECT_FALSE(command_windows(place, "status", std::chrono::seconds(1))) << "the socket is gone";
}

TEST_F(AgentTest, ThreadsThatEndedAreWrittenAndForgotten) {
  HostRun host;
  std::thread runner([&] { host = run("many_threads", "OPCENSUS_WINDOW=all OPCENSUS_CONTROL=1"); });
  const std::string place = folder().string();
  wait_for_launches(place, 1);
  std::uint64_t threads = 0;
  for (int tries = 0; tries < 500; ++tries) {
    threads = command(place, "status").threads;
    if (threads == 1) {
      break;
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
  }
  EXPECT_EQ(threads, 1U) << "the one that replays";
  std::ofstream(folder() / "quit") << "now";
  runner.join();
  expect_untouched(host);
  const Census found = census();
  std::uint64_t calls = 0;
  for (const OperatorCalls& row : found.operator_calls) {
    calls += found.signatures[row.signature].operator_name == "aten::relu" ? row.calls : 0;
  }
  EXPECT_EQ(calls, 200U);
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

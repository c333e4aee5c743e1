// SPDX-License-Identifier: Apache-2.0
#include "src/launch/process.h"

#include <csignal>

#include <gtest/gtest.h>

#include "src/launch/environment.h"

#include "tests/support/temporary_folder.h"

namespace opcensus {
namespace {

constexpr std::chrono::seconds kLong{60};

Result<Finished> run_shell(const std::string& script,
                           StandardError standard_error = StandardError::Dropped) {
  return run_captured({"sh", "-c", script}, kLong, standard_error);
}

int target_status(const std::string& script) {
  const auto status = run_target({"sh", "-c", script}, current_environment());
  EXPECT_TRUE(status);
  return status ? *status : -1;
}

TEST(Process, OutputAndStatusAreCaptured) {
  const auto finished = run_shell("echo out; echo err >&2; exit 3");
  ASSERT_TRUE(finished);
  EXPECT_EQ(finished->out, "out\n");
  EXPECT_EQ(finished->status, 3);
  EXPECT_FALSE(finished->is_timed_out);
}

TEST(Process, StandardErrorIsCapturedWhenAskedFor) {
  const auto finished = run_shell("echo err >&2", StandardError::WithOutput);
  ASSERT_TRUE(finished);
  EXPECT_EQ(finished->out, "err\n");
}

TEST(Process, MuchOutputDoesNotBlock) {
  const auto finished = run_shell("head -c 1000000 /dev/zero");
  ASSERT_TRUE(finished);
  EXPECT_EQ(finished->out.size(), 1000000U);
}

TEST(Process, ThereIsNoInput) {
  const auto finished = run_shell("cat");
  ASSERT_TRUE(finished);
  EXPECT_EQ(finished->out, "");
}

TEST(Process, TheLimitEndsAChildAndItsChildren) {
  const auto finished = run_captured({"sh", "-c", "sh -c 'while :; do :; done'; :"},
                                     std::chrono::seconds(0),
                                     StandardError::Dropped);
  ASSERT_TRUE(finished);
  EXPECT_TRUE(finished->is_timed_out);
  EXPECT_EQ(finished->status, 128 + SIGKILL);
}

TEST(Process, AProgramThatIsNotThereIsAnError) {
  const auto finished = run_captured({"/no/such/program"}, kLong, StandardError::Dropped);
  ASSERT_FALSE(finished);
  EXPECT_EQ(finished.error().code, ErrorCode::NotFound);
  EXPECT_EQ(finished.error().file, "/no/such/program");
}

TEST(Target, ItsStatusIsReturned) {
  EXPECT_EQ(target_status("exit 0"), 0);
  EXPECT_EQ(target_status("exit 7"), 7);
  EXPECT_EQ(target_status("exit 255"), 255);
}

TEST(Target, ASignalThatEndsItIsItsStatus) {
  EXPECT_EQ(target_status("kill -TERM $$"), 128 + SIGTERM);
  EXPECT_EQ(target_status("kill -KILL $$"), 128 + SIGKILL);
}

/// The target sends the signal to us; we pass it back, and it says so with its status.
TEST(Target, SignalsArePassedOn) {
  EXPECT_EQ(target_status("trap 'exit 42' TERM; kill -TERM $PPID; while :; do :; done"), 42);
  EXPECT_EQ(target_status("trap 'exit 43' USR1; kill -USR1 $PPID; while :; do :; done"), 43);
}

TEST(Target, ItsEnvironmentIsTheGivenOne) {
  const auto status =
      run_target({"sh", "-c", "test \"$OPCENSUS_PROBE\" = yes && test -z \"$HOME\""},
                 {"OPCENSUS_PROBE=yes", "PATH=/usr/bin:/bin"});
  ASSERT_TRUE(status);
  EXPECT_EQ(*status, 0);
}

TEST(Target, NoSignalIsBlockedInIt) {
  EXPECT_EQ(target_status("grep -q '^SigBlk:.*0000000000000000$' /proc/self/status"), 0);
}

TEST(Target, AProgramThatIsNotThereIsAnError) {
  const auto status = run_target({"no-such-program-anywhere"}, current_environment());
  ASSERT_FALSE(status);
  EXPECT_EQ(status.error().code, ErrorCode::NotFound);
}

TEST(Target, AFileThatIsNoProgramIsAnError) {
  const testing::TemporaryFolder folder;
  const std::string file = folder.write("data", "not a program");
  const auto status = run_target({file}, current_environment());
  ASSERT_FALSE(status);
  EXPECT_EQ(status.error().code, ErrorCode::Unreadable);
}

}  // namespace
}  // namespace opcensus

// SPDX-License-Identifier: Apache-2.0
#include "agent/window_plan.h"

#include <vector>

#include <gtest/gtest.h>

namespace opcensus::agent {
namespace {

constexpr std::uint64_t kStart = 5'000'000'000;
constexpr std::uint64_t kSecond = 1'000'000'000;
constexpr std::chrono::nanoseconds kPeriod = std::chrono::milliseconds(500);

Settings settings(WindowMode mode, std::uint64_t begin = 0, std::uint64_t end = 0) {
  Settings made;
  made.window = mode;
  made.window_begin = begin;
  made.window_end = end;
  return made;
}

/// Which of the first `count` graph launches run in a window.
std::vector<std::uint64_t> launches_in_window(WindowPlan& plan, std::uint64_t count) {
  bool is_open = plan.opens_at_start();
  std::vector<std::uint64_t> inside;
  for (std::uint64_t launch = 0; launch < count; ++launch) {
    const WindowTurn turn = plan.before_launch(launch);
    is_open = turn == WindowTurn::Open || (is_open && turn != WindowTurn::Close);
    if (is_open) {
      inside.push_back(launch);
    }
  }
  return inside;
}

TEST(WindowPlan, ARangeOfLaunchesIsHalfOpen) {
  WindowPlan plan(settings(WindowMode::Launches, 2, 4), kStart);
  EXPECT_FALSE(plan.opens_at_start());
  EXPECT_EQ(launches_in_window(plan, 8), (std::vector<std::uint64_t>{2, 3}));
}

TEST(WindowPlan, ARangeFromZeroHoldsTheWarmUp) {
  WindowPlan plan(settings(WindowMode::Launches, 0, 2), kStart);
  EXPECT_TRUE(plan.opens_at_start());
  EXPECT_EQ(launches_in_window(plan, 5), (std::vector<std::uint64_t>{0, 1}));
}

TEST(WindowPlan, SamplingTakesOneOfEvery) {
  WindowPlan plan(settings(WindowMode::Every, 0, 3), kStart);
  EXPECT_EQ(launches_in_window(plan, 8), (std::vector<std::uint64_t>{0, 3, 6}));
}

TEST(WindowPlan, AlwaysAndNever) {
  WindowPlan all(settings(WindowMode::All), kStart);
  EXPECT_EQ(launches_in_window(all, 3).size(), 3U);
  WindowPlan none(settings(WindowMode::None), kStart);
  EXPECT_TRUE(launches_in_window(none, 3).empty());
  EXPECT_EQ(none.wait_from(kStart, kPeriod), kPeriod) << "the writer must not spin";
}

TEST(WindowPlan, SecondsCountFromTheStart) {
  WindowPlan plan(settings(WindowMode::Seconds, 1, 3), kStart);
  EXPECT_FALSE(plan.opens_at_start());
  EXPECT_EQ(plan.wait_from(kStart, kPeriod), kPeriod);
  EXPECT_EQ(plan.wait_from(kStart + kSecond - 7, kPeriod).count(), 7);
  EXPECT_EQ(plan.at_time(kStart + kSecond - 1), WindowTurn::None);
  EXPECT_EQ(plan.at_time(kStart + kSecond), WindowTurn::Open);
  EXPECT_EQ(plan.at_time(kStart + kSecond), WindowTurn::None);
  EXPECT_EQ(plan.wait_from(kStart + 3 * kSecond + 1, kPeriod).count(), 0);
  EXPECT_EQ(plan.at_time(kStart + 9 * kSecond), WindowTurn::Close);
  EXPECT_EQ(plan.wait_from(kStart + 9 * kSecond, kPeriod), kPeriod);
}

TEST(WindowPlan, ATurnThatIsLateOpensNothing) {
  WindowPlan plan(settings(WindowMode::Seconds, 1, 3), kStart);
  EXPECT_EQ(plan.at_time(kStart + 4 * kSecond), WindowTurn::Close);
  EXPECT_EQ(plan.at_time(kStart + 5 * kSecond), WindowTurn::None);
}

TEST(WindowPlan, ACommandReplacesWhatWasPlanned) {
  WindowPlan plan(settings(WindowMode::Launches, 100, 200), kStart);
  plan.close_at(7, WindowPlan::kNever);
  EXPECT_EQ(plan.before_launch(6), WindowTurn::None);
  EXPECT_EQ(plan.before_launch(9), WindowTurn::Close);
  EXPECT_EQ(plan.before_launch(150), WindowTurn::None);
}

}  // namespace
}  // namespace opcensus::agent

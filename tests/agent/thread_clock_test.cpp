// SPDX-License-Identifier: Apache-2.0
#include "agent/thread_clock.h"

#include <chrono>
#include <cstdint>
#include <thread>
#include <utility>

#include <gtest/gtest.h>

namespace opcensus::agent {
namespace {

/// A machine whose counter counts 2 in a nanosecond, and whose clock can be set.
struct Machine {
  static inline std::uint64_t passed_ns = 0;
  static inline std::uint64_t epoch_ns = 0;
  static inline std::uint64_t looks = 0;
  static inline std::uint64_t interruption_ns = 0;  // between the counter and the clock, once
  static inline std::uint64_t counter_offset = 0;   // of the processor that runs the thread
  static inline bool has_counter = true;

  static void reset() {
    passed_ns = 1'000'000;
    epoch_ns = 1'800'000'000'000'000'000;
    looks = interruption_ns = counter_offset = 0;
    has_counter = true;
  }

  static std::uint64_t ticks() noexcept { return has_counter ? 2 * passed_ns + counter_offset : 0; }

  static std::uint64_t steady_ns() noexcept {
    return passed_ns += std::exchange(interruption_ns, 0);
  }

  static std::uint64_t time_ns() noexcept {
    ++looks;
    return epoch_ns + steady_ns();
  }
};

class ThreadClockTest : public ::testing::Test {
 protected:
  void SetUp() override {
    Machine::reset();
    rate_.measure();
    Machine::passed_ns += 500'000'000;
    rate_.measure();
    Machine::looks = 0;
  }

  std::uint64_t now() { return clock_.now(rate_); }

  static std::uint64_t truth() { return Machine::epoch_ns + Machine::passed_ns; }

  TickRate<Machine> rate_;
  ThreadClock<Machine> clock_;
};

TEST_F(ThreadClockTest, BetweenTwoLooksTheCounterTells) {
  for (int i = 0; i < 1000; ++i) {
    Machine::passed_ns += 400;
    EXPECT_EQ(now(), truth());
  }
  EXPECT_EQ(Machine::looks, 1U);
}

TEST_F(ThreadClockTest, LooksAgainAfterAWhile) {
  now();
  Machine::passed_ns += 5'000'000;
  Machine::epoch_ns += 77;  // NTP
  EXPECT_EQ(now(), truth());
  EXPECT_EQ(Machine::looks, 2U);
}

TEST_F(ThreadClockTest, WithoutACounterTheClockTellsAlone) {
  Machine::has_counter = false;
  TickRate<Machine> unknown;
  unknown.measure();
  Machine::passed_ns += 500'000'000;
  unknown.measure();
  EXPECT_EQ(unknown.ns_per_tick(), 0);
  for (int i = 0; i < 10; ++i) {
    Machine::passed_ns += 400;
    EXPECT_EQ(clock_.now(unknown), truth());
  }
  EXPECT_EQ(Machine::looks, 10U);
}

TEST_F(ThreadClockTest, CountersThatDifferAreNotUsed) {
  Machine::counter_offset = 40'000'000;  // 20 ms
  Machine::passed_ns += 500'000'000;
  rate_.measure();
  EXPECT_EQ(rate_.ns_per_tick(), 0);
  Machine::passed_ns += 500'000'000;
  rate_.measure();
  EXPECT_EQ(rate_.ns_per_tick(), 0) << "for good";
}

TEST_F(ThreadClockTest, AnInterruptedLookIsNotUsed) {
  Machine::interruption_ns = 700'000;  // the look is right, the counter's value is old
  const std::uint64_t told = now();
  EXPECT_EQ(told, truth());
  Machine::passed_ns += 400;
  EXPECT_EQ(now(), truth());
  EXPECT_EQ(Machine::looks, 2U);
}

TEST_F(ThreadClockTest, AnInterruptedMeasurementIsNotUsed) {
  Machine::passed_ns += 500'000'000;
  Machine::interruption_ns = 50'000'000;
  rate_.measure();
  EXPECT_EQ(rate_.ns_per_tick(), 0.5);
}

TEST_F(ThreadClockTest, NeverGoesBackByItsOwnError) {
  const std::uint64_t before = now();
  Machine::epoch_ns -= 300;
  Machine::passed_ns += 5'000'000;
  Machine::epoch_ns -= 5'000'000;
  EXPECT_EQ(now(), before + 1);
}

TEST_F(ThreadClockTest, FollowsAClockThatWasSetBack) {
  now();
  Machine::passed_ns += 5'000'000;
  Machine::epoch_ns -= 3'600'000'000'000;
  EXPECT_EQ(now(), truth());
}

TEST_F(ThreadClockTest, NoTwoTimesAreEqual) {
  const std::uint64_t first = now();
  EXPECT_EQ(now(), first + 1);
  EXPECT_EQ(now(), first + 2);
  Machine::passed_ns += 400;
  EXPECT_EQ(now(), truth());
}

/// On the machine that runs the test: whatever its counter is, the error stays small.
TEST(SystemTicks, AgreeWithTheClock) {
  TickRate<> rate;
  rate.measure();
  std::this_thread::sleep_for(std::chrono::milliseconds(60));
  rate.measure();
  ThreadClock<> clock;
  constexpr std::uint64_t kError = 2'000'000;  // where a machine's counter is bad; 200 else
  std::uint64_t last = 0;
  for (int i = 0; i < 100'000; ++i) {
    const std::uint64_t before = now_ns();
    const std::uint64_t told = clock.now(rate);
    const std::uint64_t after = now_ns();
    EXPECT_GE(told, last);
    EXPECT_GE(told + kError, before);
    EXPECT_LE(told, after + kError);
    last = told;
  }
}

}  // namespace
}  // namespace opcensus::agent

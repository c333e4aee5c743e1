/* SPDX-License-Identifier: Apache-2.0
 *
 * The time on one thread, in CUPTI's clock. On virtual machines a look at the system's clock can
 * take 100 ns, longer than everything else that is done for an operator. So between two looks, at
 * most a millisecond apart, the processor's counter tells what has passed: its rate is measured
 * again and again (TickRate), so that the error stays below a microsecond, and most of that is the
 * same for everything in that millisecond.
 *
 * Thread: TickRate::measure one; TickRate::ns_per_tick any; ThreadClock its own.
 */
#pragma once

#include <algorithm>
#include <atomic>
#include <cmath>
#include <cstdint>

#include "agent/clock.h"

namespace opcensus::agent {

/* Clocks, for tests to replace. */
struct SystemTicks {
  /* Counts at one rate whatever the processor's frequency; 0 = there is none here. */
  static std::uint64_t ticks() noexcept;
  static std::uint64_t steady_ns() noexcept; /* never set, unlike now_ns */
  static std::uint64_t time_ns() noexcept;
};

/* What a clock and the counter say at one moment; ticks 0 = there is no counter, or the thread was
 * interrupted between the two. */
struct Look {
  std::uint64_t ticks;
  std::uint64_t ns;
};

template <class Source>
Look look_at(std::uint64_t (*clock)() noexcept) noexcept {
  constexpr std::uint64_t kLongest = 20'000; /* 5 to 20 us */
  const std::uint64_t before = Source::ticks();
  const std::uint64_t ns = clock();
  return {Source::ticks() - before < kLongest ? before : 0, ns};
}

template <class Source = SystemTicks>
class TickRate {
 public:
  /* 0 = not known yet, or not steady: the counters of two processors may differ. */
  [[nodiscard]] double ns_per_tick() const noexcept {
    return rate_.load(std::memory_order_relaxed);
  }

  /* Again every half a second or so; sooner changes nothing. */
  void measure() noexcept {
    const Look look = look_at<Source>(Source::steady_ns);
    if (look.ticks == 0 || is_unsteady_ || (last_.ticks != 0 && look.ns < last_.ns + kShortestNs)) {
      return;
    }
    if (last_.ticks != 0) {
      const double rate =
          static_cast<double>(look.ns - last_.ns) / static_cast<double>(look.ticks - last_.ticks);
      const double before = ns_per_tick();
      is_unsteady_ = before != 0 && std::abs(rate / before - 1) > kSteady;
      rate_.store(is_unsteady_ ? 0 : rate, std::memory_order_relaxed);
    }
    last_ = look;
  }

 private:
  static constexpr std::uint64_t kShortestNs = 50'000'000; /* against the error of a look */
  static constexpr double kSteady = 1e-3;                  /* NTP slews by 5e-4 at most */

  std::atomic<double> rate_{0};
  Look last_{};
  bool is_unsteady_ = false;
};

template <class Source = SystemTicks>
class ThreadClock {
 public:
  /* Later than all that it said before, unless the system's clock was set back. */
  std::uint64_t now(const TickRate<Source>& rate) noexcept {
    const double ns_per_tick = rate.ns_per_tick();
    if (ns_per_tick == 0) {
      return last_ = Source::time_ns();
    }
    const std::uint64_t passed = Source::ticks() - look_.ticks;
    if (look_.ticks == 0 || passed > kTrustedTicks) {
      look();
    } else {
      last_ = std::max(
          last_ + 1,
          look_.ns + static_cast<std::uint64_t>(static_cast<double>(passed) * ns_per_tick));
    }
    return last_;
  }

 private:
  /* Half a millisecond to one and a half, for counters of 1 to 4 GHz. */
  static constexpr std::uint64_t kTrustedTicks = std::uint64_t{3} << 19U;
  static constexpr std::uint64_t kSlackNs = 10'000;

  void look() noexcept {
    look_ = look_at<Source>(Source::time_ns);
    /* A clock that was set back is followed; one that only seems so by our error is not. */
    const bool seems_back = look_.ns <= last_ && last_ - look_.ns < kSlackNs;
    last_ = seems_back ? last_ + 1 : look_.ns;
  }

  Look look_{};
  std::uint64_t last_ = 0;
};

}  // namespace opcensus::agent

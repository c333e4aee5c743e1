/* SPDX-License-Identifier: Apache-2.0
 *
 * When the timeline is on: by counts of graph launches, by time, by sampling, or by command.
 * Decides only; the agent opens and closes. Thread: any, without locks; each turn is told once.
 */
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>

#include "agent/settings.h"

namespace opcensus::agent {

enum class WindowTurn : std::uint8_t { None, Open, Close };

class WindowPlan {
 public:
  /* Times count from `start_ns`, launches from 0. */
  WindowPlan(const Settings& settings, std::uint64_t start_ns) noexcept;

  /* The window is open from the start, so that warm-up runs are in it. */
  [[nodiscard]] bool opens_at_start() const noexcept { return opens_at_start_; }

  /* Before graph launch number `launch`. */
  WindowTurn before_launch(std::uint64_t launch) noexcept;

  WindowTurn at_time(std::uint64_t now_ns) noexcept;

  /* Until the next turn by time, and `longest` at most. */
  [[nodiscard]] std::chrono::nanoseconds wait_from(std::uint64_t now_ns,
                                                   std::chrono::nanoseconds longest) const noexcept;

  /* A window was opened by command: it closes before graph launch `launch` and at `time_ns`,
   * whichever comes first. */
  void close_at(std::uint64_t launch, std::uint64_t time_ns) noexcept;

  static constexpr std::uint64_t kNever = UINT64_MAX;

 private:
  bool opens_at_start_ = false;
  std::uint64_t sample_every_ = 0;
  std::atomic<std::uint64_t> open_launch_{kNever};
  std::atomic<std::uint64_t> close_launch_{kNever};
  std::atomic<std::uint64_t> open_ns_{kNever};
  std::atomic<std::uint64_t> close_ns_{kNever};
};

}  // namespace opcensus::agent

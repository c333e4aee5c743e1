/* SPDX-License-Identifier: Apache-2.0 */
#include "agent/window_plan.h"

#include <algorithm>

namespace opcensus::agent {
namespace {

constexpr std::uint64_t kSecond = 1'000'000'000;

/* True once, for the first that comes when `planned` is reached. */
bool is_due(std::atomic<std::uint64_t>& planned, std::uint64_t now) noexcept {
  std::uint64_t turn = planned.load(std::memory_order_relaxed);
  return now >= turn && turn != WindowPlan::kNever &&
         planned.compare_exchange_strong(turn, WindowPlan::kNever);
}

WindowTurn turn_of(std::atomic<std::uint64_t>& open,
                   std::atomic<std::uint64_t>& close,
                   std::uint64_t now) noexcept {
  if (is_due(close, now)) {
    open = WindowPlan::kNever;
    return WindowTurn::Close;
  }
  return is_due(open, now) ? WindowTurn::Open : WindowTurn::None;
}

}  // namespace

WindowPlan::WindowPlan(const Settings& settings, std::uint64_t start_ns) noexcept {
  switch (settings.window) {
    case WindowMode::None:
      break;
    case WindowMode::All:
      opens_at_start_ = true;
      break;
    case WindowMode::Every:
      sample_every_ = std::max<std::uint64_t>(settings.window_end, 1);
      break;
    case WindowMode::Launches:
      opens_at_start_ = settings.window_begin == 0;
      open_launch_ = opens_at_start_ ? kNever : settings.window_begin;
      close_launch_ = settings.window_end;
      break;
    case WindowMode::Seconds:
      opens_at_start_ = settings.window_begin == 0;
      open_ns_ = opens_at_start_ ? kNever : start_ns + settings.window_begin * kSecond;
      close_ns_ = start_ns + settings.window_end * kSecond;
      break;
  }
}

WindowTurn WindowPlan::before_launch(std::uint64_t launch) noexcept {
  if (sample_every_ > 0) {
    const std::uint64_t position = launch % sample_every_;
    if (position < 2) {
      return position == 0 ? WindowTurn::Open : WindowTurn::Close;
    }
  }
  return turn_of(open_launch_, close_launch_, launch);
}

WindowTurn WindowPlan::at_time(std::uint64_t now_ns) noexcept {
  return turn_of(open_ns_, close_ns_, now_ns);
}

std::chrono::nanoseconds WindowPlan::wait_from(std::uint64_t now_ns,
                                               std::chrono::nanoseconds longest) const noexcept {
  const std::uint64_t turn = std::min(open_ns_.load(), close_ns_.load());
  const std::uint64_t left = turn > now_ns ? turn - now_ns : 0;
  return left < static_cast<std::uint64_t>(longest.count())
             ? std::chrono::nanoseconds(static_cast<std::int64_t>(left))
             : longest;
}

void WindowPlan::close_at(std::uint64_t launch, std::uint64_t time_ns) noexcept {
  open_launch_ = kNever;
  open_ns_ = kNever;
  close_launch_ = launch;
  close_ns_ = time_ns;
}

}  // namespace opcensus::agent

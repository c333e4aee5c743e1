// SPDX-License-Identifier: Apache-2.0
//
// Sums of counts that end at the limit instead of wrapping around, like Nanoseconds: a hostile
// file cannot make a large count small.
#pragma once

#include <cstdint>
#include <limits>

#include "src/base/nanoseconds.h"

namespace opcensus {

[[nodiscard]] constexpr std::uint64_t add_counts(std::uint64_t a, std::uint64_t b) {
  std::uint64_t sum = 0;
  return __builtin_add_overflow(a, b, &sum) ? std::numeric_limits<std::uint64_t>::max() : sum;
}

/// Device events and their time.
struct EventSum {
  std::uint64_t events = 0;
  Nanoseconds time;

  void add(std::uint64_t more_events, Nanoseconds more_time) {
    events = add_counts(events, more_events);
    time += more_time;
  }

  friend bool operator==(const EventSum&, const EventSum&) = default;
};

}  // namespace opcensus

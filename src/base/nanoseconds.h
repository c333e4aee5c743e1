// SPDX-License-Identifier: Apache-2.0
//
// Nanoseconds: the one unit of time inside opcensus. Integer, signed, and saturating: a hostile
// trace with absurd durations ends at the limit instead of in undefined behaviour.
#pragma once

#include <compare>
#include <cstdint>
#include <limits>

namespace opcensus {

class Nanoseconds {
 public:
  constexpr Nanoseconds() = default;

  constexpr explicit Nanoseconds(std::int64_t count) : count_(count) {}

  [[nodiscard]] constexpr std::int64_t count() const { return count_; }

  friend constexpr auto operator<=>(Nanoseconds, Nanoseconds) = default;

  friend constexpr Nanoseconds operator+(Nanoseconds a, Nanoseconds b) {
    std::int64_t sum = 0;
    if (__builtin_add_overflow(a.count_, b.count_, &sum)) {
      return limit(b.count_ > 0);
    }
    return Nanoseconds(sum);
  }

  friend constexpr Nanoseconds operator-(Nanoseconds a, Nanoseconds b) {
    std::int64_t difference = 0;
    if (__builtin_sub_overflow(a.count_, b.count_, &difference)) {
      return limit(b.count_ < 0);
    }
    return Nanoseconds(difference);
  }

  constexpr Nanoseconds& operator+=(Nanoseconds other) { return *this = *this + other; }

  constexpr Nanoseconds& operator-=(Nanoseconds other) { return *this = *this - other; }

 private:
  static constexpr Nanoseconds limit(bool upper) {
    return Nanoseconds(upper ? std::numeric_limits<std::int64_t>::max()
                             : std::numeric_limits<std::int64_t>::min());
  }

  std::int64_t count_ = 0;
};

}  // namespace opcensus

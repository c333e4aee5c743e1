// SPDX-License-Identifier: Apache-2.0
//
// Numbers for people. Files use base units and never this.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "src/base/nanoseconds.h"

namespace opcensus {

/// "1,234,567"
[[nodiscard]] std::string format_count(std::uint64_t count);

/// "583 kB"
[[nodiscard]] std::string format_bytes(std::uint64_t bytes);

/// "8.7 %"; "<0.1 %" and ">99.9 %" where rounding would say none or all.
[[nodiscard]] std::string format_share(std::uint64_t part, std::uint64_t total);

[[nodiscard]] std::string format_share(Nanoseconds part, Nanoseconds total);

/// total ÷ divisor with two decimals below 1,000: "3.00", "1,234".
[[nodiscard]] std::string format_ratio(std::uint64_t total, std::uint64_t divisor);

/// One unit and number of decimals for a whole column, so that its values compare at a glance:
/// four significant digits for the largest, or more where least_decimals asks for them (never in
/// whole nanoseconds).
class TimeScale {
 public:
  TimeScale(Nanoseconds largest, std::uint64_t divisor, int least_decimals = 0);

  [[nodiscard]] std::string_view unit() const { return unit_; }

  /// time ÷ divisor, without the unit: "63.10"; "<0.01" where rounding would say zero.
  [[nodiscard]] std::string number(Nanoseconds time) const;

  [[nodiscard]] std::string text(Nanoseconds time) const;  ///< with the unit: "63.10 µs"

 private:
  std::string_view unit_ = "ns";
  double unit_ns_ = 1;
  int decimals_ = 0;
  std::uint64_t divisor_ = 1;
};

/// time ÷ divisor in the unit that fits it: "727.8 µs".
[[nodiscard]] std::string format_time(Nanoseconds time, std::uint64_t divisor = 1);

}  // namespace opcensus

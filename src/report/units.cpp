// SPDX-License-Identifier: Apache-2.0
#include "src/report/units.h"

#include <algorithm>
#include <array>
#include <cmath>

#include <fmt/format.h>

#include "src/analyze/percent.h"

namespace opcensus {
namespace {

struct Unit {
  std::string_view name;
  double size;
};

constexpr std::array<Unit, 3> kTimeUnits{{{"s", 1e9}, {"ms", 1e6}, {"µs", 1e3}}};
constexpr std::array<Unit, 4> kByteUnits{{{"TB", 1e12}, {"GB", 1e9}, {"MB", 1e6}, {"kB", 1e3}}};

/// Decimals that make four significant digits of a value of at least 1.
int decimals_for(double value) {
  if (value < 9.9995) {
    return 3;
  }
  if (value < 99.995) {
    return 2;
  }
  return value < 999.95 ? 1 : 0;
}

std::string group_thousands(std::string digits) {
  for (std::size_t i = digits.size(); i > 3; i -= 3) {
    digits.insert(i - 3, ",");
  }
  return digits;
}

/// With thousands separators in front of the decimals.
std::string format_decimal(double value, int decimals) {
  const std::string text = fmt::format("{:.{}f}", value, decimals);
  const std::size_t point = std::min(text.find('.'), text.size());
  return group_thousands(text.substr(0, point)) + text.substr(point);
}

std::string share_text(const std::string& percent, bool is_zero, bool is_all) {
  if (percent == "0.0" && !is_zero) {
    return "<0.1 %";
  }
  if (percent == "100.0" && !is_all) {
    return ">99.9 %";
  }
  return percent + " %";
}

}  // namespace

std::string format_count(std::uint64_t count) {
  return group_thousands(fmt::format("{}", count));
}

std::string format_bytes(std::uint64_t bytes) {
  const auto value = static_cast<double>(bytes);
  for (const Unit& unit : kByteUnits) {
    if (value >= unit.size) {
      const double scaled = value / unit.size;
      return fmt::format("{:.{}f} {}", scaled, scaled < 9.95 ? 1 : 0, unit.name);
    }
  }
  return fmt::format("{} B", bytes);
}

std::string format_share(std::uint64_t part, std::uint64_t total) {
  return share_text(percent_text(part, total, 1), part == 0, part >= total);
}

std::string format_share(Nanoseconds part, Nanoseconds total) {
  return share_text(percent_text(part, total, 1), part.count() == 0, part >= total);
}

std::string format_ratio(std::uint64_t total, std::uint64_t divisor) {
  const double ratio = static_cast<double>(total) / static_cast<double>(divisor);
  return format_decimal(ratio, ratio < 999.995 ? 2 : 0);
}

TimeScale::TimeScale(Nanoseconds largest, std::uint64_t divisor, int least_decimals)
    : divisor_(divisor) {
  const double value = static_cast<double>(largest.count()) / static_cast<double>(divisor);
  for (const Unit& unit : kTimeUnits) {
    // From 1,000 on four digits fill the smaller unit: 999.95 µs is shown as 1.000 ms.
    if (value >= unit.size * 0.99995) {
      unit_ = unit.name;
      unit_ns_ = unit.size;
      decimals_ = std::max(decimals_for(value / unit.size), least_decimals);
      return;
    }
  }
  decimals_ = divisor > 1 ? 1 : 0;
}

std::string TimeScale::number(Nanoseconds time) const {
  const double value = static_cast<double>(time.count()) / static_cast<double>(divisor_) / unit_ns_;
  const double smallest = std::pow(10.0, -decimals_);
  if (time.count() > 0 && value < smallest / 2) {
    return "<" + format_decimal(smallest, decimals_);
  }
  return format_decimal(value, decimals_);
}

std::string TimeScale::text(Nanoseconds time) const {
  return fmt::format("{} {}", number(time), unit_);
}

std::string format_time(Nanoseconds time, std::uint64_t divisor) {
  return TimeScale(time, divisor).text(time);
}

}  // namespace opcensus

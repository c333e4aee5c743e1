// SPDX-License-Identifier: Apache-2.0
#include "src/analyze/percent.h"

#include <algorithm>

#include <fmt/format.h>

namespace opcensus {
namespace {

// A product of two 64-bit numbers; __extension__ because ISO C++ has no such type.
__extension__ using Wide = unsigned __int128;

std::uint64_t power_of_ten(int exponent) {
  std::uint64_t power = 1;
  for (int i = 0; i < exponent; ++i) {
    power *= 10;
  }
  return power;
}

std::uint64_t non_negative(Nanoseconds time) {
  return static_cast<std::uint64_t>(std::max<std::int64_t>(time.count(), 0));
}

}  // namespace

std::string percent_text(std::uint64_t part, std::uint64_t total, int decimals) {
  const std::uint64_t scale = power_of_ten(decimals);
  const Wide scaled =
      total == 0 ? Wide{0} : (Wide{part} * 100 * scale + Wide{total} / 2) / Wide{total};
  const auto whole = static_cast<std::uint64_t>(scaled / scale);
  const auto fraction = static_cast<std::uint64_t>(scaled % scale);
  return decimals == 0 ? fmt::format("{}", whole)
                       : fmt::format("{}.{:0{}}", whole, fraction, decimals);
}

std::string percent_text(Nanoseconds part, Nanoseconds total, int decimals) {
  return percent_text(non_negative(part), non_negative(total), decimals);
}

}  // namespace opcensus

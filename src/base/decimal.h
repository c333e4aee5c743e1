// SPDX-License-Identifier: Apache-2.0
//
// Decimal text to integers, exactly. Traces write microseconds with three decimals and absolute
// times above 2^53: a double on the way would lose nanoseconds.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

#include "src/base/digits.h"
#include "src/base/nanoseconds.h"

namespace opcensus {

/// Largest magnitude that parse_decimal returns: sums and differences of two such values fit.
inline constexpr std::int64_t kDecimalLimit = std::int64_t{1} << 62;

/// A number cut into its parts; views into the text.
struct DecimalParts {
  std::string_view whole;     ///< digits before the point
  std::string_view fraction;  ///< digits after it
  std::int64_t exponent = 0;  ///< clamped to +-100000
  bool negative = false;
};

namespace decimal_detail {

constexpr bool take_sign(std::string_view& text) {
  if (text.empty() || (text.front() != '-' && text.front() != '+')) {
    return false;
  }
  const bool negative = text.front() == '-';
  text.remove_prefix(1);
  return negative;
}

constexpr std::optional<std::int64_t> take_exponent(std::string_view& text) {
  if (text.empty() || (text.front() != 'e' && text.front() != 'E')) {
    return 0;
  }
  text.remove_prefix(1);
  const bool negative = take_sign(text);
  const std::string_view digits = take_digits(text);
  if (digits.empty()) {
    return std::nullopt;
  }
  std::int64_t value = 0;
  for (const char digit : digits) {
    value = std::min<std::int64_t>(value * 10 + (digit - '0'), 100000);
  }
  return negative ? -value : value;
}

}  // namespace decimal_detail

/// none if the text is not a decimal number: [sign] digits [. digits] [e [sign] digits].
[[nodiscard]] constexpr std::optional<DecimalParts> split_decimal(std::string_view text) {
  DecimalParts parts;
  parts.negative = decimal_detail::take_sign(text);
  parts.whole = take_digits(text);
  if (!text.empty() && text.front() == '.') {
    text.remove_prefix(1);
    parts.fraction = take_digits(text);
  }
  const auto exponent = decimal_detail::take_exponent(text);
  if ((parts.whole.empty() && parts.fraction.empty()) || !exponent || !text.empty()) {
    return std::nullopt;
  }
  parts.exponent = *exponent;
  return parts;
}

/// The number times 10^decimals, rounded half away from zero. none if the text is not a decimal
/// number, or the result is beyond kDecimalLimit.
[[nodiscard]] constexpr std::optional<std::int64_t> parse_decimal(std::string_view text,
                                                                  int decimals) {
  const auto parts = split_decimal(text);
  if (!parts) {
    return std::nullopt;
  }
  // Digits before `kept` make the result; the digit at `kept` rounds it; the rest is dropped.
  const auto digits = static_cast<std::int64_t>(parts->whole.size() + parts->fraction.size());
  const std::int64_t kept =
      static_cast<std::int64_t>(parts->whole.size()) + parts->exponent + decimals;
  const auto digit_at = [&](std::int64_t index) -> int {
    const auto at = static_cast<std::size_t>(index);
    const std::size_t whole = parts->whole.size();
    return (at < whole ? parts->whole[at] : parts->fraction[at - whole]) - '0';
  };
  std::int64_t value = 0;
  for (std::int64_t i = 0; i < kept && (i < digits || value != 0); ++i) {
    value = value * 10 + (i < digits ? digit_at(i) : 0);
    if (value > kDecimalLimit) {
      return std::nullopt;
    }
    if (value > kDecimalLimit / 10 && i + 1 < kept) {
      return std::nullopt;
    }
  }
  if (kept >= 0 && kept < digits && digit_at(kept) >= 5) {
    ++value;
  }
  if (value > kDecimalLimit) {
    return std::nullopt;
  }
  return parts->negative ? -value : value;
}

namespace decimal_detail {

/// The form that profilers write: up to 15 digits, optionally a point and 1 to 3 decimals.
constexpr std::optional<std::int64_t> parse_plain_microseconds(std::string_view text) {
  std::int64_t value = 0;
  std::size_t i = 0;
  for (; i < text.size() && is_digit(text[i]); ++i) {
    value = value * 10 + (text[i] - '0');
    if (i >= 15) {
      return std::nullopt;
    }
  }
  if (i == 0) {
    return std::nullopt;
  }
  std::size_t decimals = 0;
  if (i < text.size() && text[i] == '.') {
    for (++i; i < text.size() && is_digit(text[i]) && decimals < 3; ++i, ++decimals) {
      value = value * 10 + (text[i] - '0');
    }
  }
  if (i != text.size()) {
    return std::nullopt;
  }
  for (; decimals < 3; ++decimals) {
    value *= 10;
  }
  return value;
}

}  // namespace decimal_detail

/// Microseconds as decimal text ("5165214725160.619", "-1.5e1") to nanoseconds. More than three
/// decimals are rounded. none if it is not a number, or beyond kDecimalLimit nanoseconds.
[[nodiscard]] constexpr std::optional<Nanoseconds> parse_microseconds(std::string_view text) {
  auto value = decimal_detail::parse_plain_microseconds(text);
  if (!value) {
    value = parse_decimal(text, 3);
  }
  return value ? std::optional<Nanoseconds>(Nanoseconds(*value)) : std::nullopt;
}

}  // namespace opcensus

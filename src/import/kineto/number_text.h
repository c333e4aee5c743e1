// SPDX-License-Identifier: Apache-2.0
//
// Integers as they stand in traces: plain, quoted, or with a zero fraction ("12.0").
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <system_error>

#include "src/base/decimal.h"
#include "src/base/whole_number.h"

namespace opcensus::import {

/// "12", "-1", "12.0", and unsigned 64-bit values as their two's complement.
[[nodiscard]] inline std::optional<std::int64_t> parse_integer(std::string_view text) {
  if (const auto value = parse_whole<std::int64_t>(text)) {
    return value;
  }
  if (const auto value = parse_whole<std::uint64_t>(text)) {
    return static_cast<std::int64_t>(*value);
  }
  return parse_decimal(text, 0);
}

/// An id; 0 = none, also for negative ones and for what is no number.
[[nodiscard]] inline std::uint64_t parse_id(std::string_view text) {
  if (const auto value = parse_whole<std::uint64_t>(text)) {
    return *value;
  }
  const auto value = parse_decimal(text, 0);
  return value && *value > 0 ? static_cast<std::uint64_t>(*value) : 0;
}

}  // namespace opcensus::import

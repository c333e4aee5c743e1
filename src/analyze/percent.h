// SPDX-License-Identifier: Apache-2.0
//
// Percentages from integers, without floating point: equal on every machine.
#pragma once

#include <cstdint>
#include <string>

#include "src/base/nanoseconds.h"

namespace opcensus {

/// part ÷ total in percent with a fixed number of decimals (0 to 6), rounded half up; 0 if total
/// is 0. "12.345679"
[[nodiscard]] std::string percent_text(std::uint64_t part, std::uint64_t total, int decimals);

[[nodiscard]] std::string percent_text(Nanoseconds part, Nanoseconds total, int decimals);

}  // namespace opcensus

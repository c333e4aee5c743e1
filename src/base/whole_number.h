// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <charconv>
#include <optional>
#include <string_view>

namespace opcensus {

/// The number that all of `text` is; none if anything else stands there, or it does not fit. No
/// white space, no plus sign; a minus sign for signed types only.
template <class Integer>
[[nodiscard]] std::optional<Integer> parse_whole(std::string_view text) {
  Integer value{};
  const char* const end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, value);
  if (error != std::errc() || stop != end) {
    return std::nullopt;
  }
  return value;
}

}  // namespace opcensus

// SPDX-License-Identifier: Apache-2.0
#include "src/launch/window.h"

#include <cstdint>
#include <optional>

#include "src/base/whole_number.h"

namespace opcensus {
namespace {

constexpr std::string_view kRange = "..";

Error bad_value(std::string_view text, std::string_view what, std::string_view hint) {
  return {ErrorCode::BadArgument,
          "there is no " + std::string(what) + " \"" + std::string(text) + "\"",
          "",
          {},
          std::string(hint)};
}

/// "B" or "A..B" in shortest form; nullopt if it is not that or holds nothing.
std::optional<std::string> parse_range(std::string_view text) {
  const std::size_t dots = text.find(kRange);
  const auto begin = dots == std::string_view::npos
                         ? std::optional<std::uint64_t>(0)
                         : parse_whole<std::uint64_t>(text.substr(0, dots));
  const auto end = parse_whole<std::uint64_t>(
      dots == std::string_view::npos ? text : text.substr(dots + kRange.size()));
  if (!begin || !end || *begin >= *end) {
    return std::nullopt;
  }
  return (*begin == 0 ? "" : std::to_string(*begin) + std::string(kRange)) + std::to_string(*end);
}

}  // namespace

Result<std::string> parse_window(std::string_view text) {
  if (text == "all" || text == "none") {
    return std::string(text);
  }
  for (const std::string_view form : {"launches=", "seconds="}) {
    if (text.starts_with(form)) {
      if (const auto range = parse_range(text.substr(form.size()))) {
        return std::string(form) + *range;
      }
    }
  }
  return bad_value(
      text,
      "window",
      "give all, none, launches=B, launches=A..B, seconds=B or seconds=A..B with A < B");
}

Result<std::string> parse_sample(std::string_view text) {
  constexpr std::string_view kForm = "every=";
  const auto every = text.starts_with(kForm) ? parse_whole<std::uint64_t>(text.substr(kForm.size()))
                                             : std::nullopt;
  if (!every || *every < 2) {
    return bad_value(text, "sampling", "give every=N with N from 2 up");
  }
  return std::string(kForm) + std::to_string(*every);
}

}  // namespace opcensus

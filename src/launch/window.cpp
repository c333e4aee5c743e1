// SPDX-License-Identifier: Apache-2.0
#include "src/launch/window.h"

#include <charconv>
#include <cstdint>

namespace opcensus {
namespace {

Error bad_window(std::string_view text) {
  return {ErrorCode::BadArgument,
          "there is no window \"" + std::string(text) + "\"",
          "",
          {},
          "give all, none, launches=N or every=N with N from 1 up"};
}

/// 0 if `text` is not a number from 1 up.
std::uint64_t parse_launches(std::string_view text) {
  std::uint64_t number = 0;
  const char* const end = text.data() + text.size();
  const auto parsed = std::from_chars(text.data(), end, number);
  return parsed.ec == std::errc() && parsed.ptr == end ? number : 0;
}

}  // namespace

Result<std::string> parse_window(std::string_view text) {
  if (text == "all" || text == "none") {
    return std::string(text);
  }
  for (const std::string_view form : {"launches=", "every="}) {
    if (text.starts_with(form)) {
      const std::uint64_t launches = parse_launches(text.substr(form.size()));
      if (launches > 0) {
        return std::string(form) + std::to_string(launches);
      }
    }
  }
  return bad_window(text);
}

}  // namespace opcensus

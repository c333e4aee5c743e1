// SPDX-License-Identifier: Apache-2.0
//
// The few facts about JSON text that several files here need.
#pragma once

#include <cstddef>
#include <string_view>

namespace opcensus::import {

[[nodiscard]] constexpr bool is_json_space(char c) {
  return c == ' ' || c == '\n' || c == '\r' || c == '\t';
}

[[nodiscard]] constexpr std::size_t skip_json_space(std::string_view text, std::size_t at) {
  while (at < text.size() && is_json_space(text[at])) {
    ++at;
  }
  return at;
}

[[nodiscard]] constexpr std::string_view trim_json_space(std::string_view text) {
  while (!text.empty() && is_json_space(text.back())) {
    text.remove_suffix(1);
  }
  while (!text.empty() && is_json_space(text.front())) {
    text.remove_prefix(1);
  }
  return text;
}

/// Position of the quote that ends a string; `at` is the first byte after the opening quote.
/// npos if it does not end within the text.
[[nodiscard]] constexpr std::size_t find_string_end(std::string_view text, std::size_t at) {
  while (at < text.size()) {
    if (text[at] == '"') {
      return at;
    }
    at += text[at] == '\\' ? 2 : 1;
  }
  return std::string_view::npos;
}

}  // namespace opcensus::import

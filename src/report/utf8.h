// SPDX-License-Identifier: Apache-2.0
//
// Reading UTF-8 that may be damaged: one code point at a time, never beyond the end.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace opcensus {

inline constexpr char32_t kReplacementCharacter = 0xFFFD;

struct CodePoint {
  char32_t value = kReplacementCharacter;
  std::size_t bytes = 1;  ///< consumed; 1 for an invalid byte
  bool valid = false;
};

/// The code point at the beginning of a text that is not empty.
[[nodiscard]] CodePoint read_code_point(std::string_view text);

void append_utf8(std::string& text, char32_t code_point);

}  // namespace opcensus

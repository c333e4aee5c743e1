// SPDX-License-Identifier: Apache-2.0
//
// For tests: everything that a source gives.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "src/io/byte_source.h"

namespace opcensus::testing {

inline constexpr std::size_t kLargeRead = std::size_t{1} << 20U;

/// The content, then its end or Error.
struct Reading {
  std::string content;
  std::optional<Error> error;
};

[[nodiscard]] inline Reading read_all(ByteSource& source, std::size_t chunk = kLargeRead) {
  Reading reading;
  std::vector<char> buffer(chunk);
  for (;;) {
    auto count = source.read(buffer);
    if (!count.has_value()) {
      reading.error = std::move(count).error();
      return reading;
    }
    if (*count == 0) {
      return reading;
    }
    reading.content.append(buffer.data(), *count);
  }
}

[[nodiscard]] inline Reading read_all(std::string_view bytes, std::size_t chunk = kLargeRead) {
  return read_all(*bytes_in_memory(bytes), chunk);
}

[[nodiscard]] inline bool mentions(const std::string& text, std::string_view part) {
  return text.find(part) != std::string::npos;
}

}  // namespace opcensus::testing

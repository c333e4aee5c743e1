// SPDX-License-Identifier: Apache-2.0
//
// For fuzz targets of compressed data: everything that a source gives, up to a limit.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "src/io/byte_source.h"

namespace opcensus::fuzz {

struct Reading {
  std::string content;
  std::optional<Error> error;
  std::uint64_t trailing = 0;
};

/// By reads of `chunk` bytes; `most_content` bytes of content at most, and the rest is not read.
[[nodiscard]] inline Reading read_whole(ByteSource& source,
                                        std::size_t chunk,
                                        std::size_t most_content) {
  Reading reading;
  std::vector<char> buffer(chunk);
  while (reading.content.size() < most_content) {
    auto count = source.read(buffer);
    if (!count.has_value()) {
      reading.error = std::move(count).error();
      break;
    }
    if (*count == 0) {
      reading.trailing = source.trailing_bytes();
      break;
    }
    reading.content.append(buffer.data(), *count);
  }
  reading.content.resize(std::min(reading.content.size(), most_content));
  return reading;
}

inline void require(bool holds) {
  if (!holds) {
    std::abort();
  }
}

/// Of one input of `size` bytes, read in two ways: the same content, and the same outcome unless
/// reading ended at the limit.
inline void require_same(const Reading& one,
                         const Reading& other,
                         std::size_t size,
                         std::size_t most_content) {
  require(one.content == other.content);
  if (one.content.size() < most_content) {
    require(one.error.has_value() == other.error.has_value());
    require(!one.error || one.error->message == other.error->message);
    require(one.trailing == other.trailing);
    require(one.trailing <= size);
  }
}

}  // namespace opcensus::fuzz

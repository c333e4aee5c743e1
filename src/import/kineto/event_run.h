// SPDX-License-Identifier: Apache-2.0
//
// EventRun: consecutive wanted events as one JSON array. Events are copied: a run stays in the
// second-level cache, and does not depend on where chunks end.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace opcensus::import {

struct EventRun {
  std::string text;                    ///< "[event,event" while it grows
  std::vector<std::uint64_t> offsets;  ///< of each event in the content
  std::vector<std::size_t> begins;     ///< of each event in the text

  void add(std::string_view event, std::uint64_t byte_offset) {
    text.push_back(text.empty() ? '[' : ',');
    begins.push_back(text.size());
    offsets.push_back(byte_offset);
    text.append(event);
  }

  /// Of a run that has got its closing bracket.
  [[nodiscard]] std::string_view event(std::size_t index) const {
    const std::size_t begin = begins[index];
    const std::size_t end = index + 1 < begins.size() ? begins[index + 1] - 1 : text.size() - 1;
    return std::string_view(text).substr(begin, end - begin);
  }

  void clear() {
    text.clear();
    offsets.clear();
    begins.clear();
  }
};

}  // namespace opcensus::import

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

#include "src/import/kineto/event_parser.h"

namespace opcensus::import {

struct EventRun {
  std::string text;                    ///< "[event,event" while it grows
  std::vector<std::uint64_t> offsets;  ///< of each event in the content
  std::vector<std::size_t> begins;     ///< of each event in the text
  EventIndex index;                    ///< of the whole text
  bool is_indexed = false;

  void add(std::string_view event, std::uint64_t byte_offset) {
    text.push_back(text.empty() ? '[' : ',');
    begins.push_back(text.size());
    offsets.push_back(byte_offset);
    text.append(event);
  }

  /// The end of the array. From here on moving the run keeps the text where it is.
  void close() {
    text.push_back(']');
    text.reserve(text.size() + EventParser::kPadding);
  }

  /// Of a closed run; does nothing the second time.
  void build_index() {
    if (!is_indexed) {
      index.build(text);
      is_indexed = true;
    }
  }

  /// Of a closed run.
  [[nodiscard]] std::string_view event(std::size_t number) const {
    const std::size_t begin = begins[number];
    const std::size_t end = number + 1 < begins.size() ? begins[number + 1] - 1 : text.size() - 1;
    return std::string_view(text).substr(begin, end - begin);
  }

  void clear() {
    text.clear();
    offsets.clear();
    begins.clear();
    is_indexed = false;
  }
};

}  // namespace opcensus::import

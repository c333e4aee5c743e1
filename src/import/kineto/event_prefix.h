// SPDX-License-Identifier: Apache-2.0
//
// EventPrefix: `ph` and `cat` of an event, if they stand among its leading scalar keys. Lets the
// reader count python_function, flow and instant rows without parsing them: they are up to nine
// tenths of a trace. Strict: whatever is not plain makes the answer "not told".
#pragma once

#include <optional>
#include <string_view>

namespace opcensus::import {

struct EventPrefix {
  std::optional<char> phase;
  std::optional<std::string_view> category;
};

/// `event` begins with '{'.
[[nodiscard]] EventPrefix read_event_prefix(std::string_view event);

/// X, B and E make rows; everything else is only counted.
[[nodiscard]] constexpr bool is_row_phase(char phase) {
  return phase == 'X' || phase == 'B' || phase == 'E';
}

}  // namespace opcensus::import

// SPDX-License-Identifier: Apache-2.0
//
// --window: when the agent records a timeline. The capture map is always on.
#pragma once

#include <string>
#include <string_view>

#include "opcensus/result.h"

namespace opcensus {

inline constexpr std::string_view kWindowForms = "all|none|launches=N|every=N";

/// The value for OPCENSUS_WINDOW: `text` without leading zeros, or what is wrong with it.
[[nodiscard]] Result<std::string> parse_window(std::string_view text);

}  // namespace opcensus

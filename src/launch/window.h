// SPDX-License-Identifier: Apache-2.0
//
// --window and --sample: when the agent records a timeline. The capture map is always on.
#pragma once

#include <string>
#include <string_view>

#include "opcensus/result.h"

namespace opcensus {

/// In ranges, graph launches count from 0 and seconds from the first use of CUDA; B is not in it.
inline constexpr std::string_view kWindowForms = "all|none|launches=[A..]B|seconds=[A..]B";
inline constexpr std::string_view kSampleForms = "every=N";

/// The value for OPCENSUS_WINDOW: `text` with numbers in their shortest form, or what is wrong with
/// it.
[[nodiscard]] Result<std::string> parse_window(std::string_view text);

/// Likewise for one graph launch of every N.
[[nodiscard]] Result<std::string> parse_sample(std::string_view text);

}  // namespace opcensus

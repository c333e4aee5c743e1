// SPDX-License-Identifier: Apache-2.0
//
// Columns on a terminal: how wide a safe_text is, and how it is made to fit.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace opcensus {

/// Columns: 0 for combining characters, 2 for East Asian wide ones and emoji, 1 for the others.
[[nodiscard]] std::size_t display_width(std::string_view text);

/// At most `width` columns (at least 1): the middle is replaced by "…".
[[nodiscard]] std::string shorten_middle(std::string_view text, std::size_t width);

/// Lines of at most `width` columns (at least 2), broken at spaces; a longer word is broken where
/// it must be. Nothing is lost but the spaces at the breaks. width 0: one line.
[[nodiscard]] std::vector<std::string> wrap_text(std::string_view text, std::size_t width);

}  // namespace opcensus

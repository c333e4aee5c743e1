// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>

namespace opcensus::cli {

/// Columns of the terminal on this file descriptor (COLUMNS first); 0 if it is none.
[[nodiscard]] std::size_t terminal_width(int descriptor);

/// `choice` is auto, always or never; auto: a terminal, TERM is not dumb, NO_COLOR is not set.
[[nodiscard]] bool wants_color(const std::string& choice, int descriptor);

}  // namespace opcensus::cli

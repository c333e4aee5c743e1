// SPDX-License-Identifier: Apache-2.0
//
// Names come from traces: they are data, and nobody checked them. Every text passes one of these
// functions on its way out.
#pragma once

#include <string>
#include <string_view>

namespace opcensus {

/// One printable line: control characters, line separators and bidirectional or invisible format
/// characters become visible escapes (\n, \x1b, \u202e), invalid UTF-8 becomes U+FFFD.
[[nodiscard]] std::string safe_text(std::string_view text);

/// A text cell of a CSV file (RFC 4180): safe_text, a leading apostrophe where a spreadsheet
/// would see a formula (= + - @ TAB CR), quotes where needed. Not for numbers.
[[nodiscard]] std::string csv_text_cell(std::string_view text);

/// A JSON string with its quotes. Keeps the content: escapes are JSON's own.
[[nodiscard]] std::string json_string(std::string_view text);

}  // namespace opcensus

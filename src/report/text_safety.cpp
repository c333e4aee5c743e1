// SPDX-License-Identifier: Apache-2.0
#include "src/report/text_safety.h"

#include <iterator>

#include <fmt/format.h>

#include "src/report/utf8.h"

namespace opcensus {
namespace {

bool is_control(char32_t c) {
  return c < 0x20 || (c >= 0x7F && c <= 0x9F);
}

/// Bidirectional and invisible format characters, and what some programs take for a line end.
bool is_deceptive(char32_t c) {
  return (c >= 0x202A && c <= 0x202E) || (c >= 0x2066 && c <= 0x2069) ||
         (c >= 0x200B && c <= 0x200F) || c == 0xFEFF || c == 0x061C || c == 0x2028 || c == 0x2029;
}

void append_visible_escape(std::string& out, char32_t c) {
  const auto number = static_cast<unsigned>(c);
  if (c == U'\n') {
    out += "\\n";
  } else if (c == U'\r') {
    out += "\\r";
  } else if (c == U'\t') {
    out += "\\t";
  } else if (c < 0x80) {
    fmt::format_to(std::back_inserter(out), "\\x{:02x}", number);
  } else {
    fmt::format_to(std::back_inserter(out), "\\u{:04x}", number);
  }
}

void append_json_character(std::string& out, const CodePoint& point, std::string_view bytes) {
  const char32_t c = point.value;
  if (c == U'"' || c == U'\\') {
    out += '\\';
    out += static_cast<char>(c);
  } else if (c == U'\n') {
    out += "\\n";
  } else if (c == U'\t') {
    out += "\\t";
  } else if (is_control(c) || is_deceptive(c)) {
    fmt::format_to(std::back_inserter(out), "\\u{:04x}", static_cast<unsigned>(c));
  } else if (point.valid) {
    out += bytes;
  } else {
    append_utf8(out, kReplacementCharacter);
  }
}

bool starts_formula(char c) {
  return std::string_view("=+-@\t\r").find(c) != std::string_view::npos;
}

}  // namespace

std::string safe_text(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  while (!text.empty()) {
    const CodePoint point = read_code_point(text);
    if (is_control(point.value) || is_deceptive(point.value)) {
      append_visible_escape(out, point.value);
    } else {
      append_utf8(out, point.value);
    }
    text.remove_prefix(point.bytes);
  }
  return out;
}

std::string csv_text_cell(std::string_view text) {
  std::string cell = !text.empty() && starts_formula(text.front()) ? "'" : "";
  cell += safe_text(text);
  if (cell.find_first_of(",\"") == std::string::npos) {
    return cell;
  }
  std::string quoted = "\"";
  for (const char c : cell) {
    quoted += c;
    if (c == '"') {
      quoted += '"';
    }
  }
  quoted += '"';
  return quoted;
}

std::string json_string(std::string_view text) {
  std::string out = "\"";
  out.reserve(text.size() + 2);
  while (!text.empty()) {
    const CodePoint point = read_code_point(text);
    append_json_character(out, point, text.substr(0, point.bytes));
    text.remove_prefix(point.bytes);
  }
  out += '"';
  return out;
}

}  // namespace opcensus

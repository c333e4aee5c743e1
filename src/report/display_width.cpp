// SPDX-License-Identifier: Apache-2.0
#include "src/report/display_width.h"

#include <algorithm>
#include <array>

#include "src/report/utf8.h"

namespace opcensus {
namespace {

struct Range {
  char32_t first;
  char32_t last;
};

// Unicode blocks of combining marks that appear in ordinary text.
constexpr std::array<Range, 6> kZeroWidth{{
    {0x0300, 0x036F},
    {0x0483, 0x0489},
    {0x1AB0, 0x1AFF},
    {0x1DC0, 0x1DFF},
    {0x20D0, 0x20FF},
    {0xFE00, 0xFE0F},
}};

// Unicode East_Asian_Width W and F, by blocks, and emoji.
constexpr std::array<Range, 9> kDoubleWidth{{
    {0x1100, 0x115F},
    {0x2E80, 0x303E},
    {0x3041, 0xA4CF},
    {0xAC00, 0xD7A3},
    {0xF900, 0xFAFF},
    {0xFE30, 0xFE6F},
    {0xFF00, 0xFF60},
    {0x1F300, 0x1FAFF},
    {0x20000, 0x3FFFD},
}};

template <std::size_t size>
bool contains(const std::array<Range, size>& ranges, char32_t c) {
  return std::any_of(ranges.begin(), ranges.end(), [c](const Range& range) {
    return c >= range.first && c <= range.last;
  });
}

std::size_t width_of(char32_t c) {
  if (contains(kZeroWidth, c)) {
    return 0;
  }
  return contains(kDoubleWidth, c) ? 2 : 1;
}

/// Bytes of the longest beginning that is at most `width` columns wide.
std::size_t bytes_within(std::string_view text, std::size_t width) {
  std::size_t bytes = 0;
  std::size_t used = 0;
  while (bytes < text.size()) {
    const CodePoint point = read_code_point(text.substr(bytes));
    used += width_of(point.value);
    if (used > width) {
      break;
    }
    bytes += point.bytes;
  }
  return bytes;
}

/// Begin of the longest end that is at most `width` columns wide.
std::size_t tail_begin(std::string_view text, std::size_t width) {
  std::size_t begin = 0;
  std::size_t left = display_width(text);
  while (left > width) {
    const CodePoint point = read_code_point(text.substr(begin));
    left -= width_of(point.value);
    begin += point.bytes;
  }
  return begin;
}

/// Bytes of the next line: up to the last space that fits, else as much as fits.
std::size_t line_bytes(std::string_view text, std::size_t width) {
  const std::size_t fitting = bytes_within(text, width);
  if (fitting == text.size() || text[fitting] == ' ') {
    return fitting;
  }
  const std::size_t space = text.substr(0, fitting).rfind(' ');
  if (space != std::string_view::npos && space > 0) {
    return space;
  }
  return std::max(fitting, read_code_point(text).bytes);
}

std::string_view without_spaces(std::string_view text, bool at_begin) {
  while (!text.empty() && (at_begin ? text.front() : text.back()) == ' ') {
    if (at_begin) {
      text.remove_prefix(1);
    } else {
      text.remove_suffix(1);
    }
  }
  return text;
}

}  // namespace

std::size_t display_width(std::string_view text) {
  std::size_t width = 0;
  while (!text.empty()) {
    const CodePoint point = read_code_point(text);
    width += width_of(point.value);
    text.remove_prefix(point.bytes);
  }
  return width;
}

std::string shorten_middle(std::string_view text, std::size_t width) {
  if (display_width(text) <= width) {
    return std::string(text);
  }
  const std::size_t room = width > 0 ? width - 1 : 0;
  std::string shortened(text.substr(0, bytes_within(text, room - room / 2)));
  shortened += "…";
  shortened += text.substr(tail_begin(text, room / 2));
  return shortened;
}

std::vector<std::string> wrap_text(std::string_view text, std::size_t width) {
  if (width == 0 || display_width(text) <= width) {
    return {std::string(text)};
  }
  std::vector<std::string> lines;
  while (!text.empty()) {
    const std::size_t bytes = line_bytes(text, width);
    lines.emplace_back(without_spaces(text.substr(0, bytes), false));
    text = without_spaces(text.substr(bytes), true);
  }
  return lines;
}

}  // namespace opcensus

/* SPDX-License-Identifier: Apache-2.0 */
#include "agent/nvtx_text.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>

#include "src/base/digits.h"

namespace opcensus::agent {
namespace {

constexpr std::string_view kSequence = ", seq = ";
constexpr std::string_view kOperatorId = ", op_id = ";
constexpr std::string_view kSizes = ", sizes = ";
constexpr std::string_view kInputs = ", input_op_ids = ";

bool take(std::string_view& text, std::string_view beginning) {
  if (!text.starts_with(beginning)) {
    return false;
  }
  text.remove_prefix(beginning.size());
  return true;
}

/* `, op_id = 12`: true if it stands there, with a number. */
bool take_number_field(std::string_view& text, std::string_view field) {
  std::string_view rest = text;
  if (!take(rest, field) || take_digits(rest).empty()) {
    return false;
  }
  text = rest;
  return true;
}

std::size_t fields_begin(std::string_view text) {
  std::size_t begin = std::string_view::npos;
  for (const std::string_view field : std::array{kSequence, kOperatorId, kSizes}) {
    begin = std::min(begin, text.find(field));
  }
  return begin;
}

bool continues_character(char byte) {
  return (static_cast<unsigned char>(byte) & 0xc0U) == 0x80U;
}

/* At most kMaxNameBytes; a character of UTF-8 is kept or left out as a whole. */
std::string_view cut_name(std::string_view name) {
  if (name.size() <= kMaxNameBytes) {
    return name;
  }
  constexpr std::size_t kLongestCharacter = 4;
  std::size_t end = kMaxNameBytes;
  while (end > kMaxNameBytes - kLongestCharacter && continues_character(name[end])) {
    --end;
  }
  return name.substr(0, continues_character(name[end]) ? kMaxNameBytes : end);
}

void append_utf8(std::string& out, std::uint32_t code) {
  const auto byte = [&out](std::uint32_t value) { out += static_cast<char>(value); };
  if (code > 0x10ffffU || (code >= 0xd800U && code <= 0xdfffU)) {
    code = 0xfffdU; /* no character */
  }
  if (code < 0x80U) {
    byte(code);
  } else if (code < 0x800U) {
    byte(0xc0U | (code >> 6U));
    byte(0x80U | (code & 0x3fU));
  } else if (code < 0x10000U) {
    byte(0xe0U | (code >> 12U));
    byte(0x80U | ((code >> 6U) & 0x3fU));
    byte(0x80U | (code & 0x3fU));
  } else {
    byte(0xf0U | (code >> 18U));
    byte(0x80U | ((code >> 12U) & 0x3fU));
    byte(0x80U | ((code >> 6U) & 0x3fU));
    byte(0x80U | (code & 0x3fU));
  }
}

/* One list of numbers, "[8, 16]", compact. */
bool take_shape(std::string_view& text, std::string& out) {
  if (!take(text, "[")) {
    return false;
  }
  out += '[';
  for (bool is_first = true;; is_first = false) {
    if (take(text, "]")) {
      out += ']';
      return true;
    }
    if (!is_first && !take(text, ",")) {
      return false;
    }
    take(text, " ");
    out += is_first ? "" : ",";
    out += take(text, "-") ? "-" : "";
    const std::string_view digits = take_digits(text);
    if (digits.empty()) {
      return false;
    }
    out += digits;
  }
}

}  // namespace

RangeText split_range_text(std::string_view text) noexcept {
  const RangeText whole{cut_name(text), {}, false};
  const std::size_t begin = fields_begin(text);
  if (begin == std::string_view::npos || begin == 0) {
    return whole;
  }
  const std::string_view name = text.substr(0, begin);
  std::string_view rest = text.substr(begin);
  const bool has_sequence = take_number_field(rest, kSequence);
  const bool has_id = take_number_field(rest, kOperatorId);
  const bool has_sizes = take(rest, kSizes);
  if (!has_sizes && !rest.empty() && !rest.starts_with(kInputs)) {
    return whole; /* somebody else's text that looks alike */
  }
  const std::string_view sizes = has_sizes ? rest.substr(0, rest.find(kInputs)) : "";
  /* record_function has neither a sequence number nor inputs; operators of libraries have a
   * namespace, and Inductor's Triton kernels have neither. */
  const bool is_operator = has_sequence || has_sizes || name.find("::") != std::string_view::npos ||
                           name.starts_with("triton_");
  return {cut_name(name), sizes, has_id && !is_operator};
}

std::string shapes_json(std::string_view sizes) {
  std::string out;
  if (!take(sizes, "[")) {
    return "";
  }
  out += '[';
  for (bool is_first = true;; is_first = false) {
    if (take(sizes, "]")) {
      out += ']';
      return sizes.empty() ? out : "";
    }
    if (!is_first && !take(sizes, ",")) {
      return "";
    }
    take(sizes, " ");
    out += is_first ? "" : ",";
    if (!take_shape(sizes, out)) {
      return "";
    }
  }
}

std::string_view host_text(const char* text) noexcept {
  return text == nullptr ? std::string_view()
                         : std::string_view(text, strnlen(text, kMaxTextBytes));
}

std::string host_text(const wchar_t* text) {
  std::string out;
  if (text == nullptr) {
    return out;
  }
  for (; *text != 0 && out.size() < kMaxTextBytes; ++text) {
    append_utf8(out, static_cast<std::uint32_t>(*text));
  }
  return out;
}

}  // namespace opcensus::agent

// SPDX-License-Identifier: Apache-2.0
#include "src/report/utf8.h"

#include <cstdint>

namespace opcensus {
namespace {

std::uint8_t byte_at(std::string_view text, std::size_t index) {
  return static_cast<std::uint8_t>(text[index]);
}

/// Number of bytes that a lead byte announces; 0 for a byte that cannot lead.
std::size_t sequence_length(std::uint8_t lead) {
  if (lead < 0x80) {
    return 1;
  }
  if (lead >= 0xC2 && lead <= 0xDF) {
    return 2;
  }
  if (lead >= 0xE0 && lead <= 0xEF) {
    return 3;
  }
  return lead >= 0xF0 && lead <= 0xF4 ? 4 : 0;
}

/// Overlong forms, surrogates and values beyond Unicode.
bool is_scalar_value(char32_t value, std::size_t length) {
  if (length == 3) {
    return value >= 0x800 && (value < 0xD800 || value > 0xDFFF);
  }
  return length != 4 || (value >= 0x10000 && value <= 0x10FFFF);
}

}  // namespace

CodePoint read_code_point(std::string_view text) {
  const std::uint8_t lead = byte_at(text, 0);
  const std::size_t length = sequence_length(lead);
  if (length == 1) {
    return {lead, 1, true};
  }
  if (length == 0 || text.size() < length) {
    return {};
  }
  char32_t value = lead & (0xFFU >> (length + 1));
  for (std::size_t i = 1; i < length; ++i) {
    const std::uint8_t next = byte_at(text, i);
    if ((next & 0xC0U) != 0x80U) {
      return {};
    }
    value = (value << 6U) | (next & 0x3FU);
  }
  return is_scalar_value(value, length) ? CodePoint{value, length, true} : CodePoint{};
}

void append_utf8(std::string& text, char32_t code_point) {
  const auto append = [&](char32_t byte) { text += static_cast<char>(byte & 0xFFU); };
  if (code_point < 0x80) {
    append(code_point);
  } else if (code_point < 0x800) {
    append(0xC0U | (code_point >> 6U));
    append(0x80U | (code_point & 0x3FU));
  } else if (code_point < 0x10000) {
    append(0xE0U | (code_point >> 12U));
    append(0x80U | ((code_point >> 6U) & 0x3FU));
    append(0x80U | (code_point & 0x3FU));
  } else {
    append(0xF0U | (code_point >> 18U));
    append(0x80U | ((code_point >> 12U) & 0x3FU));
    append(0x80U | ((code_point >> 6U) & 0x3FU));
    append(0x80U | (code_point & 0x3FU));
  }
}

}  // namespace opcensus

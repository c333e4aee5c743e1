// SPDX-License-Identifier: Apache-2.0
#include "src/import/kineto/json_repair.h"

#include <algorithm>
#include <array>
#include <cstddef>

#include "src/import/kineto/json_text.h"

namespace opcensus::import {
namespace {

constexpr std::string_view kReplacement = "\xEF\xBF\xBD";

// Lower case; an optional sign before.
constexpr std::array<std::string_view, 5> kNonFinite{"inf", "infinity", "nan", "n/a", "nan(ind)"};

constexpr std::string_view kHexDigits = "0123456789abcdef";

char lower(char c) {
  return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
}

bool is_non_finite(std::string_view token) {
  if (!token.empty() && (token.front() == '-' || token.front() == '+')) {
    token.remove_prefix(1);
  }
  return std::ranges::any_of(kNonFinite, [&](std::string_view known) {
    return std::ranges::equal(token, known, {}, lower);
  });
}

bool ends_token(char c) {
  return is_json_space(c) || c == ',' || c == ':' || c == '"' || c == '{' || c == '}' || c == '[' ||
         c == ']';
}

/// Length of the UTF-8 sequence at the front; 0 if it is not valid.
std::size_t utf8_length(std::string_view text) {
  struct Form {
    unsigned char mask;
    unsigned char lead;
    std::uint32_t least;  ///< smaller values are overlong
  };

  constexpr std::array<Form, 3> kForms{
      {{0xE0, 0xC0, 0x80}, {0xF0, 0xE0, 0x800}, {0xF8, 0xF0, 0x10000}}};
  const auto first = static_cast<unsigned char>(text.front());
  if (first < 0x80) {
    return 1;
  }
  for (std::size_t i = 0; i < kForms.size(); ++i) {
    if ((first & kForms[i].mask) != kForms[i].lead || text.size() < i + 2) {
      continue;
    }
    std::uint32_t value = first & static_cast<unsigned char>(~kForms[i].mask);
    for (std::size_t k = 1; k < i + 2; ++k) {
      const auto next = static_cast<unsigned char>(text[k]);
      if ((next & 0xC0U) != 0x80) {
        return 0;
      }
      value = (value << 6) | (next & 0x3FU);
    }
    const bool is_surrogate = value >= 0xD800 && value <= 0xDFFF;
    return value >= kForms[i].least && value <= 0x10FFFF && !is_surrogate ? i + 2 : 0;
  }
  return 0;
}

/// The value of "\uXXXX" at the front; -1 if it is none.
int unicode_escape(std::string_view text) {
  if (text.size() < 6 || text[0] != '\\' || text[1] != 'u') {
    return -1;
  }
  int value = 0;
  for (std::size_t i = 2; i < 6; ++i) {
    const std::size_t digit = kHexDigits.find(lower(text[i]));
    if (digit == std::string_view::npos) {
      return -1;
    }
    value = value * 16 + static_cast<int>(digit);
  }
  return value;
}

class Repairer {
 public:
  Repairer(std::string_view text, std::string& out) : text_(text), out_(out) {}

  std::uint64_t run() {
    while (at_ < text_.size()) {
      if (text_[at_] == '"') {
        copy_string();
      } else if (ends_token(text_[at_])) {
        copy(1);
      } else {
        copy_token();
      }
    }
    return non_finite_;
  }

 private:
  void copy(std::size_t count) {
    out_.append(text_.substr(at_, count));
    at_ += count;
  }

  void replace(std::size_t count, std::string_view by) {
    out_.append(by);
    at_ += count;
  }

  void copy_token() {
    std::size_t end = at_;
    while (end < text_.size() && !ends_token(text_[end])) {
      ++end;
    }
    if (is_non_finite(text_.substr(at_, end - at_))) {
      ++non_finite_;
      replace(end - at_, "null");
    } else {
      copy(end - at_);
    }
  }

  void copy_string() {
    copy(1);
    while (at_ < text_.size() && text_[at_] != '"') {
      copy_character();
    }
    copy(std::min<std::size_t>(1, text_.size() - at_));
  }

  void copy_character() {
    const auto c = static_cast<unsigned char>(text_[at_]);
    if (c == '\\') {
      copy_escape();
    } else if (c < 0x20) {
      const std::array<char, 6> escape{
          '\\', 'u', '0', '0', kHexDigits[c >> 4], kHexDigits[c & 0xFU]};
      replace(1, std::string_view(escape.data(), escape.size()));
    } else if (const std::size_t length = utf8_length(text_.substr(at_)); length > 0) {
      copy(length);
    } else {
      replace(1, kReplacement);
    }
  }

  void copy_escape() {
    const std::string_view rest = text_.substr(at_);
    const int value = unicode_escape(rest);
    if (value >= 0xD800 && value <= 0xDFFF) {
      const int low = unicode_escape(rest.substr(6));
      if (value <= 0xDBFF && low >= 0xDC00 && low <= 0xDFFF) {
        copy(12);
      } else {
        replace(6, kReplacement);
      }
    } else if (value >= 0) {
      copy(6);
    } else if (rest.size() > 1 &&
               std::string_view("\"\\/bfnrt").find(rest[1]) != std::string_view::npos) {
      copy(2);
    } else {
      replace(1, "\\\\");
    }
  }

  std::string_view text_;
  std::string& out_;
  std::size_t at_ = 0;
  std::uint64_t non_finite_ = 0;
};

}  // namespace

std::uint64_t repair_json(std::string_view text, std::string& repaired) {
  repaired.clear();
  return Repairer(text, repaired).run();
}

}  // namespace opcensus::import

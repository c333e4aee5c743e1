// SPDX-License-Identifier: Apache-2.0
#include "src/import/execution_trace/json_walk.h"

namespace opcensus::import::json_walk {
namespace {

constexpr bool is_space(char c) {
  return c == ' ' || c == '\n' || c == '\r' || c == '\t';
}

constexpr bool ends_scalar(char c) {
  return is_space(c) || c == ',' || c == ']' || c == '}' || c == ':';
}

/// After the quote that ends the string whose first quote is at `at`; npos if there is none.
std::size_t find_string_end(std::string_view text, std::size_t at) {
  for (std::size_t i = at + 1; i < text.size(); ++i) {
    if (text[i] == '\\') {
      ++i;
    } else if (text[i] == '"') {
      return i + 1;
    }
  }
  return std::string_view::npos;
}

std::size_t find_bracket_end(std::string_view text, std::size_t at) {
  std::size_t depth = 0;
  while (at < text.size()) {
    const char c = text[at];
    if (c == '"') {
      at = find_string_end(text, at);
      continue;
    }
    ++at;
    if (c == '[' || c == '{') {
      ++depth;
    } else if ((c == ']' || c == '}') && --depth == 0) {
      return at;
    }
  }
  return std::string_view::npos;
}

}  // namespace

std::size_t skip_space(std::string_view text, std::size_t at) {
  while (at < text.size() && is_space(text[at])) {
    ++at;
  }
  return at;
}

std::size_t find_value_end(std::string_view text, std::size_t at) {
  if (at >= text.size()) {
    return std::string_view::npos;
  }
  if (text[at] == '"') {
    return find_string_end(text, at);
  }
  if (text[at] == '[' || text[at] == '{') {
    return find_bracket_end(text, at);
  }
  const std::size_t begin = at;
  while (at < text.size() && !ends_scalar(text[at])) {
    ++at;
  }
  // A number at the very end may have lost digits.
  return at == begin || at == text.size() ? std::string_view::npos : at;
}

bool is_array(std::string_view value) {
  return value.size() >= 2 && value.front() == '[' && value.back() == ']';
}

bool Members::next_key() {
  at_ = skip_space(text_, at_);
  if (at_ < text_.size() && text_[at_] == ',') {
    at_ = skip_space(text_, at_ + 1);
  }
  if (at_ >= text_.size() || text_[at_] != '"') {
    is_complete_ = at_ < text_.size() && text_[at_] == '}';
    return false;
  }
  const std::size_t end = find_string_end(text_, at_);
  if (end == std::string_view::npos) {
    return false;
  }
  key_ = text_.substr(at_ + 1, end - at_ - 2);
  const std::size_t colon = skip_space(text_, end);
  if (colon >= text_.size() || text_[colon] != ':') {
    return false;
  }
  at_ = skip_space(text_, colon + 1);
  return true;
}

bool Members::take_value() {
  const std::size_t end = find_value_end(text_, at_);
  if (end == std::string_view::npos) {
    return false;
  }
  value_ = text_.substr(at_, end - at_);
  at_ = end;
  return true;
}

bool Elements::next() {
  at_ = skip_space(text_, at_);
  if (at_ < text_.size() && text_[at_] == ',') {
    at_ = skip_space(text_, at_ + 1);
  }
  if (at_ < text_.size() && text_[at_] == ']') {
    ++at_;
    is_complete_ = true;
    return false;
  }
  const std::size_t end = find_value_end(text_, at_);
  if (end == std::string_view::npos) {
    return false;
  }
  value_ = text_.substr(at_, end - at_);
  at_ = end;
  return true;
}

}  // namespace opcensus::import::json_walk

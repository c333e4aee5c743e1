// SPDX-License-Identifier: Apache-2.0
#include "src/report/flat_json.h"

#include <algorithm>
#include <charconv>
#include <cstddef>
#include <cstdint>
#include <optional>

#include "src/base/digits.h"
#include "src/report/utf8.h"

namespace opcensus {
namespace {

/// [-]digits[.digits], without leading zeros: what may go into JSON as it is.
bool is_plain_number(std::string_view text) {
  if (!text.empty() && text.front() == '-') {
    text.remove_prefix(1);
  }
  const std::size_t point = std::min(text.find('.'), text.size());
  const std::string_view whole = text.substr(0, point);
  const std::string_view fraction = text.substr(std::min(point + 1, text.size()));
  const bool has_fraction = point < text.size();
  return !whole.empty() && std::all_of(whole.begin(), whole.end(), is_digit) &&
         (whole.size() == 1 || whole.front() != '0') && has_fraction == !fraction.empty() &&
         std::all_of(fraction.begin(), fraction.end(), is_digit);
}

class Reader {
 public:
  explicit Reader(std::string_view text) : rest_(text) {}

  /// Skips white space, then `c` if it is next.
  bool take(char c) {
    skip_space();
    if (rest_.empty() || rest_.front() != c) {
      return false;
    }
    rest_.remove_prefix(1);
    return true;
  }

  [[nodiscard]] bool at_string() {
    skip_space();
    return !rest_.empty() && rest_.front() == '"';
  }

  /// Nothing if the string is not one, or does not end.
  std::optional<std::string> read_string() {
    if (!take('"')) {
      return std::nullopt;
    }
    std::string text;
    while (!rest_.empty()) {
      const char c = rest_.front();
      rest_.remove_prefix(1);
      if (c == '"') {
        return text;
      }
      if (c == '\\') {
        read_escape(text);
      } else {
        text += c;
      }
    }
    return std::nullopt;
  }

  /// A number or word, up to the next separator; "" at a bracket, which is skipped with its
  /// content.
  std::string_view read_other() {
    skip_space();
    if (!rest_.empty() && (rest_.front() == '{' || rest_.front() == '[')) {
      skip_nested();
      return {};
    }
    const std::size_t end = std::min(rest_.find_first_of(",]} \t\r\n"), rest_.size());
    const std::string_view word = rest_.substr(0, end);
    rest_.remove_prefix(end);
    return word;
  }

 private:
  void skip_space() {
    const std::size_t begin = rest_.find_first_not_of(" \t\r\n");
    rest_.remove_prefix(std::min(begin, rest_.size()));
  }

  void read_escape(std::string& text) {
    if (rest_.empty()) {
      return;
    }
    const char c = rest_.front();
    rest_.remove_prefix(1);
    static constexpr std::string_view kNames = "nrtbf";
    static constexpr std::string_view kValues = "\n\r\t\b\f";
    if (c == 'u') {
      read_unicode_escape(text);
    } else if (kNames.find(c) != std::string_view::npos) {
      text += kValues[kNames.find(c)];
    } else {
      text += c;
    }
  }

  // Surrogate pairs are not joined: versions and dtypes have none, and U+FFFD is shown instead.
  void read_unicode_escape(std::string& text) {
    const std::string_view digits = rest_.substr(0, 4);
    std::uint16_t value = 0;
    const auto [end, error] =
        std::from_chars(digits.data(), digits.data() + digits.size(), value, 16);
    const bool is_surrogate = value >= 0xD800 && value <= 0xDFFF;
    const bool is_good = error == std::errc() && end == digits.data() + 4 && !is_surrogate;
    append_utf8(text, is_good ? char32_t{value} : kReplacementCharacter);
    rest_.remove_prefix(digits.size());
  }

  void skip_nested() {
    std::size_t depth = 0;
    while (!rest_.empty()) {
      if (at_string()) {
        read_string();
        continue;
      }
      if (rest_.empty()) {
        return;
      }
      const char c = rest_.front();
      rest_.remove_prefix(1);
      depth += c == '{' || c == '[' ? 1 : 0;
      depth -= c == '}' || c == ']' ? 1 : 0;
      if (depth == 0) {
        return;
      }
    }
  }

  std::string_view rest_;
};

/// Reads one value; nothing at a nested or missing one.
std::optional<FlatMember> read_value(Reader& reader) {
  if (reader.at_string()) {
    const std::optional<std::string> text = reader.read_string();
    return text ? std::optional(FlatMember{{}, *text, false}) : std::nullopt;
  }
  const std::string_view word = reader.read_other();
  return word.empty() ? std::nullopt
                      : std::optional(FlatMember{{}, std::string(word), is_plain_number(word)});
}

}  // namespace

std::vector<FlatMember> parse_flat_object(std::string_view json) {
  std::vector<FlatMember> members;
  Reader reader(json);
  if (!reader.take('{')) {
    return members;
  }
  do {
    std::optional<std::string> name = reader.read_string();
    if (!name || !reader.take(':')) {
      break;
    }
    if (std::optional<FlatMember> member = read_value(reader)) {
      member->name = *name;
      members.push_back(*member);
    }
  } while (reader.take(','));
  return members;
}

std::vector<std::string> parse_string_array(std::string_view json) {
  std::vector<std::string> elements;
  Reader reader(json);
  if (!reader.take('[') || reader.take(']')) {
    return elements;
  }
  do {
    if (reader.at_string()) {
      elements.push_back(reader.read_string().value_or(std::string()));
    } else {
      reader.read_other();
      elements.emplace_back();
    }
  } while (reader.take(','));
  return elements;
}

}  // namespace opcensus

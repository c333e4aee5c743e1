// SPDX-License-Identifier: Apache-2.0
//
// For tests: JSON and numbers, read in a slow and obvious way that shares nothing with the
// reader's.
#pragma once

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <cstdlib>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <nlohmann/json.hpp>

namespace opcensus::import::testing {

/// Keeps the order of keys, and all scalars as they are written: numbers as "#1.50", strings as
/// "$caf\u00e9", keys likewise.
using RawJson = nlohmann::ordered_json;

/// Behind the string that begins at `at` in valid JSON.
inline std::size_t end_of_string(std::string_view json, std::size_t at) {
  for (++at; json[at] != '"'; ++at) {
    at += json[at] == '\\' ? 1U : 0U;
  }
  return at + 1;
}

/// A string of `mark` and the text.
inline void append_quoted(char mark, std::string_view text, std::string& out) {
  out.append({'"', mark});
  for (const char c : text) {
    out.append(c == '\\' || c == '"' ? "\\" : "").push_back(c);
  }
  out.push_back('"');
}

/// Valid JSON with every number and string replaced by a string of its own text.
inline std::string with_raw_scalars(std::string_view json) {
  std::string out;
  for (std::size_t at = 0; at < json.size();) {
    const std::size_t begin = at;
    if (json[at] == '"') {
      at = end_of_string(json, at);
      append_quoted('$', json.substr(begin + 1, at - begin - 2), out);
    } else if (json[at] == '-' || (json[at] >= '0' && json[at] <= '9')) {
      at = std::min(json.find_first_not_of("0123456789+-.eE", at), json.size());
      append_quoted('#', json.substr(begin, at - begin), out);
    } else {
      out.push_back(json[at++]);
    }
  }
  return out;
}

inline std::string unescaped(std::string_view raw) {
  return nlohmann::json::parse('"' + std::string(raw) + '"').get<std::string>();
}

inline std::string key_text(const std::string& raw_key) {
  return unescaped(std::string_view(raw_key).substr(1));
}

/// What a string or number says; empty for anything else.
inline std::string text_of(const RawJson& value) {
  if (!value.is_string()) {
    return {};
  }
  const auto& raw = value.get_ref<const std::string&>();
  return raw.front() == '#' ? raw.substr(1) : unescaped(std::string_view(raw).substr(1));
}

inline bool is_text(const RawJson& value) {
  return value.is_string() && value.get_ref<const std::string&>().front() == '$';
}

/// As it is written, without white space.
inline std::string raw_text(const RawJson& value) {
  std::string text;
  if (value.is_array()) {
    for (const RawJson& element : value) {
      text += (text.empty() ? "" : ",") + raw_text(element);
    }
    return "[" + text + "]";
  }
  if (value.is_object()) {
    for (const auto& [key, member] : value.items()) {
      text += (text.empty() ? "\"" : ",\"") + key.substr(1) + "\":" + raw_text(member);
    }
    return "{" + text + "}";
  }
  if (!value.is_string()) {
    return value.dump();
  }
  const auto& raw = value.get_ref<const std::string&>();
  return raw.front() == '#' ? raw.substr(1) : '"' + raw.substr(1) + '"';
}

inline std::string trimmed(std::string text) {
  constexpr const char* kSpace = " \t\r\n";
  text.erase(std::min(text.find_last_not_of(kSpace) + 1, text.size()));
  text.erase(0, text.find_first_not_of(kSpace));
  return text;
}

struct SlowDecimal {
  bool is_number = false;
  std::optional<std::int64_t> value;  ///< none if it is no number or too large
};

/// The number times 10^decimals, by moving the point in its text; half away from zero.
inline SlowDecimal slow_decimal(std::string_view text, int decimals) {
  const auto take = [&text](const char* wanted, std::size_t most) {
    const std::size_t count = std::min({text.find_first_not_of(wanted), text.size(), most});
    std::string taken(text.substr(0, count));
    text.remove_prefix(count);
    return taken;
  };
  constexpr const char* kDigits = "0123456789";
  constexpr std::size_t kAll = std::string_view::npos;
  const bool is_negative = take("+-", 1) == "-";
  const std::string whole = take(kDigits, kAll);
  const std::string fraction = take(".", 1).empty() ? "" : take(kDigits, kAll);
  long long exponent = 0;
  if (!take("eE", 1).empty()) {
    const std::string sign = take("+-", 1);
    const std::string size = take(kDigits, kAll);
    if (size.empty()) {
      return {};
    }
    exponent = std::min(std::strtoll(size.c_str(), nullptr, 10), 100'000LL);
    exponent = sign == "-" ? -exponent : exponent;
  }
  if (!text.empty() || (whole.empty() && fraction.empty())) {
    return {};
  }
  std::string digits = whole + fraction;
  const std::size_t zeros = std::min(digits.find_first_not_of('0'), digits.size());
  digits.erase(0, zeros);
  const long long point =
      static_cast<long long>(whole.size()) + exponent + decimals - static_cast<long long>(zeros);
  if (digits.empty() || point < 0) {
    return {true, 0};
  }
  if (point > 19) {
    return {true, std::nullopt};
  }
  const auto places = static_cast<std::size_t>(point);
  digits.resize(std::max(digits.size(), places + 1), '0');
  std::uint64_t value = std::strtoull(("0" + digits.substr(0, places)).c_str(), nullptr, 10);
  value += digits[places] >= '5' ? 1 : 0;
  if (value > std::uint64_t{1} << 62U) {
    return {true, std::nullopt};
  }
  const auto magnitude = static_cast<std::int64_t>(value);
  return {true, is_negative ? -magnitude : magnitude};
}

inline bool is_digits(std::string_view text) {
  return !text.empty() && text.find_first_not_of("0123456789") == std::string_view::npos;
}

inline std::uint64_t slow_id(const std::string& text) {
  if (is_digits(text)) {
    errno = 0;
    const std::uint64_t value = std::strtoull(text.c_str(), nullptr, 10);
    return errno == 0 ? value : 0;
  }
  return static_cast<std::uint64_t>(
      std::max<std::int64_t>(slow_decimal(text, 0).value.value_or(0), 0));
}

/// Above the signed ones as their two's complement.
inline std::optional<std::int64_t> slow_integer(const std::string& text) {
  if (is_digits(text) && slow_id(text) != 0) {
    return static_cast<std::int64_t>(slow_id(text));
  }
  if (text.starts_with('-') && is_digits(text.substr(1))) {
    errno = 0;
    const std::int64_t value = std::strtoll(text.c_str(), nullptr, 10);
    return errno == 0 ? std::optional(value) : std::nullopt;
  }
  return slow_decimal(text, 0).value;
}

/// A document as the slow reader wants it. None if it is no JSON, or if good readers may differ
/// about it: keys that stand twice, integers beyond 64 bits, deep nesting, escapes in the outermost
/// keys.
class RawDocument {
 public:
  static std::optional<RawJson> parse(std::string_view content) {
    // A zero byte is the end for nlohmann.
    if (content.find('\0') != std::string_view::npos || !nlohmann::json::accept(content)) {
      return std::nullopt;
    }
    RawDocument document;
    RawJson root = RawJson::parse(with_raw_scalars(content),
                                  [&](int depth, RawJson::parse_event_t event, RawJson& parsed) {
                                    document.see(depth, event, parsed);
                                    return true;
                                  });
    return document.is_clear_ ? std::optional(std::move(root)) : std::nullopt;
  }

 private:
  static constexpr int kMaxDepth = 30;

  void see(int depth, RawJson::parse_event_t event, const RawJson& parsed) {
    is_clear_ = is_clear_ && depth < kMaxDepth;
    if (event == RawJson::parse_event_t::object_start) {
      keys_.emplace_back();
    } else if (event == RawJson::parse_event_t::object_end) {
      keys_.pop_back();
    } else if (event == RawJson::parse_event_t::key) {
      const auto& key = parsed.get_ref<const std::string&>();
      const bool is_new = keys_.back().insert(key_text(key)).second;
      const bool is_plain = depth > 1 || key.find('\\') == std::string::npos;
      is_clear_ = is_clear_ && is_new && is_plain;
    } else if (event == RawJson::parse_event_t::value && parsed.is_string()) {
      const auto& raw = parsed.get_ref<const std::string&>();
      is_clear_ = is_clear_ && (raw.front() != '#' || has_64_bits(raw.substr(1)));
    }
  }

  static bool has_64_bits(const std::string& number) {
    if (number.find_first_of(".eE") != std::string::npos) {
      return true;
    }
    errno = 0;
    if (number.front() == '-') {
      static_cast<void>(std::strtoll(number.c_str(), nullptr, 10));
    } else {
      static_cast<void>(std::strtoull(number.c_str(), nullptr, 10));
    }
    return errno == 0;
  }

  std::vector<std::set<std::string>> keys_;
  bool is_clear_ = true;
};

}  // namespace opcensus::import::testing

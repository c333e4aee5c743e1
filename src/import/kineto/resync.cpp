// SPDX-License-Identifier: Apache-2.0
#include "src/import/kineto/resync.h"

#include <algorithm>
#include <array>

#include "src/import/kineto/bracket_scan.h"
#include "src/import/kineto/json_text.h"

namespace opcensus::import {
namespace {

constexpr std::array<std::string_view, 10> kEventKeys{"\"ph\"",
                                                      "\"name\"",
                                                      "\"cat\"",
                                                      "\"pid\"",
                                                      "\"tid\"",
                                                      "\"ts\"",
                                                      "\"dur\"",
                                                      "\"id\"",
                                                      "\"args\"",
                                                      "\"s\""};

// "ph" stands first or follows the name, which may be long.
constexpr std::size_t kPhaseWithin = 8192;

char char_at(std::string_view text, std::size_t at) {
  return at < text.size() ? text[at] : '\0';
}

/// The last byte before `at` that is no white space; '\0' if none. Moves `at` onto it.
char previous_char(std::string_view text, std::size_t& at) {
  while (at > 0) {
    --at;
    if (!is_json_space(text[at])) {
      return text[at];
    }
  }
  return '\0';
}

bool follows_an_event(std::string_view text, std::size_t brace) {
  std::size_t at = brace;
  return previous_char(text, at) == ',' && previous_char(text, at) == '}';
}

bool begins_an_event(std::string_view text, std::size_t brace) {
  const std::string_view rest = text.substr(skip_json_space(text, brace + 1));
  const auto* const key = std::ranges::find_if(
      kEventKeys, [&](std::string_view known) { return rest.starts_with(known); });
  if (key == kEventKeys.end() || char_at(rest, skip_json_space(rest, key->size())) != ':') {
    return false;
  }
  const std::string_view window = rest.substr(0, kPhaseWithin);
  return count_phase_words(window.data(), window.data() + window.size()) > 0;
}

}  // namespace

std::optional<std::size_t> find_event_start(std::string_view text, std::size_t from) {
  for (std::size_t at = text.find('{', from); at != std::string_view::npos;
       at = text.find('{', at + 1)) {
    if (follows_an_event(text, at) && begins_an_event(text, at)) {
      return at;
    }
  }
  return std::nullopt;
}

std::optional<std::size_t> find_array_end(std::string_view text, std::size_t from) {
  for (std::size_t at = text.rfind(']'); at != std::string_view::npos && at >= from;
       at = at == 0 ? std::string_view::npos : text.rfind(']', at - 1)) {
    std::size_t before = at;
    std::size_t after = skip_json_space(text, at + 1);
    const bool ends_keys = char_at(text, after) == '}';
    after = skip_json_space(text, after + 1);
    const bool next_key =
        char_at(text, skip_json_space(text, at + 1)) == ',' && char_at(text, after) == '"';
    if (previous_char(text, before) == '}' && (ends_keys || next_key)) {
      return at;
    }
  }
  return std::nullopt;
}

std::optional<std::size_t> find_event_array(std::string_view text, std::size_t from) {
  constexpr std::string_view kKey = "\"traceEvents\"";
  for (std::size_t at = text.find(kKey, from); at != std::string_view::npos;
       at = text.find(kKey, at + 1)) {
    const std::size_t colon = skip_json_space(text, at + kKey.size());
    if (char_at(text, colon) == ':' && char_at(text, skip_json_space(text, colon + 1)) == '[') {
      return at;
    }
  }
  return std::nullopt;
}

}  // namespace opcensus::import

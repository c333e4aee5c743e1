// SPDX-License-Identifier: Apache-2.0
#include "src/import/kineto/event_prefix.h"

#include <cstddef>

#include "src/base/digits.h"
#include "src/import/kineto/json_text.h"

namespace opcensus::import {
namespace {

// Flows have `cat` as their sixth key.
constexpr int kMaxKeys = 8;

// How Kineto itself begins nearly every event.
constexpr std::string_view kUsualBegin = "\"ph\": \"X\", \"cat\": \"";

std::optional<EventPrefix> read_usual_prefix(std::string_view event) {
  const std::string_view rest = event.substr(skip_json_space(event, 1));
  if (!rest.starts_with(kUsualBegin)) {
    return std::nullopt;
  }
  const std::string_view category = rest.substr(kUsualBegin.size());
  const std::size_t end = category.find_first_of("\"\\");
  if (end == std::string_view::npos || category[end] != '"') {
    return std::nullopt;
  }
  return EventPrefix{'X', category.substr(0, end)};
}

class PrefixReader {
 public:
  explicit PrefixReader(std::string_view event) : event_(event) {}

  EventPrefix read() {
    EventPrefix prefix;
    for (int i = 0; i < kMaxKeys && !(prefix.phase && prefix.category); ++i) {
      if (!read_field(prefix)) {
        break;
      }
    }
    return prefix;
  }

 private:
  bool read_field(EventPrefix& prefix) {
    std::string_view key;
    if (!take_string(key) || !take(':')) {
      return false;
    }
    std::string_view value;
    if (!take_value(value)) {
      return false;
    }
    if (key == "ph") {
      if (value.size() != 3 || value.front() != '"') {
        return false;
      }
      prefix.phase = value[1];
    } else if (key == "cat") {
      if (value.size() < 2 || value.front() != '"' || value.find('\\') != std::string_view::npos) {
        return false;
      }
      prefix.category = value.substr(1, value.size() - 2);
    }
    return take(',');
  }

  void skip_space() { at_ = skip_json_space(event_, at_); }

  bool take(char wanted) {
    skip_space();
    if (at_ >= event_.size() || event_[at_] != wanted) {
      return false;
    }
    ++at_;
    return true;
  }

  bool take_string(std::string_view& text) {
    if (!take('"')) {
      return false;
    }
    const std::size_t end = find_string_end(event_, at_);
    if (end == std::string_view::npos) {
      return false;
    }
    text = event_.substr(at_, end - at_);
    at_ = end + 1;
    return true;
  }

  bool take_value(std::string_view& value) {
    skip_space();
    const std::size_t begin = at_;
    if (at_ < event_.size() && event_[at_] == '"') {
      std::string_view text;
      if (!take_string(text)) {
        return false;
      }
    } else {
      while (at_ < event_.size() &&
             (is_digit(event_[at_]) || event_[at_] == '-' || event_[at_] == '.')) {
        ++at_;
      }
    }
    value = event_.substr(begin, at_ - begin);
    return !value.empty();
  }

  std::string_view event_;
  std::size_t at_ = 1;  // after '{'
};

}  // namespace

EventPrefix read_event_prefix(std::string_view event) {
  const auto usual = read_usual_prefix(event);
  return usual ? *usual : PrefixReader(event).read();
}

}  // namespace opcensus::import

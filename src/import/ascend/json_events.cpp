// SPDX-License-Identifier: Apache-2.0
#include "src/import/ascend/json_events.h"

#include <string>

#include <simdjson.h>

namespace opcensus::import::ascend {
namespace {

constexpr bool is_space(char c) {
  return c == ' ' || c == '\n' || c == '\r' || c == '\t';
}

}  // namespace

JsonEvents::JsonEvents(ByteSource& source, std::size_t max_event_bytes)
    : source_(source), max_event_bytes_(max_event_bytes), buffer_(kReadBytes) {}

std::size_t JsonEvents::padding() {
  return simdjson::SIMDJSON_PADDING;
}

Result<bool> JsonEvents::refill() {
  if (at_ < filled_) {
    return true;
  }
  OPCENSUS_TRY(filled_, source_.read(buffer_));
  at_ = 0;
  return filled_ > 0;
}

Result<bool> JsonEvents::find_object() {
  while (!is_closed_) {
    OPCENSUS_TRY(const bool has_bytes, refill());
    if (!has_bytes) {
      return false;
    }
    const char c = buffer_[at_++];
    ++position_;
    if (!has_array_ && !is_space(c)) {
      if (c != '[') {
        return Error{ErrorCode::NotATrace,
                     "the file is no JSON array",
                     "",
                     position_ - 1,
                     "give trace_view.json as torch_npu wrote it"};
      }
      has_array_ = true;
    } else if (c == '{') {
      return true;
    } else if (c == ']') {
      is_closed_ = true;
    }
  }
  return false;
}

std::size_t JsonEvents::scan(Nesting& nesting) const {
  Nesting at = nesting;  // a copy, so that it stays in registers
  std::size_t i = at_;
  while (i < filled_ && at.depth > 0) {
    const char c = buffer_[i++];
    if (at.in_string) {
      at.in_string = at.is_escaped || c != '"';
      at.is_escaped = !at.is_escaped && c == '\\';
    } else if (c == '"') {
      at.in_string = true;
    } else if (c == '{' || c == '[') {
      ++at.depth;
    } else if (c == '}' || c == ']') {
      --at.depth;
    }
  }
  nesting = at;
  return i;
}

Result<std::string_view> JsonEvents::next() {
  OPCENSUS_TRY(const bool has_object, find_object());
  if (!has_object) {
    return std::string_view();
  }
  event_offset_ = position_ - 1;
  event_.assign(1, '{');
  Nesting nesting;
  while (nesting.depth > 0) {
    OPCENSUS_TRY(const bool has_bytes, refill());
    if (!has_bytes) {
      return std::string_view();
    }
    const std::size_t end = scan(nesting);
    const std::size_t bytes = end - at_;
    if (event_.size() + bytes > max_event_bytes_) {
      return Error{ErrorCode::LimitExceeded,
                   "an event is longer than " + std::to_string(max_event_bytes_) + " bytes",
                   "",
                   event_offset_,
                   "no profiler writes such events: look at the file at that byte"};
    }
    event_.insert(event_.end(), buffer_.data() + at_, buffer_.data() + end);
    at_ = end;
    position_ += bytes;
  }
  const std::size_t size = event_.size();
  event_.resize(size + padding());
  return std::string_view(event_.data(), size);
}

}  // namespace opcensus::import::ascend

// SPDX-License-Identifier: Apache-2.0
#include "src/import/kineto/splitter.h"

#include <algorithm>
#include <limits>
#include <string_view>

#include "src/base/digits.h"
#include "src/import/kineto/json_text.h"

namespace opcensus::import {
namespace {

// An event is a few hundred bytes, with a very long kernel name a few thousand. Past this size
// somebody should look for a missing quote; and again at each further factor.
constexpr std::uint64_t kSuspiciousBytes = std::uint64_t{64} << 10;
constexpr std::uint64_t kSuspiciousFactor = 16;
constexpr std::uint64_t kNever = std::numeric_limits<std::uint64_t>::max() / 2;

std::uint64_t skip_space(const ChunkBuffer& buffer, std::uint64_t at) {
  while (at < buffer.end() && is_json_space(buffer[at])) {
    ++at;
  }
  return at;
}

std::uint64_t skip_separators(const ChunkBuffer& buffer, std::uint64_t at) {
  while (at < buffer.end() && (is_json_space(buffer[at]) || buffer[at] == ',')) {
    ++at;
  }
  return at;
}

/// Offset of the quote that ends the string; buffer.end() if it does not end within the buffer.
std::uint64_t find_quote(const ChunkBuffer& buffer, std::uint64_t at) {
  const std::string_view text = buffer.view(at, buffer.end());
  const std::size_t quote = find_string_end(text, 0);
  return quote == std::string_view::npos ? buffer.end() : at + quote;
}

bool ends_scalar(char c) {
  return is_json_space(c) || c == ',' || c == '}' || c == ']';
}

/// kNever if the scalar may go on after the buffer.
std::uint64_t find_scalar_end(const ChunkBuffer& buffer, std::uint64_t begin) {
  if (buffer[begin] == '"') {
    const std::uint64_t quote = find_quote(buffer, begin + 1);
    return quote == buffer.end() ? kNever : quote + 1;
  }
  for (std::uint64_t at = begin; at < buffer.end(); ++at) {
    if (ends_scalar(buffer[at])) {
      return at;
    }
  }
  return kNever;
}

bool begins_scalar(char c) {
  return c == '"' || c == '-' || is_digit(c) || c == 't' || c == 'f' || c == 'n';
}

}  // namespace

Step Splitter::next(const ChunkBuffer& buffer) {
  switch (state_) {
    case State::Root:
      return step_root(buffer);
    case State::Key:
      return step_key(buffer);
    case State::Value:
      return step_value(buffer);
    case State::Nested:
      return step_nested(buffer);
    case State::Elements:
      return step_elements(buffer);
    case State::Junk:
      return step_junk(buffer);
    case State::Trailing:
      break;
  }
  return step_trailing(buffer);
}

void Splitter::resume_at_root(std::uint64_t offset) {
  advance(offset, State::Root);
}

void Splitter::resume_at_element(std::uint64_t offset) {
  advance(offset, State::Elements);
}

void Splitter::resume_at_key(std::uint64_t offset) {
  advance(offset, State::Key);
}

bool Splitter::in_event_array() const {
  return state_ == State::Elements || state_ == State::Junk ||
         (state_ == State::Nested && nested_.kind != StepKind::Value);
}

void Splitter::advance(std::uint64_t to, State state) {
  at_ = to;
  keep_from_ = to;
  state_ = state;
  in_bad_layout_ = in_bad_layout_ && state == State::Key;
}

Step Splitter::need_more(const ChunkBuffer& buffer, std::uint64_t keep_from) {
  keep_from_ = keep_from;
  return {buffer.at_end() ? StepKind::Truncated : StepKind::NeedMore, keep_from, buffer.end()};
}

Step Splitter::step_root(const ChunkBuffer& buffer) {
  at_ = skip_space(buffer, at_);
  if (at_ == buffer.end()) {
    return need_more(buffer, at_);
  }
  const std::uint64_t begin = at_;
  root_is_array_ = buffer[at_] == '[';
  advance(at_ + 1, root_is_array_ ? State::Elements : State::Key);
  return {StepKind::DocumentBegin, begin, at_};
}

Step Splitter::step_key(const ChunkBuffer& buffer) {
  at_ = skip_separators(buffer, at_);
  if (at_ == buffer.end()) {
    return need_more(buffer, at_);
  }
  if (buffer[at_] == '}') {
    advance(at_ + 1, State::Trailing);
    return next(buffer);
  }
  if (buffer[at_] != '"') {
    return bad_layout(buffer);
  }
  const std::uint64_t quote = find_quote(buffer, at_ + 1);
  if (quote - at_ > limits_.max_string_bytes) {
    return {StepKind::KeyTooLong, at_, quote};
  }
  if (quote == buffer.end()) {
    return need_more(buffer, at_);
  }
  key_begin_ = at_ + 1;
  key_end_ = quote;
  state_ = State::Value;
  at_ = quote + 1;
  in_bad_layout_ = false;
  return next(buffer);
}

Step Splitter::bad_layout(const ChunkBuffer& buffer) {
  const Step step{StepKind::BadLayout, at_, at_ + 1};
  const bool is_new = !in_bad_layout_;
  in_bad_layout_ = true;
  while (at_ < buffer.end() && buffer[at_] != '"' && buffer[at_] != '}') {
    ++at_;
  }
  advance(at_, State::Key);
  return is_new ? step : next(buffer);
}

Step Splitter::step_value(const ChunkBuffer& buffer) {
  const std::uint64_t colon = skip_space(buffer, at_);
  if (colon == buffer.end()) {
    return need_more(buffer, key_begin_);
  }
  if (buffer[colon] != ':') {
    advance(colon, State::Key);
    return bad_layout(buffer);
  }
  const std::uint64_t begin = skip_space(buffer, colon + 1);
  if (begin == buffer.end()) {
    return need_more(buffer, key_begin_);
  }
  const char first = buffer[begin];
  if (first == '[' && buffer.view(key_begin_, key_end_) == "traceEvents") {
    advance(begin + 1, State::Elements);
    return {StepKind::ArrayBegin, begin, begin + 1};
  }
  if (first == '{' || first == '[') {
    begin_nested(StepKind::Value, begin);
    return next(buffer);
  }
  return step_scalar(buffer, begin);
}

Step Splitter::step_scalar(const ChunkBuffer& buffer, std::uint64_t begin) {
  const std::uint64_t end = find_scalar_end(buffer, begin);
  if (std::min(end, buffer.end()) - begin > limits_.max_metadata_bytes) {
    return {StepKind::ValueTooLarge, begin, buffer.end()};
  }
  if (end == kNever) {
    return need_more(buffer, key_begin_);
  }
  if (end == begin) {
    advance(begin, State::Key);
    return bad_layout(buffer);
  }
  advance(end, State::Key);
  return {StepKind::Value, begin, end, key_begin_, key_end_};
}

void Splitter::begin_nested(StepKind kind, std::uint64_t begin) {
  nested_ = Nested{};
  nested_.kind = kind;
  nested_.begin = begin;
  nested_.limit = kind == StepKind::Value ? limits_.max_metadata_bytes : limits_.max_event_bytes;
  nested_.suspicious_at = std::min<std::uint64_t>(kSuspiciousBytes, nested_.limit);
  at_ = begin;
  state_ = State::Nested;
}

Step Splitter::step_nested(const ChunkBuffer& buffer) {
  const std::uint64_t stop_at = nested_.begin + nested_.suspicious_at;
  const std::uint64_t to = std::min(buffer.end(), stop_at);
  const ScanResult scan =
      scan_brackets(buffer.data(at_), buffer.data(to), limits_.max_nesting, nested_.scan);
  const std::uint64_t stop = to - static_cast<std::uint64_t>(buffer.data(to) - scan.stop);
  if (scan.outcome == ScanOutcome::TooDeep) {
    // Of a value that is not kept, nothing can be looked at.
    return {StepKind::NestingTooDeep, nested_.kept ? nested_.begin : stop, stop};
  }
  if (scan.outcome == ScanOutcome::Closed) {
    return finish_nested(stop);
  }
  at_ = to;
  if (at_ == stop_at) {
    return ask_about_nested(buffer);
  }
  const std::uint64_t value_begin = nested_.kind == StepKind::Value ? key_begin_ : nested_.begin;
  return need_more(buffer, nested_.kept ? value_begin : at_);
}

Step Splitter::ask_about_nested(const ChunkBuffer& buffer) {
  if (!nested_.asked) {
    nested_.asked = true;
    const bool is_value = nested_.kind == StepKind::Value;
    return {StepKind::Suspicious,
            nested_.begin,
            at_,
            is_value ? key_begin_ : 0,
            is_value ? key_end_ : 0};
  }
  if (nested_.suspicious_at < nested_.limit) {
    nested_.asked = false;
    nested_.suspicious_at =
        std::min<std::uint64_t>(nested_.suspicious_at * kSuspiciousFactor, nested_.limit);
    return next(buffer);
  }
  if (nested_.kind != StepKind::Value) {
    return {StepKind::EventTooLarge, nested_.begin, at_};
  }
  nested_.kept = false;
  nested_.suspicious_at = kNever;
  return next(buffer);
}

Step Splitter::finish_nested(std::uint64_t end) {
  if (nested_.kind != StepKind::Value) {
    advance(end, State::Elements);
    return {nested_.kind, nested_.begin, end};
  }
  advance(end, State::Key);
  return {nested_.kept ? StepKind::Value : StepKind::SkippedValue,
          nested_.begin,
          end,
          key_begin_,
          key_end_};
}

Step Splitter::step_elements(const ChunkBuffer& buffer) {
  at_ = skip_separators(buffer, at_);
  if (at_ == buffer.end()) {
    return need_more(buffer, at_);
  }
  const char first = buffer[at_];
  if (first == '{' || first == '[') {
    begin_nested(first == '{' ? StepKind::Event : StepKind::Element, at_);
    return step_nested(buffer);
  }
  if (first == ']') {
    advance(at_ + 1, root_is_array_ ? State::Trailing : State::Key);
    return next(buffer);
  }
  return first == '"' ? step_string(buffer) : step_no_value(buffer);
}

/// A string is an element if a comma or the array's end follows: it may hold anything. Otherwise a
/// quote is missing somewhere.
Step Splitter::step_string(const ChunkBuffer& buffer) {
  const std::uint64_t quote = find_quote(buffer, at_ + 1);
  if (quote - at_ > limits_.max_string_bytes) {
    return step_no_value(buffer);
  }
  const std::uint64_t after = quote == buffer.end() ? quote : skip_space(buffer, quote + 1);
  if (after == buffer.end()) {
    return buffer.at_end() ? step_no_value(buffer) : need_more(buffer, at_);
  }
  if (buffer[after] != ',' && buffer[after] != ']') {
    return step_no_value(buffer);
  }
  const Step step{StepKind::Element, at_, quote + 1};
  advance(quote + 1, State::Elements);
  return step;
}

Step Splitter::step_no_value(const ChunkBuffer& buffer) {
  const Step step{begins_scalar(buffer[at_]) ? StepKind::Element : StepKind::Junk, at_, at_ + 1};
  advance(at_ + 1, State::Junk);
  return step;
}

Step Splitter::step_junk(const ChunkBuffer& buffer) {
  for (; at_ < buffer.end(); ++at_) {
    const char c = buffer[at_];
    if (c == ',') {
      advance(at_, State::Elements);
      return next(buffer);
    }
    if (c != '{' && c != ']') {
      continue;
    }
    const std::uint64_t after = skip_space(buffer, at_ + 1);
    if (after == buffer.end() && !buffer.at_end()) {
      return need_more(buffer, at_);
    }
    const char next_char = after == buffer.end() ? '}' : buffer[after];
    const bool is_json =
        c == '{' ? next_char == '"' || next_char == '}' : next_char == ',' || next_char == '}';
    if (is_json) {
      advance(at_, State::Elements);
      return next(buffer);
    }
  }
  return need_more(buffer, at_);
}

Step Splitter::step_trailing(const ChunkBuffer& buffer) {
  at_ = has_trailing_ ? buffer.end() : skip_space(buffer, at_);
  if (at_ == buffer.end()) {
    keep_from_ = at_;
    return {buffer.at_end() ? StepKind::End : StepKind::NeedMore, at_, at_};
  }
  if (buffer[at_] == '{' || buffer[at_] == '[') {
    state_ = State::Root;
    return next(buffer);
  }
  has_trailing_ = true;
  return {StepKind::Trailing, at_, at_ + 1};
}

}  // namespace opcensus::import

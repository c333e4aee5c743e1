// SPDX-License-Identifier: Apache-2.0
//
// Splitter: cuts the content into the elements of `traceEvents` (or of a bare root array) and
// the other top-level values, without reading what is in them. It knows JSON's outer layout only;
// what it cannot make sense of it reports and steps over. Resumable at any byte, and its steps
// depend on the content alone, never on where chunks end.
#pragma once

#include <cstdint>

#include "src/import/kineto/bracket_scan.h"
#include "src/import/kineto/chunk_buffer.h"
#include "src/import/kineto/parse_limits.h"

namespace opcensus::import {

enum class StepKind : std::uint8_t {
  NeedMore,        ///< refill the buffer from keep_from()
  Event,           ///< an object in an event array
  Element,         ///< something else in an event array
  Junk,            ///< bytes in an event array that are no JSON value
  ArrayBegin,      ///< an event array begins
  Value,           ///< another top-level value, with its key
  SkippedValue,    ///< one above max_metadata_bytes: not kept
  Suspicious,      ///< an unfinished value has become long: is a quote missing?
  DocumentBegin,   ///< a root object or array begins; more than once if files were joined
  Trailing,        ///< bytes after the end of the root
  BadLayout,       ///< bytes between top-level keys that are no JSON
  EventTooLarge,   ///< max_event_bytes
  ValueTooLarge,   ///< max_metadata_bytes, where it cannot be skipped
  KeyTooLong,      ///< max_string_bytes
  NestingTooDeep,  ///< max_nesting
  End,             ///< the content ends after a complete root
  Truncated,       ///< the content ends within `begin`..`end`
};

struct Step {
  StepKind kind = StepKind::NeedMore;
  std::uint64_t begin = 0;  ///< content offsets
  std::uint64_t end = 0;
  std::uint64_t key_begin = 0;  ///< Value: the key between its quotes
  std::uint64_t key_end = 0;
};

class Splitter {
 public:
  explicit Splitter(const ParseLimits& limits) : limits_(limits) {}

  [[nodiscard]] Step next(const ChunkBuffer& buffer);

  /// First byte that next() still needs.
  [[nodiscard]] std::uint64_t keep_from() const { return keep_from_; }

  /// Continue at `offset`: at the root, as an element of the current event array, or as a
  /// top-level key.
  void resume_at_root(std::uint64_t offset);
  void resume_at_element(std::uint64_t offset);
  void resume_at_key(std::uint64_t offset);

  [[nodiscard]] bool in_event_array() const;

  /// The root (of the last document) is a bare array of events.
  [[nodiscard]] bool root_is_array() const { return root_is_array_; }

 private:
  enum class State : std::uint8_t {
    Root,      ///< before the first document
    Key,       ///< a top-level key, a comma, or the root's end
    Value,     ///< after a key
    Nested,    ///< inside an object or array: event, element or top-level value
    Elements,  ///< between the elements of an event array
    Junk,      ///< between them, after something that is no value
    Trailing,  ///< after the root's end
  };

  struct Nested {
    StepKind kind = StepKind::Event;
    BracketScan scan;
    std::uint64_t begin = 0;
    std::uint64_t limit = 0;
    std::uint64_t suspicious_at = 0;  ///< length at which to ask
    bool asked = false;
    bool kept = true;
  };

  Step step_root(const ChunkBuffer& buffer);
  Step step_key(const ChunkBuffer& buffer);
  Step step_value(const ChunkBuffer& buffer);
  Step step_nested(const ChunkBuffer& buffer);
  Step step_elements(const ChunkBuffer& buffer);
  Step step_string(const ChunkBuffer& buffer);
  Step step_no_value(const ChunkBuffer& buffer);
  Step step_junk(const ChunkBuffer& buffer);
  Step step_trailing(const ChunkBuffer& buffer);

  Step step_scalar(const ChunkBuffer& buffer, std::uint64_t begin);
  Step bad_layout(const ChunkBuffer& buffer);
  void begin_nested(StepKind kind, std::uint64_t begin);
  Step finish_nested(std::uint64_t end);
  Step ask_about_nested(const ChunkBuffer& buffer);
  Step need_more(const ChunkBuffer& buffer, std::uint64_t keep_from);
  void advance(std::uint64_t to, State state);

  ParseLimits limits_;
  State state_ = State::Root;
  std::uint64_t at_ = 0;
  std::uint64_t keep_from_ = 0;
  std::uint64_t key_begin_ = 0;
  std::uint64_t key_end_ = 0;
  bool root_is_array_ = false;
  bool has_trailing_ = false;
  bool in_bad_layout_ = false;
  Nested nested_;
};

}  // namespace opcensus::import

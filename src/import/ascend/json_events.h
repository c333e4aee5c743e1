// SPDX-License-Identifier: Apache-2.0
//
// JsonEvents: the objects of a JSON array, one at a time, so that a file of any size can be read:
// simdjson takes one object. Cuts by brackets and strings only; what is inside is the parser's
// business.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "opcensus/result.h"

#include "src/io/byte_source.h"

namespace opcensus::import::ascend {

class JsonEvents {
 public:
  JsonEvents(ByteSource& source, std::size_t max_event_bytes);

  /// The next object; empty at the end. It is followed by the padding that simdjson wants, and
  /// holds until the next call. Errors: the source's, NotATrace (no array), LimitExceeded.
  [[nodiscard]] Result<std::string_view> next();

  /// Where the object at hand begins.
  [[nodiscard]] std::uint64_t event_offset() const { return event_offset_; }

  [[nodiscard]] std::uint64_t position() const { return position_; }

  /// After the end: the array was closed.
  [[nodiscard]] bool is_closed() const { return is_closed_; }

  /// Bytes of memory after an object.
  [[nodiscard]] static std::size_t padding();

 private:
  /// Where the scan is within an object.
  struct Nesting {
    std::size_t depth = 1;
    bool in_string = false;
    bool is_escaped = false;
  };

  /// False at the end of the input; otherwise there are bytes in the buffer.
  [[nodiscard]] Result<bool> refill();

  /// The end of the object within the buffer, or of the buffer.
  [[nodiscard]] std::size_t scan(Nesting& nesting) const;

  [[nodiscard]] Result<bool> find_object();

  ByteSource& source_;
  std::size_t max_event_bytes_;
  std::vector<char> buffer_;
  std::size_t at_ = 0;
  std::size_t filled_ = 0;
  std::uint64_t position_ = 0;
  std::uint64_t event_offset_ = 0;
  std::vector<char> event_;
  bool has_array_ = false;
  bool is_closed_ = false;
};

}  // namespace opcensus::import::ascend

// SPDX-License-Identifier: Apache-2.0
//
// JsonWriter: pretty-printed JSON in the order it is written. The caller pairs begin and end, and
// gives a key before each value of an object.
#pragma once

#include <concepts>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "src/base/nanoseconds.h"

namespace opcensus {

class JsonWriter {
 public:
  void begin_object() { open('{'); }

  void end_object() { close('}'); }

  void begin_array() { open('['); }

  void end_array() { close(']'); }

  void key(std::string_view name);

  void value(std::string_view text);

  void value(const char* text) { value(std::string_view(text)); }

  void value(bool truth);

  void value(Nanoseconds time) { value(time.count()); }

  template <std::integral Integer>
  void value(Integer number) {
    raw(std::to_string(number));
  }

  /// null if empty.
  void value(const std::optional<std::int64_t>& number);

  /// A number that is JSON already: "12.345678".
  void raw(std::string_view json);

  template <class Value>
  void member(std::string_view name, const Value& member_value) {
    key(name);
    value(member_value);
  }

  /// The text, with a line end.
  [[nodiscard]] std::string finish() && { return std::move(out_) + "\n"; }

 private:
  void open(char bracket);
  void close(char bracket);
  void start_item();
  void new_line();

  std::string out_;
  std::vector<bool> has_items_;  // by depth
  bool after_key_ = false;
};

}  // namespace opcensus

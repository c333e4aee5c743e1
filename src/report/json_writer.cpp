// SPDX-License-Identifier: Apache-2.0
#include "src/report/json_writer.h"

#include "src/report/text_safety.h"

namespace opcensus {

void JsonWriter::key(std::string_view name) {
  start_item();
  out_ += json_string(name);
  out_ += ": ";
  after_key_ = true;
}

void JsonWriter::value(std::string_view text) {
  raw(json_string(text));
}

void JsonWriter::value(bool truth) {
  raw(truth ? "true" : "false");
}

void JsonWriter::value(const std::optional<std::int64_t>& number) {
  raw(number ? std::to_string(*number) : "null");
}

void JsonWriter::raw(std::string_view json) {
  start_item();
  out_ += json;
}

void JsonWriter::open(char bracket) {
  start_item();
  out_ += bracket;
  has_items_.push_back(false);
}

void JsonWriter::close(char bracket) {
  const bool had_items = has_items_.back();
  has_items_.pop_back();
  if (had_items) {
    new_line();
  }
  out_ += bracket;
}

void JsonWriter::start_item() {
  if (after_key_) {
    after_key_ = false;
    return;
  }
  if (has_items_.empty()) {
    return;
  }
  if (has_items_.back()) {
    out_ += ',';
  }
  has_items_.back() = true;
  new_line();
}

void JsonWriter::new_line() {
  out_ += '\n';
  out_.append(2 * has_items_.size(), ' ');
}

}  // namespace opcensus

// SPDX-License-Identifier: Apache-2.0
//
// Steps over the members of a JSON object or the elements of an array without looking into them:
// brackets and strings are enough for that. The text may end anywhere, so that a truncated file
// gives what is complete. Nothing recurses; whether the values are right is the parser's business.
#pragma once

#include <cstddef>
#include <string_view>

namespace opcensus::import::json_walk {

/// After white space.
[[nodiscard]] std::size_t skip_space(std::string_view text, std::size_t at);

/// Where the value that begins at `at` ends; npos if the text ends before it does.
[[nodiscard]] std::size_t find_value_end(std::string_view text, std::size_t at);

[[nodiscard]] bool is_array(std::string_view value);

/// Walks over "{…" from its bracket on.
class Members {
 public:
  /// `at` is where '{' stands.
  explicit Members(std::string_view text, std::size_t at = 0) : text_(text), at_(at + 1) {}

  /// The next key, with at_value() where its value begins; false at the end, and where the text
  /// is no such object.
  bool next_key();

  /// The value of the key, as it stands in the text; false if it is not complete.
  bool take_value();

  /// Without the quotes, with its escapes.
  [[nodiscard]] std::string_view key() const { return key_; }

  [[nodiscard]] std::string_view value() const { return value_; }

  [[nodiscard]] std::size_t at_value() const { return at_; }

  /// Goes on after a value that somebody else has read.
  void resume_after(std::size_t end) { at_ = end; }

  /// '}' was reached.
  [[nodiscard]] bool is_complete() const { return is_complete_; }

 private:
  std::string_view text_;
  std::size_t at_;
  std::string_view key_;
  std::string_view value_;
  bool is_complete_ = false;
};

/// Walks over "[…" from its bracket on.
class Elements {
 public:
  explicit Elements(std::string_view text, std::size_t at = 0) : text_(text), at_(at + 1) {}

  /// False at the end, and where the next element is not complete.
  bool next();

  [[nodiscard]] std::string_view value() const { return value_; }

  /// Where the walk stands: after the element, or after ']'.
  [[nodiscard]] std::size_t position() const { return at_; }

  /// ']' was reached.
  [[nodiscard]] bool is_complete() const { return is_complete_; }

 private:
  std::string_view text_;
  std::size_t at_;
  std::string_view value_;
  bool is_complete_ = false;
};

}  // namespace opcensus::import::json_walk

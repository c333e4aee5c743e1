// SPDX-License-Identifier: Apache-2.0
//
// StringTable: every distinct text once, named by a dense StringId. Texts come from traces and
// are kept byte for byte; whoever prints them escapes them (report/text_safety.h).
//
// Cost: intern is one hash and, for a new text, one copy. Views stay valid for the table's life.
// Thread rule: one thread at a time.
#pragma once

#include <cstddef>
#include <deque>
#include <string>
#include <string_view>
#include <unordered_map>

#include "src/base/ids.h"

namespace opcensus {

class StringTable {
 public:
  StringTable() = default;
  StringTable(const StringTable&) = delete;
  StringTable& operator=(const StringTable&) = delete;
  StringTable(StringTable&&) noexcept = default;
  StringTable& operator=(StringTable&&) noexcept = default;
  ~StringTable() = default;

  StringId intern(std::string_view text);

  /// none() if the text was never interned.
  [[nodiscard]] StringId find(std::string_view text) const;

  /// The text of an id; "" for none().
  [[nodiscard]] std::string_view view(StringId id) const;

  [[nodiscard]] std::size_t size() const { return texts_.size(); }

 private:
  std::deque<std::string> texts_;  // a deque: the views in index_ must not move
  std::unordered_map<std::string_view, StringId> index_;
};

}  // namespace opcensus

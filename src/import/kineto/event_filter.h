// SPDX-License-Identifier: Apache-2.0
//
// EventFilter: which events make no row, told by their first bytes. They are counted here and go no
// further; in a trace with Python stacks that is most of the file.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "src/import/kineto/category_table.h"

namespace opcensus::import {

class EventFilter {
 public:
  /// True: the event was counted, and nothing else is to be done.
  bool skip(std::string_view event);

  /// Of the skipped events.
  [[nodiscard]] std::vector<CategoryCount> counts() const { return categories_.counts(); }

  [[nodiscard]] std::uint64_t events() const { return events_; }

 private:
  CategoryTable categories_;
  std::uint64_t events_ = 0;
  /// From here on flows are rows: a backend was seen that may link by them alone. Its rows stand
  /// before its flows in every file that Kineto writes.
  bool has_flow_links_ = false;
};

}  // namespace opcensus::import

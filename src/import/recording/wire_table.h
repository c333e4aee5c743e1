// SPDX-License-Identifier: Apache-2.0
//
// WireTable: what a recording defined under an id. Ids ascend from 1; they are dense unless the
// agent lost some. Memory follows the definitions that are there, not the size of the ids.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace opcensus::import {

template <class Value>
class WireTable {
 public:
  /// False if the id is 0 or does not ascend.
  bool add(std::uint32_t id, Value value) {
    const std::uint32_t last = rows_.empty() ? 0 : rows_.back().first;
    if (id <= last) {
      return false;
    }
    rows_.emplace_back(id, std::move(value));
    return true;
  }

  /// Null if the id was not defined.
  [[nodiscard]] Value* find(std::uint32_t id) {
    const std::size_t dense = std::size_t{id} - 1;
    if (id > 0 && dense < rows_.size() && rows_[dense].first == id) {
      return &rows_[dense].second;
    }
    const auto row = std::lower_bound(
        rows_.begin(), rows_.end(), id, [](const auto& candidate, std::uint32_t wanted) {
          return candidate.first < wanted;
        });
    return row != rows_.end() && row->first == id ? &row->second : nullptr;
  }

 private:
  std::vector<std::pair<std::uint32_t, Value>> rows_;
};

}  // namespace opcensus::import

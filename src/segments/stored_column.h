// SPDX-License-Identifier: Apache-2.0
//
// StoredColumn: the rows of one column of a long trace, in blocks on disk. A block knows the range
// of its begin times and ids, so that a reader of a stretch of time opens few of them: profilers
// write rows nearly in order.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <type_traits>
#include <vector>

#include "opcensus/result.h"

#include "src/base/nanoseconds.h"
#include "src/io/spill_file.h"

namespace opcensus {

struct ColumnLayout {
  std::size_t block_rows = std::size_t{8} << 10;
  std::size_t sample_step = 256;
};

/// Ids that rows are looked up by: 0 is none.
struct IdRange {
  std::uint64_t low = UINT64_MAX;
  std::uint64_t high = 0;

  void add(std::uint64_t id) {
    if (id != 0) {
      low = std::min(low, id);
      high = std::max(high, id);
    }
  }

  /// Whether one of the sorted ids can be in it.
  [[nodiscard]] bool may_hold_one_of(const std::vector<std::uint64_t>& sorted_ids) const {
    const auto first = std::lower_bound(sorted_ids.begin(), sorted_ids.end(), low);
    return first != sorted_ids.end() && *first <= high;
  }
};

/// `id_of(row)`: the id by which rows of the column are looked up.
template <class Row, std::uint64_t (*id_of)(const Row&)>
class StoredColumn {
 public:
  static_assert(std::is_trivially_copyable_v<Row>);

  struct Block {
    std::uint64_t offset = 0;
    std::size_t rows = 0;
    Nanoseconds first;  ///< earliest begin
    Nanoseconds last;   ///< latest begin
    IdRange ids;

    [[nodiscard]] bool begins_within(Nanoseconds from, Nanoseconds to) const {
      return first < to && last >= from;
    }
  };

  Status append(SpillFile& file, std::span<const Row> rows, const ColumnLayout& layout) {
    while (!rows.empty()) {
      const auto part = rows.first(std::min(rows.size(), layout.block_rows));
      Block block;
      OPCENSUS_TRY(block.offset, file.append(std::as_bytes(part)));
      block.rows = part.size();
      block.first = block.last = part.front().start;
      for (const Row& row : part) {
        block.first = std::min(block.first, row.start);
        block.last = std::max(block.last, row.start);
        block.ids.add(id_of(row));
        if (rows_++ % layout.sample_step == 0) {
          samples_.push_back(row.start);
        }
      }
      blocks_.push_back(block);
      rows = rows.subspan(part.size());
    }
    return Done{};
  }

  /// Appends the block's rows that are wanted, in their order.
  template <class Wanted>
  Status read(const SpillFile& file,
              const Block& block,
              Nanoseconds base_time,
              std::vector<Row>& out,
              const Wanted& wanted) const {
    std::vector<Row> rows(block.rows);
    OPCENSUS_CHECK_OK(file.read(block.offset, std::as_writable_bytes(std::span(rows))));
    for (Row& row : rows) {
      if (wanted(row)) {
        row.start += base_time;
        out.push_back(row);
      }
    }
    return Done{};
  }

  Status read_all(const SpillFile& file, Nanoseconds base_time, std::vector<Row>& out) const {
    out.reserve(out.size() + rows_);
    for (const Block& block : blocks_) {
      OPCENSUS_CHECK_OK(read(file, block, base_time, out, [](const Row&) { return true; }));
    }
    return Done{};
  }

  [[nodiscard]] const std::vector<Block>& blocks() const { return blocks_; }

  [[nodiscard]] std::size_t rows() const { return rows_; }

  /// The begin of every sample_step-th row.
  [[nodiscard]] const std::vector<Nanoseconds>& samples() const { return samples_; }

 private:
  std::vector<Block> blocks_;
  std::vector<Nanoseconds> samples_;
  std::size_t rows_ = 0;
};

}  // namespace opcensus

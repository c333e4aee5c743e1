// SPDX-License-Identifier: Apache-2.0
//
// RowStore: the rows of a long trace on disk, and from there in segments. Memory: the distinct
// correlation ids as bits, one sample in 256 rows, and one segment.
//
// A trace is cut only where the result cannot show it: the runtime of one process. One that
// captures graphs, names graph nodes or holds several processes is put back as a whole: what was
// captured, and what warmed it up, is told by looking at all of it.
#pragma once

#include <cstddef>
#include <memory>

#include "src/model/trace.h"
#include "src/segments/stored_column.h"

namespace opcensus {

struct RowStoreOptions {
  std::size_t segment_rows = std::size_t{256} << 10;
  std::size_t batch_rows = std::size_t{128} << 10;
  ColumnLayout layout;
};

[[nodiscard]] std::unique_ptr<RowSink> make_row_store(const RowStoreOptions& options);

}  // namespace opcensus

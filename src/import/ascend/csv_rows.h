// SPDX-License-Identifier: Apache-2.0
//
// CsvRows: the rows of a CSV file as RFC 4180 has them: cells in quotes may hold commas, line ends
// and doubled quotes. Written here because the one library that Debian has (libcsv) is C with
// callbacks, while what is needed is a page of code with our limits, offsets and errors.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "opcensus/result.h"

#include "src/io/byte_source.h"

namespace opcensus::import::ascend {

class CsvRows {
 public:
  CsvRows(ByteSource& source, std::size_t max_row_bytes);

  /// True: cells() are those of the next row. False: the end. Errors: the source's, LimitExceeded.
  [[nodiscard]] Result<bool> next();

  [[nodiscard]] const std::vector<std::string>& cells() const { return cells_; }

  /// Where the row at hand begins.
  [[nodiscard]] std::uint64_t row_offset() const { return row_offset_; }

  /// Bytes read so far.
  [[nodiscard]] std::uint64_t position() const { return position_; }

  /// After the end: the last cell's closing quote is missing.
  [[nodiscard]] bool ends_in_quotes() const { return ends_in_quotes_; }

 private:
  [[nodiscard]] Result<std::optional<char>> take();

  /// The rest of a cell in quotes.
  [[nodiscard]] Status read_quoted();

  [[nodiscard]] Status append(char c);

  ByteSource& source_;
  std::size_t max_row_bytes_;
  std::vector<char> buffer_;
  std::size_t at_ = 0;
  std::size_t filled_ = 0;
  std::uint64_t position_ = 0;
  std::uint64_t row_offset_ = 0;
  std::size_t row_bytes_ = 0;
  std::vector<std::string> cells_;
  std::optional<char> pushed_back_;
  bool ends_in_quotes_ = false;
};

/// The columns of a header row by name.
class CsvHeader {
 public:
  CsvHeader() = default;
  explicit CsvHeader(const std::vector<std::string>& cells);

  [[nodiscard]] std::optional<std::size_t> find(std::string_view name) const;

 private:
  std::vector<std::string> names_;
};

/// The text without white space around it.
[[nodiscard]] std::string_view trimmed_cell(std::string_view text);

}  // namespace opcensus::import::ascend

// SPDX-License-Identifier: Apache-2.0
//
// TextTable: columns of text for a terminal. Cells are safe_text already. A table that is too
// wide gives up width column by column, in the stated order, down to each column's minimum; what
// no longer fits is wrapped, or shortened in the middle where the column says so.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace opcensus {

enum class TextStyle : std::uint8_t { Plain, Bold, Dim, Warning, Failure };

/// ANSI colours, or the text as it is. Empty texts and Plain get no codes.
[[nodiscard]] std::string styled(std::string_view text, TextStyle style, bool color);

struct TextColumn {
  std::string title;
  bool align_right = false;
  bool shorten = false;           ///< shorten in the middle instead of wrapping
  std::size_t narrow_first = 0;   ///< 1 gives up width first, then 2 …; 0 never
  std::size_t minimum_width = 0;  ///< where narrow_first is not 0
  TextStyle style = TextStyle::Plain;
};

class TextTable {
 public:
  explicit TextTable(std::vector<TextColumn> columns) : columns_(std::move(columns)) {}

  void add_row(std::vector<std::string> cells, TextStyle style = TextStyle::Plain);

  /// A dimmed line under the last row, from the last column on, shortened in the middle.
  void add_detail(std::string text);

  /// Lines, each ended by "\n". width 0: unlimited.
  [[nodiscard]] std::string render(std::size_t width, std::size_t indent, bool color) const;

 private:
  struct Row {
    std::vector<std::string> cells;
    std::vector<std::string> details;
    TextStyle style = TextStyle::Plain;
  };

  [[nodiscard]] std::vector<std::size_t> natural_widths() const;
  [[nodiscard]] std::vector<std::size_t> fit_widths(std::size_t width, std::size_t indent) const;

  std::vector<TextColumn> columns_;
  std::vector<Row> rows_;
};

}  // namespace opcensus

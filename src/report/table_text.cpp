// SPDX-License-Identifier: Apache-2.0
#include "src/report/table_text.h"

#include <algorithm>
#include <array>
#include <numeric>
#include <utility>

#include <fmt/format.h>

#include "src/report/display_width.h"

namespace opcensus {
namespace {

constexpr std::size_t kGap = 2;  // columns between two cells

std::size_t total_width(const std::vector<std::size_t>& widths, std::size_t indent) {
  return std::accumulate(widths.begin(), widths.end(), indent) + kGap * (widths.size() - 1);
}

/// The lines of one cell; width 0 is unlimited.
std::vector<std::string> fit_cell(const TextColumn& column,
                                  std::string_view text,
                                  std::size_t width) {
  if (column.shorten && width != 0) {
    return {shorten_middle(text, width)};
  }
  return wrap_text(text, width);
}

std::string padding(std::string_view text, std::size_t width) {
  const std::size_t used = display_width(text);
  return std::string(width > used ? width - used : 0, ' ');
}

TextStyle cell_style(TextStyle row, TextStyle column) {
  return row == TextStyle::Plain ? column : row;
}

/// Collects the cells of one screen line and leaves no spaces at its end.
class LineBuilder {
 public:
  LineBuilder(std::size_t indent, bool color) : blanks_(indent, ' '), color_(color) {}

  void add(const TextColumn& column, TextStyle style, std::string_view text, std::size_t width) {
    const std::string pad = padding(text, width);
    if (column.align_right) {
      blanks_ += pad;
    }
    if (!text.empty()) {
      line_ += blanks_;
      line_ += styled(text, style, color_);
      blanks_.clear();
    }
    if (!column.align_right) {
      blanks_ += pad;
    }
    blanks_.append(kGap, ' ');
  }

  [[nodiscard]] std::string finish() && { return std::move(line_) + "\n"; }

 private:
  std::string line_;
  std::string blanks_;
  bool color_;
};

struct Placement {
  std::size_t width;  // 0: unlimited
  std::size_t indent;
  bool color;
};

/// Renders rows of one table, whose widths are settled.
class RowRenderer {
 public:
  RowRenderer(const std::vector<TextColumn>& columns,
              const std::vector<std::size_t>& widths,
              Placement placement)
      : columns_(columns), widths_(widths), placement_(placement) {}

  [[nodiscard]] std::string render_cells(const std::vector<std::string>& cells,
                                         TextStyle style) const {
    std::vector<std::vector<std::string>> fitted;
    fitted.reserve(columns_.size());
    std::size_t height = 1;
    for (std::size_t i = 0; i < columns_.size(); ++i) {
      const std::size_t room = placement_.width == 0 ? 0 : widths_[i];
      fitted.push_back(fit_cell(columns_[i], cells[i], room));
      height = std::max(height, fitted.back().size());
    }
    std::string out;
    for (std::size_t line = 0; line < height; ++line) {
      out += render_line(fitted, line, style);
    }
    return out;
  }

  [[nodiscard]] std::string render_detail(const std::string& detail) const {
    const std::size_t begin = total_width(widths_, placement_.indent) - widths_.back();
    const std::size_t room = placement_.width > begin ? placement_.width - begin : 1;
    const std::string text = placement_.width == 0 ? detail : shorten_middle(detail, room);
    return std::string(begin, ' ') + styled(text, TextStyle::Dim, placement_.color) + "\n";
  }

 private:
  [[nodiscard]] std::string render_line(const std::vector<std::vector<std::string>>& fitted,
                                        std::size_t line,
                                        TextStyle style) const {
    LineBuilder builder(placement_.indent, placement_.color);
    for (std::size_t i = 0; i < columns_.size(); ++i) {
      const std::string_view text =
          line < fitted[i].size() ? std::string_view(fitted[i][line]) : std::string_view();
      builder.add(columns_[i], cell_style(style, columns_[i].style), text, widths_[i]);
    }
    return std::move(builder).finish();
  }

  const std::vector<TextColumn>& columns_;
  const std::vector<std::size_t>& widths_;
  Placement placement_;
};

}  // namespace

std::string styled(std::string_view text, TextStyle style, bool color) {
  static constexpr std::array<std::string_view, 5> kCodes{"", "1", "2", "33", "1;31"};
  const std::string_view code = kCodes[static_cast<std::size_t>(style)];
  return !color || code.empty() || text.empty() ? std::string(text)
                                                : fmt::format("\x1b[{}m{}\x1b[0m", code, text);
}

void TextTable::add_row(std::vector<std::string> cells, TextStyle style) {
  cells.resize(columns_.size());
  rows_.push_back({std::move(cells), {}, style});
}

void TextTable::add_detail(std::string text) {
  rows_.back().details.push_back(std::move(text));
}

std::vector<std::size_t> TextTable::natural_widths() const {
  std::vector<std::size_t> widths;
  for (std::size_t i = 0; i < columns_.size(); ++i) {
    std::size_t width = display_width(columns_[i].title);
    for (const Row& row : rows_) {
      width = std::max(width, display_width(row.cells[i]));
    }
    widths.push_back(width);
  }
  return widths;
}

std::vector<std::size_t> TextTable::fit_widths(std::size_t width, std::size_t indent) const {
  std::vector<std::size_t> widths = natural_widths();
  for (std::size_t turn = 1; width != 0 && turn <= columns_.size(); ++turn) {
    for (std::size_t i = 0; i < columns_.size(); ++i) {
      const std::size_t total = total_width(widths, indent);
      if (columns_[i].narrow_first != turn || total <= width) {
        continue;
      }
      const std::size_t least = std::min(widths[i], columns_[i].minimum_width);
      widths[i] = std::max(least, widths[i] - std::min(widths[i], total - width));
    }
  }
  return widths;
}

std::string TextTable::render(std::size_t width, std::size_t indent, bool color) const {
  const std::vector<std::size_t> widths = fit_widths(width, indent);
  const RowRenderer rows(columns_, widths, {width, indent, color});
  std::vector<std::string> titles;
  titles.reserve(columns_.size());
  for (const TextColumn& column : columns_) {
    titles.push_back(column.title);
  }
  const bool has_titles = std::any_of(
      titles.begin(), titles.end(), [](const std::string& title) { return !title.empty(); });
  std::string out = has_titles ? rows.render_cells(titles, TextStyle::Dim) : std::string();
  for (const Row& row : rows_) {
    out += rows.render_cells(row.cells, row.style);
    for (const std::string& detail : row.details) {
      out += rows.render_detail(detail);
    }
  }
  return out;
}

}  // namespace opcensus

// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "src/analyze/top_table.h"
#include "src/report/display_width.h"
#include "src/report/kernel_display.h"
#include "src/report/paragraph.h"
#include "src/report/signature_display.h"
#include "src/report/table_text.h"
#include "src/report/terminal_sections.h"
#include "src/report/text_safety.h"
#include "src/report/units.h"

namespace opcensus {
namespace {

/// How much fits on a line.
enum class Layout : std::uint8_t {
  Narrow,  ///< operator and shapes; under them dtypes and kernel
  Medium,  ///< operator and shapes | dtypes | kernel
  Wide,    ///< operator | shapes | dtypes | kernel
};

Layout layout_for(std::size_t width) {
  if (width == 0 || width >= 150) {
    return Layout::Wide;
  }
  return width >= 110 ? Layout::Medium : Layout::Narrow;
}

std::string_view title_of(Phase phase) {
  switch (phase) {
    case Phase::Replay:
      return "Where decode time goes";
    case Phase::Eager:
      return "Where eager time goes";
    case Phase::Warmup:
      return "Where warm-up time goes";
    case Phase::Capture:
      break;
  }
  return "What was captured";
}

std::string_view basis_noun(StepBasis basis, std::uint64_t count) {
  const bool is_one = count == 1;
  switch (basis) {
    case StepBasis::DecodeSteps:
      return is_one ? "decode step" : "decode steps";
    case StepBasis::EngineSteps:
      return is_one ? "engine step" : "engine steps";
    case StepBasis::GraphReplays:
      return is_one ? "graph replay" : "graph replays";
    case StepBasis::Total:
      break;
  }
  return "";
}

/// "/step" or "/replay"; "" for totals.
std::string_view basis_suffix(StepBasis basis) {
  switch (basis) {
    case StepBasis::DecodeSteps:
    case StepBasis::EngineSteps:
      return "/step";
    case StepBasis::GraphReplays:
      return "/replay";
    case StepBasis::Total:
      break;
  }
  return "";
}

std::string heading(const TopTable& table, const ReportOptions& options) {
  std::string facts;
  const PerStep& per = table.per_step;
  if (per.basis != StepBasis::Total) {
    facts = fmt::format(" · {}{} {}, {} each",
                        per.basis == StepBasis::GraphReplays ? "" : "graph replay, ",
                        format_count(per.count),
                        basis_noun(per.basis, per.count),
                        format_time(table.device.time, per.count));
  } else if (table.device.events > 0) {
    facts = fmt::format(" · {} of device time", format_time(table.device.time));
  } else {
    facts = fmt::format(" · {} calls, nothing ran on the device", format_count(table.calls));
  }
  const std::string_view title = title_of(table.phase);
  const std::string all = std::string(title) + facts;
  if (options.width != 0 && display_width(all) > options.width) {
    return styled(title, TextStyle::Bold, options.color) + "\n" +
           render_paragraph(std::string_view(facts).substr(4), 2, 0, TextStyle::Dim, options);
  }
  return styled(title, TextStyle::Bold, options.color) + facts + "\n";
}

std::string kernel_text(const Census& census, const TopRow& row, const ReportOptions& options) {
  if (row.device.events == 0) {
    return "";
  }
  const std::string& name = census.text(row.main_kernel);
  std::string text = options.width == 0 ? safe_text(name) : compact_kernel_name(name);
  if (row.other_kernels > 0) {
    text += fmt::format(" +{}", row.other_kernels);
  }
  return text;
}

struct RowTexts {
  std::string name;
  std::string shapes;
  std::string dtypes;
};

RowTexts describe_row(const Census& census, const TopRow& row) {
  if (row.signature == kNoIndex) {
    const std::string_view reason = reason_name(row.reason);
    return {fmt::format("(unattributed: {})", reason.empty() ? "unknown" : reason), "", ""};
  }
  const CensusSignature& signature = census.signatures[row.signature];
  SignatureDisplay display = display_signature(signature);
  return {safe_text(signature.operator_name), std::move(display.shapes), std::move(display.dtypes)};
}

/// The columns left of the operator, and how they are filled.
class NumberColumns {
 public:
  NumberColumns(const TopTable& table, const ReportOptions& options)
      : table_(table),
        has_device_(table.device.events > 0),
        has_cpu_(options.sort == SortBy::Cpu && table.self_cpu_time.count() > 0),
        device_scale_(largest(table, &device_time), table.per_step.count),
        cpu_scale_(largest(table, &cpu_time), table.per_step.count) {}

  [[nodiscard]] std::vector<TextColumn> columns() const {
    const std::string_view suffix = basis_suffix(table_.per_step.basis);
    std::vector<TextColumn> columns{number_column("#")};
    columns.front().style = TextStyle::Dim;
    if (has_device_) {
      columns.push_back(number_column("share"));
      columns.push_back(number_column(fmt::format("{}{}", device_scale_.unit(), suffix)));
    }
    if (has_cpu_) {
      columns.push_back(number_column(fmt::format("CPU {}{}", cpu_scale_.unit(), suffix)));
    }
    columns.push_back(number_column("calls"));
    return columns;
  }

  [[nodiscard]] std::vector<std::string> cells(const TopRow& row, std::size_t position) const {
    const bool has_calls = row.signature != kNoIndex;
    return fill(position == 0 ? "" : std::to_string(position),
                row.device,
                row.self_cpu_time,
                has_calls ? calls_text(row.calls) : "");
  }

  [[nodiscard]] std::vector<std::string> further_cells() const {
    return fill(
        "…", table_.further_device, table_.further_self_cpu_time, calls_text(table_.further_calls));
  }

 private:
  static Nanoseconds device_time(const TopRow& row) { return row.device.time; }

  static Nanoseconds cpu_time(const TopRow& row) { return row.self_cpu_time; }

  static Nanoseconds largest(const TopTable& table, Nanoseconds (*time)(const TopRow&)) {
    Nanoseconds most;
    for (const TopRow& row : table.rows) {
      most = std::max(most, time(row));
    }
    return most;
  }

  static TextColumn number_column(std::string title) {
    TextColumn column;
    column.title = std::move(title);
    column.align_right = true;
    return column;
  }

  [[nodiscard]] std::string calls_text(std::uint64_t calls) const {
    return table_.per_step.basis == StepBasis::Total ? format_count(calls)
                                                     : format_ratio(calls, table_.per_step.count);
  }

  [[nodiscard]] std::vector<std::string> fill(std::string position,
                                              const EventSum& device,
                                              Nanoseconds cpu,
                                              std::string calls) const {
    std::vector<std::string> cells{std::move(position)};
    if (has_device_) {
      cells.push_back(format_share(device.time, table_.device.time));
      cells.push_back(device_scale_.number(device.time));
    }
    if (has_cpu_) {
      cells.push_back(cpu_scale_.number(cpu));
    }
    cells.push_back(std::move(calls));
    return cells;
  }

  const TopTable& table_;
  bool has_device_;
  bool has_cpu_;
  TimeScale device_scale_;
  TimeScale cpu_scale_;
};

std::vector<TextColumn> top_columns(const NumberColumns& numbers, Layout layout) {
  std::vector<TextColumn> columns = numbers.columns();
  const TextColumn dtypes{"dtypes", false, false, 4, 8, TextStyle::Plain};
  const TextColumn kernel{"main kernel", false, true, 1, 30, TextStyle::Dim};
  if (layout == Layout::Wide) {
    columns.push_back({"operator", false, false, 3, 24, TextStyle::Plain});
    columns.push_back({"shapes", false, false, 2, 32, TextStyle::Plain});
  } else {
    columns.push_back({"operator, shapes", false, false, 2, 24, TextStyle::Plain});
  }
  if (layout != Layout::Narrow) {
    columns.push_back(dtypes);
    columns.push_back(kernel);
  }
  return columns;
}

TextStyle row_style(const TopRow& row) {
  return row.signature == kNoIndex ? TextStyle::Warning : TextStyle::Plain;
}

void add_row(TextTable& table,
             std::vector<std::string> cells,
             const RowTexts& texts,
             const std::string& kernel,
             TextStyle style,
             Layout layout) {
  if (layout == Layout::Wide) {
    cells.push_back(texts.name);
    cells.push_back(texts.shapes);
  } else {
    cells.push_back(texts.shapes.empty() ? texts.name : texts.name + "  " + texts.shapes);
  }
  if (layout != Layout::Narrow) {
    cells.push_back(texts.dtypes);
    cells.push_back(kernel);
  }
  table.add_row(std::move(cells), style);
  const std::string separator = texts.dtypes.empty() || kernel.empty() ? "" : " · ";
  const std::string detail = texts.dtypes + separator + kernel;
  if (layout == Layout::Narrow && !detail.empty()) {
    table.add_detail(detail);
  }
}

}  // namespace

std::string render_top_section(const Census& census, Phase phase, const ReportOptions& options) {
  const SortBy sort =
      phase == Phase::Capture && options.sort == SortBy::Device ? SortBy::Calls : options.sort;
  const TopTable top = compute_top_table(census, phase, sort, options.top);
  if (top.rows.empty()) {
    return "";
  }
  const Layout layout = layout_for(options.width);
  const NumberColumns numbers(top, options);
  TextTable table(top_columns(numbers, layout));
  bool has_unknown_shapes = false;
  std::size_t position = 0;
  for (const TopRow& row : top.rows) {
    const RowTexts texts = describe_row(census, row);
    has_unknown_shapes = has_unknown_shapes || texts.shapes == kUnknownShapes;
    position += row.signature == kNoIndex ? 0 : 1;
    add_row(table,
            numbers.cells(row, row.signature == kNoIndex ? 0 : position),
            texts,
            kernel_text(census, row, options),
            row_style(row),
            layout);
  }
  if (top.further_rows > 0) {
    const RowTexts texts{fmt::format("{} more", format_count(top.further_rows)), "", ""};
    add_row(table, numbers.further_cells(), texts, "", TextStyle::Dim, layout);
  }
  std::string out = heading(top, options) + table.render(options.width, 2, options.color);
  if (has_unknown_shapes) {
    out += render_paragraph("? = shapes not recorded, or ambiguous", 2, 0, TextStyle::Dim, options);
  }
  return out;
}

}  // namespace opcensus

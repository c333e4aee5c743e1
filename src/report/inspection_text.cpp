// SPDX-License-Identifier: Apache-2.0
#include "src/report/inspection_text.h"

#include <algorithm>

#include <fmt/format.h>

#include "src/report/paragraph.h"
#include "src/report/report_options.h"
#include "src/report/table_text.h"
#include "src/report/terminal_sections.h"
#include "src/report/text_safety.h"
#include "src/report/units.h"

namespace opcensus {
namespace {

constexpr std::size_t kIndent = 2;

std::string size_text(const std::optional<std::int64_t>& size) {
  return size ? fmt::format("{}", *size) : "-";
}

std::string tokens_text(std::int64_t tokens) {
  return tokens >= 0 ? fmt::format("{}", tokens) : "-";
}

TextColumn text_column(std::string title) {
  TextColumn column;
  column.title = std::move(title);
  return column;
}

TextColumn number_column(std::string title) {
  TextColumn column = text_column(std::move(title));
  column.align_right = true;
  return column;
}

std::string render_categories(const FileInspection& file, const ReportOptions& options) {
  TextTable table({text_column("category"), number_column("events")});
  std::vector<CategoryCount> categories = file.categories;
  std::stable_sort(
      categories.begin(), categories.end(), [](const CategoryCount& a, const CategoryCount& b) {
        return a.events > b.events;
      });
  for (const CategoryCount& category : categories) {
    table.add_row({category.category.empty() ? "(none)" : safe_text(category.category),
                   format_count(category.events)});
  }
  return table.render(options.width, kIndent, options.color);
}

std::string render_phases(const FileInspection& file, const ReportOptions& options) {
  TextTable table(
      {text_column("phase"), number_column("operator calls"), number_column("device events")});
  for (const PhaseInspection& phase : file.phases) {
    table.add_row({std::string(phase_name(phase.phase)),
                   format_count(phase.operator_calls),
                   format_count(phase.device_events)});
  }
  return table.render(options.width, kIndent, options.color);
}

std::string render_steps(const FileInspection& file, const ReportOptions& options) {
  if (file.steps.empty()) {
    return "";
  }
  TextTable table({text_column("step"),
                   number_column("tokens"),
                   number_column("steps"),
                   number_column("graph launches")});
  for (const StepInspection& step : file.steps) {
    table.add_row({std::string(step_kind_name(step.kind)),
                   tokens_text(step.tokens),
                   format_count(step.steps),
                   format_count(step.graph_launches)});
  }
  return "\n" + table.render(options.width, kIndent, options.color);
}

std::string render_graphs(const FileInspection& file, const ReportOptions& options) {
  if (file.graphs.empty()) {
    return "";
  }
  TextColumn label = text_column("captured graph");
  label.shorten = true;
  label.narrow_first = 1;
  label.minimum_width = 12;
  TextTable table({number_column("#"),
                   label,
                   number_column("batch"),
                   number_column("nodes"),
                   number_column("with operator"),
                   number_column("kernel known"),
                   number_column("replays")});
  for (const GraphInspection& graph : file.graphs) {
    table.add_row({fmt::format("{}", graph.number),
                   safe_text(graph.label),
                   size_text(graph.batch_size),
                   format_count(graph.nodes),
                   format_count(graph.nodes_with_operator),
                   format_count(graph.nodes_with_kernel),
                   format_count(graph.replays)});
  }
  return "\n" + table.render(options.width, kIndent, options.color);
}

std::string format_text(const FileInspection& file) {
  return file.variant.empty() ? file.format
                              : fmt::format("{} ({})", file.format, safe_text(file.variant));
}

std::string cannot_tell_line(const FileInspection& file) {
  std::string text;
  for (const std::string& phrase : file.cannot_tell) {
    text += (text.empty() ? "cannot tell: " : "; ") + safe_text(phrase);
  }
  return text;
}

std::string headline(const FileInspection& file) {
  std::string text = fmt::format(
      "{}: {}, rank {}, {}", format_text(file), file.role, file.rank, format_bytes(file.bytes));
  if (!file.devices.empty()) {
    text += ", " + safe_text(file.devices);
  }
  if (!file.complete) {
    text += ", INCOMPLETE";
  }
  return text;
}

std::string shapes_line(const FileInspection& file) {
  if (file.operators == 0) {
    return "no operator calls";
  }
  return fmt::format(
      "{} operator calls, {} with input shapes; {} graph replays, {} given to one captured graph",
      format_count(file.operators),
      format_count(file.operators_with_shapes),
      format_count(file.graph_launches),
      format_count(file.graph_launches_bound));
}

std::string properties_line(const FileInspection& file) {
  std::string text;
  for (const TraceProperty& property : file.properties) {
    text += (text.empty() ? "" : "  ") + safe_text(property.name) + "=" + safe_text(property.value);
  }
  return text;
}

std::string render_file(const FileInspection& file, const ReportOptions& options) {
  std::string text = render_paragraph(safe_text(file.path), 0, kIndent, TextStyle::Bold, options);
  text += render_paragraph(headline(file), kIndent, 0, TextStyle::Plain, options);
  text += render_paragraph(shapes_line(file), kIndent, 0, TextStyle::Plain, options);
  const std::string cannot_tell = cannot_tell_line(file);
  if (!cannot_tell.empty()) {
    text += render_paragraph(cannot_tell, kIndent, 0, TextStyle::Plain, options);
  }
  const std::string properties = properties_line(file);
  if (!properties.empty()) {
    text += render_paragraph(properties, kIndent, 0, TextStyle::Dim, options);
  }
  text += "\n" + render_categories(file, options) + "\n" + render_phases(file, options);
  return text + render_steps(file, options) + render_graphs(file, options) + "\n";
}

std::string render_other_files(std::string_view title,
                               const InspectionReport& report,
                               bool is_used,
                               const ReportOptions& options) {
  std::string text;
  for (const SkippedInput& file : report.skipped) {
    if (file.is_used == is_used) {
      text += render_paragraph(safe_text(file.path) + ": " + safe_text(file.note),
                               kIndent,
                               kIndent,
                               TextStyle::Plain,
                               options);
    }
  }
  return text.empty() ? text : styled(title, TextStyle::Bold, options.color) + "\n" + text + "\n";
}

}  // namespace

std::string render_inspection_text(const InspectionReport& report, std::size_t width, bool color) {
  ReportOptions options;
  options.width = width;
  options.color = color;
  std::string text;
  for (const FileInspection& file : report.files) {
    text += render_file(file, options);
  }
  text += render_other_files("Also used", report, true, options);
  text += render_other_files("Left out", report, false, options);
  Census census;
  census.diagnostics = report.diagnostics;
  return text + render_diagnostic_section(census, options);
}

}  // namespace opcensus

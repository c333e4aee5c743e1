// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include "src/report/diagnostic_text.h"
#include "src/report/paragraph.h"
#include "src/report/table_text.h"
#include "src/report/terminal_sections.h"
#include "src/report/text_safety.h"
#include "src/report/units.h"

namespace opcensus {
namespace {

/// 0 for what matters most.
int severity_order(std::string_view severity) {
  if (severity == severity_name(Severity::Error)) {
    return 0;
  }
  return severity == severity_name(Severity::DataLoss) ? 1 : 2;
}

TextStyle severity_style(std::string_view severity) {
  static constexpr TextStyle kStyles[] = {TextStyle::Failure, TextStyle::Warning, TextStyle::Plain};
  return kStyles[severity_order(severity)];
}

std::string render_diagnostic(const CensusDiagnostic& diagnostic, const ReportOptions& options) {
  const std::string times =
      diagnostic.times == 1 ? "once" : fmt::format("{} times", format_count(diagnostic.times));
  std::string out = render_paragraph(
      fmt::format("{}: {}, {}", safe_text(diagnostic.severity), safe_text(diagnostic.name), times),
      2,
      2,
      severity_style(diagnostic.severity),
      options);
  if (const IssueInfo* info = find_issue_info(diagnostic.name)) {
    out += render_paragraph(info->sentence, 4, 0, TextStyle::Plain, options);
    out += render_paragraph(fmt::format("→ {}", info->remedy), 4, 2, TextStyle::Plain, options);
  }
  const std::vector<std::string> places = split_places(diagnostic.places);
  if (!places.empty()) {
    const std::string more = diagnostic.times > 1
                                 ? fmt::format("first: {}", safe_text(places.front()))
                                 : fmt::format("at: {}", safe_text(places.front()));
    out += render_paragraph(more, 4, 2, TextStyle::Dim, options);
  }
  return out;
}

}  // namespace

std::string render_diagnostic_section(const Census& census, const ReportOptions& options) {
  std::vector<CensusDiagnostic> diagnostics = census.diagnostics;
  if (options.quiet) {
    std::erase_if(diagnostics, [](const CensusDiagnostic& diagnostic) {
      return diagnostic.severity == severity_name(Severity::Info);
    });
  }
  if (diagnostics.empty()) {
    return "";
  }
  std::stable_sort(diagnostics.begin(),
                   diagnostics.end(),
                   [](const CensusDiagnostic& a, const CensusDiagnostic& b) {
                     return severity_order(a.severity) < severity_order(b.severity);
                   });
  std::string out = styled("Diagnostics", TextStyle::Bold, options.color) + "\n";
  for (const CensusDiagnostic& diagnostic : diagnostics) {
    out += render_diagnostic(diagnostic, options);
  }
  return out;
}

std::string render_check_section(const Census& census, const ReportOptions& options) {
  std::vector<std::string> failed;
  for (const Check& check : census.checks) {
    if (!check.passed) {
      failed.push_back(safe_text(check.name));
    }
  }
  if (census.checks.empty()) {
    return "";
  }
  if (failed.empty()) {
    return render_paragraph(
        fmt::format("{0} of {0} conservation checks passed.", census.checks.size()),
        0,
        0,
        TextStyle::Dim,
        options);
  }
  std::string out;
  for (const std::string& name : failed) {
    out += render_paragraph("CHECK FAILED: " + name, 0, 2, TextStyle::Failure, options);
  }
  return out + render_paragraph(
                   fmt::format("{} of {} conservation checks failed: the numbers above are wrong. "
                               "Please report this with the trace.",
                               failed.size(),
                               census.checks.size()),
                   0,
                   0,
                   TextStyle::Failure,
                   options);
}

}  // namespace opcensus

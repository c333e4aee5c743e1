// SPDX-License-Identifier: Apache-2.0
#include "src/report/terminal_report.h"

#include <vector>

#include "src/analyze/ledger.h"
#include "src/analyze/select_rank.h"
#include "src/report/terminal_sections.h"

namespace opcensus {
namespace {

/// Sections apart by one empty line.
void add_section(std::string& report, const std::string& section) {
  if (section.empty()) {
    return;
  }
  if (!report.empty()) {
    report += "\n";
  }
  report += section;
}

std::string render_all(const Census& census, const ReportOptions& options) {
  std::string report = render_header_section(census, options);
  if (census.device_times.empty()) {
    add_section(report, "No device events in the inputs.\n");
  } else {
    add_section(report, render_ledger_section(census, options));
  }
  for (const Phase phase : phases_to_show(census, options)) {
    add_section(report, render_top_section(census, phase, options));
  }
  add_section(report, render_graph_section(census, options));
  add_section(report, render_diagnostic_section(census, options));
  add_section(report, render_check_section(census, options));
  return report;
}

}  // namespace

std::string render_terminal_report(const Census& census, const ReportOptions& options) {
  return options.rank ? render_all(select_rank(census, *options.rank), options)
                      : render_all(census, options);
}

}  // namespace opcensus

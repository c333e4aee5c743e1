// SPDX-License-Identifier: Apache-2.0
//
// The sections of the terminal report, in the order they are printed. Each is whole lines, or ""
// where there is nothing to say.
#pragma once

#include <string>

#include "src/census/census.h"
#include "src/report/report_options.h"

namespace opcensus {

/// What ran: devices, versions, inputs, graphs, steps.
[[nodiscard]] std::string render_header_section(const Census& census, const ReportOptions& options);

/// Device events and time by tier, with the independent count.
[[nodiscard]] std::string render_ledger_section(const Census& census, const ReportOptions& options);

/// Where the time of a phase goes.
[[nodiscard]] std::string render_top_section(const Census& census,
                                             Phase phase,
                                             const ReportOptions& options);

[[nodiscard]] std::string render_graph_section(const Census& census, const ReportOptions& options);

[[nodiscard]] std::string render_diagnostic_section(const Census& census,
                                                    const ReportOptions& options);

/// One quiet line if all passed; loud otherwise.
[[nodiscard]] std::string render_check_section(const Census& census, const ReportOptions& options);

}  // namespace opcensus

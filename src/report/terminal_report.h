// SPDX-License-Identifier: Apache-2.0
//
// The report for a person: what ran, the ledger, where the time goes, graphs, diagnostics and
// failed checks. At least 72 columns are assumed.
#pragma once

#include <string>

#include "src/census/census.h"
#include "src/report/report_options.h"

namespace opcensus {

[[nodiscard]] std::string render_terminal_report(const Census& census,
                                                 const ReportOptions& options);

}  // namespace opcensus

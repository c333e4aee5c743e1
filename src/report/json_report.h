// SPDX-License-Identifier: Apache-2.0
//
// `report --format json`: the content of the terminal report for programs. Names in full, times
// in nanoseconds, sums instead of averages (with the divisor beside them).
#pragma once

#include <string>

#include "src/census/census.h"
#include "src/report/report_options.h"

namespace opcensus {

/// "schema_version" of the JSON report.
inline constexpr int kReportSchemaVersion = 1;

/// Uses top, sort, phase and rank of the options.
[[nodiscard]] std::string render_json_report(const Census& census, const ReportOptions& options);

}  // namespace opcensus

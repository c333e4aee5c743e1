// SPDX-License-Identifier: Apache-2.0
//
// A census keeps the name of a diagnostic; its sentence and remedy are in the table of issues.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "src/base/issue.h"

namespace opcensus {

/// nullptr for a name of another version.
[[nodiscard]] const IssueInfo* find_issue_info(std::string_view name);

/// CensusDiagnostic::places as lines, without empty ones.
[[nodiscard]] std::vector<std::string> split_places(std::string_view places);

}  // namespace opcensus

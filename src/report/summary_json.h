// SPDX-License-Identifier: Apache-2.0
//
// summary.json: the whole run on one page, for programs. Contract: schema/summary.schema.json.
#pragma once

#include <string>

#include "src/census/census.h"

namespace opcensus {

/// "schema_version" of summary.json.
inline constexpr int kSummarySchemaVersion = 1;

[[nodiscard]] std::string render_summary_json(const Census& census);

}  // namespace opcensus

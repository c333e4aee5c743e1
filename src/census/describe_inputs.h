// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "src/attribute/attribution.h"
#include "src/census/census.h"
#include "src/model/model.h"

namespace opcensus {

/// "capture", "runtime", "capture+runtime": what a trace is, from its content.
[[nodiscard]] std::string_view role_name(const TraceRole& role);

/// Fills inputs (in the order of Model::traces), ranks and diagnostics.
void describe_inputs(const Model& model,
                     const Attribution& attribution,
                     std::int64_t rank,
                     Census& census);

/// The diagnostics of one object as census rows; issues that did not occur have none.
[[nodiscard]] std::vector<CensusDiagnostic> describe_diagnostics(const Diagnostics& diagnostics);

}  // namespace opcensus

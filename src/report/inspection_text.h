// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "src/analyze/inspection.h"
#include "src/base/diagnostics.h"

namespace opcensus {

struct SkippedInput {
  std::string path;
  std::string note;
  bool is_used = false;  ///< no trace of its own, but used for another one
};

struct InspectionReport {
  std::vector<FileInspection> files;
  std::vector<SkippedInput> skipped;
  std::vector<CensusDiagnostic> diagnostics;
};

/// For a person; `width` 0: nothing is cut.
[[nodiscard]] std::string render_inspection_text(const InspectionReport& report,
                                                 std::size_t width,
                                                 bool color);

[[nodiscard]] std::string render_inspection_json(const InspectionReport& report);

}  // namespace opcensus

// SPDX-License-Identifier: Apache-2.0
//
// A paragraph on a terminal: wrapped, indented, in one style.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "src/report/report_options.h"
#include "src/report/table_text.h"

namespace opcensus {

/// Lines of at most options.width columns; later lines are indented by `hanging` more.
[[nodiscard]] std::string render_paragraph(std::string_view text,
                                           std::size_t indent,
                                           std::size_t hanging,
                                           TextStyle style,
                                           const ReportOptions& options);

}  // namespace opcensus

// SPDX-License-Identifier: Apache-2.0
//
// The key_averages table, laid out as PyTorch prints it: same columns, widths, units and rounding,
// so that a diff with a printed table shows differences in numbers only.
#pragma once

#include <cstddef>
#include <string>

#include "src/analyze/key_averages.h"

namespace opcensus {

/// `row_limit` 0: all rows. With `with_input_shapes` there is a last column of shapes.
[[nodiscard]] std::string render_key_averages_text(const KeyAverages& averages,
                                                   std::size_t row_limit,
                                                   bool with_input_shapes);

/// An array of rows: name, input_shapes, device_type (CPU|DEVICE), calls, cpu_total_ns,
/// self_cpu_ns, device_total_ns, self_device_ns.
[[nodiscard]] std::string render_key_averages_json(const KeyAverages& averages,
                                                   std::size_t row_limit);

}  // namespace opcensus

// SPDX-License-Identifier: Apache-2.0
//
// Shapes, dtypes and formats: from the spellings of torch_npu and CANN to the compact JSON lists
// that other traces have.
#pragma once

#include <string>
#include <string_view>

namespace opcensus::import::ascend {

/// Empty = not recorded.
struct InputLists {
  std::string shapes;
  std::string dtypes;
  bool has_elided_list = false;  ///< a TensorList, whose shapes torch_npu does not write
};

/// Of an operator of the framework: `8,1024;\r\n` and `float;\r\nScalar` give `[[8,1024],[]]` and
/// `["float","Scalar"]`. Some torch_npu versions exchange the two columns in the database: which
/// is which is told by the content.
[[nodiscard]] InputLists host_input_lists(std::string_view dims, std::string_view types);

/// Of a kernel: `"32,1000;"` (with its quotes) gives `[[32,1000],[]]`; empty for N/A, and for what
/// is no list of shapes.
[[nodiscard]] std::string device_shapes(std::string_view text);

/// Dtypes or formats of a kernel: `FLOAT;INT64` gives `["FLOAT","INT64"]`; empty for N/A.
[[nodiscard]] std::string device_names(std::string_view text);

/// N/A, or nothing at all.
[[nodiscard]] bool is_missing(std::string_view text);

}  // namespace opcensus::import::ascend

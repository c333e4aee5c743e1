// SPDX-License-Identifier: Apache-2.0
//
// Shapes and dtypes of an operator as a trace writes them: compact JSON text, and what can be
// read from it.
#pragma once

#include <string>
#include <string_view>

namespace opcensus::import {

/// JSON without the white space outside strings; otherwise as written.
[[nodiscard]] std::string compact_json(std::string_view json);

/// True if an input is a TensorList whose shapes the profiler left out (more than 30 tensors):
/// its dtype is "TensorList" and its shapes are []. Both texts are compact JSON arrays.
[[nodiscard]] bool has_elided_tensor_list(std::string_view shapes, std::string_view dtypes);

}  // namespace opcensus::import

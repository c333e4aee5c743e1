// SPDX-License-Identifier: Apache-2.0
//
// The inputs of one operator call: from the lists of an execution trace to Kineto's spelling.
//
//   types              Kineto's dtype   shape          concrete input
//   Tensor(float)      float            as it is       ""
//   GenericList[Tensor(float),…]  TensorList  as it is ""
//   Int, Double, Bool  Scalar           []             the value: 1, 0.5, True
//   GenericList[Int,…] ScalarList       []             the values: [256, 256]
//   String, Device     ""               []             the text
//   everything else    ""               []             ""
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace opcensus::import {

/// The lists as they stand in the file (valid JSON); empty = absent. They are parallel.
struct RawInputs {
  std::string_view values;
  std::string_view shapes;
  std::string_view types;
  std::string_view strides;
};

/// Compact JSON with one entry an input; empty = not recorded.
struct InputLists {
  std::string shapes;
  std::string dtypes;
  std::string strides;
  std::string concrete;
  std::string tensors;
};

/// Lists of different lengths, or of more than `max_inputs`, are nullopt. Calls without inputs
/// have nothing recorded, as in Kineto.
[[nodiscard]] std::optional<InputLists> convert_inputs(const RawInputs& raw,
                                                       std::size_t max_inputs);

}  // namespace opcensus::import

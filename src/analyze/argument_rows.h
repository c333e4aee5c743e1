// SPDX-License-Identifier: Apache-2.0
//
// What the calls of each operator were given beside shapes and dtypes: strides, scalars, and which
// inputs are one tensor.
#pragma once

#include <cstdint>
#include <vector>

#include "src/census/census.h"

namespace opcensus {

struct ArgumentRow {
  std::uint32_t signature = kNoIndex;
  Phase phase = Phase::Eager;
  TextIndex input_strides = 0;
  TextIndex concrete_inputs = 0;
  TextIndex tensors = 0;
  std::uint64_t calls = 0;
};

/// All ranks together. Order: operator, shapes, dtypes, phase, calls descending, strides, concrete
/// inputs, tensors.
[[nodiscard]] std::vector<ArgumentRow> compute_argument_rows(const Census& census);

}  // namespace opcensus

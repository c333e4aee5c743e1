// SPDX-License-Identifier: Apache-2.0
//
// What host threads did: calls of the CUDA runtime and driver, and NVTX ranges.
#pragma once

#include <cstdint>
#include <vector>

#include "opcensus/result.h"

#include "src/import/nsys/row_intake.h"

namespace opcensus::import {

/// Fills trace.api_calls.
[[nodiscard]] Status read_api_calls(RowIntake& intake);

/// A range that nests on its thread, and is no operator of PyTorch.
struct NestedRange {
  std::uint32_t span = 0;   ///< in trace.host_spans, an annotation
  SignatureId as_operator;  ///< a layer-wise marker has shapes
};

/// What read_ranges found, for range_operators.h.
struct Ranges {
  bool has_operators = false;  ///< of PyTorch
  bool has_shapes = false;     ///< PyTorch's operators have shapes
  std::vector<NestedRange> nested;
};

/// Fills trace.host_spans. After every other table: a range that was still open ends with the last
/// row.
[[nodiscard]] Status read_ranges(RowIntake& intake, Ranges& ranges);

}  // namespace opcensus::import

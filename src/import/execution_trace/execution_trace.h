// SPDX-License-Identifier: Apache-2.0
//
// ExecutionTrace: what PyTorch's ExecutionTraceObserver wrote of each operator call: shapes,
// strides, dtypes, scalar values and which tensors they were, without any time. It is no trace of
// its own; it tells more about the operator calls of a trace that was recorded with it.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "src/base/diagnostics.h"
#include "src/base/ids.h"
#include "src/base/string_table.h"

namespace opcensus::import {

/// One call. Texts are compact JSON, spelled like Kineto's, with one entry an input; none() where
/// not recorded.
struct ExecutionOperator {
  std::uint64_t record_function_id = 0;
  StringId name;
  StringId input_shapes;
  StringId input_dtypes;
  StringId input_strides;
  StringId concrete_inputs;
  StringId tensors;  ///< which inputs are the same tensor, numbered by first use: `[0,1,0,null]`
};

struct ExecutionTrace {
  std::string path;
  std::string schema;  ///< "1.1.1-chakra.0.0.4"
  std::uint64_t bytes = 0;
  bool complete = true;  ///< false: truncated or damaged
  StringTable strings;
  std::vector<ExecutionOperator> operators;  ///< sorted by record_function_id, one row each
  Diagnostics diagnostics;
};

}  // namespace opcensus::import

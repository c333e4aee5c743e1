// SPDX-License-Identifier: Apache-2.0
//
// Reads a PyTorch execution trace (the JSON of ExecutionTraceObserver, also known as a Chakra host
// trace; schemas 1.0.x to 1.1.x) and joins it to the trace that was recorded with it.
//
// The layouts differ: older schemas have `inputs`, `input_shapes`, `input_types` and `rf_id` beside
// each other, newer ones an object of `values`, `shapes`, `types`, `strides` and a list of `attrs`.
// They are told by what is there, never by the schema's number.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "opcensus/result.h"

#include "src/import/execution_trace/execution_trace.h"
#include "src/io/byte_source.h"
#include "src/model/model.h"

namespace opcensus::import {

struct ExecutionTraceLimits {
  std::uint64_t max_bytes = std::uint64_t{2}
                            << 30;  ///< the file is held in memory while it is read
  std::size_t max_node_bytes = std::size_t{64} << 20;
  std::size_t max_inputs = 4096;  ///< of one call; the lists of a call with more are left out
};

/// `first_bytes`: the beginning of the content, or all of it; 64 KiB tell.
[[nodiscard]] bool looks_like_execution_trace(std::string_view first_bytes);

/// Errors: Empty, NotATrace, Damaged (nothing usable), LimitExceeded, and the source's own. A
/// truncated or damaged input yields what was readable, with complete = false and a counted Issue.
[[nodiscard]] Result<ExecutionTrace> read_execution_trace(ByteSource& source,
                                                          const std::string& path,
                                                          const ExecutionTraceLimits& limits = {});

/// Completes the operator calls of `trace`: shapes and dtypes, strides and scalar values where it
/// has none, and which inputs are the same tensor. Returns how many calls were joined; 0, and
/// nothing is changed, if the two are not of the same run. What the trace could not tell
/// of shapes and dtypes is taken out of cannot_tell. O(calls · log operators).
std::size_t add_execution_trace(const ExecutionTrace& execution, Model& model, Trace& trace);

}  // namespace opcensus::import

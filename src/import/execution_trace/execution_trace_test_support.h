// SPDX-License-Identifier: Apache-2.0
//
// Shared by the tests of this folder and the fuzz target: reads from memory, and shows everything
// that was read.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "src/import/execution_trace/execution_trace_reader.h"

namespace opcensus::import::testing {

struct ExecutionReading {
  ExecutionTrace trace;
  std::optional<Error> error;

  [[nodiscard]] std::string text(StringId id) const {
    return id.is_none() ? "-" : std::string(trace.strings.view(id));
  }

  /// One operator a line: id, name, shapes, dtypes, strides, concrete inputs, tensors.
  [[nodiscard]] std::string rows() const {
    std::string rows;
    for (const ExecutionOperator& op : trace.operators) {
      rows += std::to_string(op.record_function_id) + "|" + text(op.name) + "|" +
              text(op.input_shapes) + "|" + text(op.input_dtypes) + "|" + text(op.input_strides) +
              "|" + text(op.concrete_inputs) + "|" + text(op.tensors) + "\n";
    }
    return rows;
  }
};

inline ExecutionReading read_execution_text(std::string_view content,
                                            const ExecutionTraceLimits& limits = {}) {
  const auto source = bytes_in_memory(content);
  ExecutionReading reading;
  auto result = read_execution_trace(*source, "et.json", limits);
  if (result) {
    reading.trace = std::move(result).value();
  } else {
    reading.error = std::move(result).error();
  }
  return reading;
}

}  // namespace opcensus::import::testing

// SPDX-License-Identifier: Apache-2.0
//
// Any bytes: no crash, no hang, ids in order, and nothing more from a beginning than from the
// whole.
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>

#include "src/import/execution_trace/execution_trace_test_support.h"

namespace {

using opcensus::import::testing::ExecutionReading;

ExecutionReading read(std::string_view content) {
  opcensus::import::ExecutionTraceLimits limits;
  // Small enough that a fuzzer reaches them.
  limits.max_node_bytes = 4096;
  limits.max_inputs = 8;
  return opcensus::import::testing::read_execution_text(content, limits);
}

void require(bool condition, const char* what) {
  if (!condition) {
    std::fprintf(stderr, "%s\n", what);
    std::abort();
  }
}

}  // namespace

// NOLINTNEXTLINE(readability-identifier-naming): libFuzzer's name
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view content(reinterpret_cast<const char*>(data), size);
  static_cast<void>(opcensus::import::looks_like_execution_trace(content));
  const ExecutionReading whole = read(content);
  std::uint64_t last = 0;
  for (const auto& op : whole.trace.operators) {
    require(op.record_function_id > last, "ids out of order");
    last = op.record_function_id;
  }
  const ExecutionReading half = read(content.substr(0, size / 2));
  require(whole.error || half.error || half.trace.operators.size() <= whole.trace.operators.size(),
          "a beginning holds more than the whole");
  return 0;
}

// SPDX-License-Identifier: Apache-2.0
//
// Any bytes: no crash, no hang, and the same reading whatever the size of chunks and runs, the
// number of threads, and whether rows leave the memory on the way.
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>

#include "src/import/kineto/kineto_test_support.h"

namespace {

using opcensus::import::KinetoOptions;
using opcensus::import::testing::Reading;

/// Small enough that a fuzzer reaches them.
KinetoOptions small_limits(std::size_t chunk_bytes, std::size_t run_bytes) {
  KinetoOptions options;
  options.chunk_bytes = chunk_bytes;
  options.run_bytes = run_bytes;
  options.limits.max_event_bytes = 4096;
  options.limits.max_metadata_bytes = 2048;
  options.limits.max_string_bytes = 512;
  options.limits.max_nesting = 16;
  options.limits.max_distinct_strings = 200;
  options.limits.max_distinct_arguments = 8;
  return options;
}

void require(bool condition, const char* what) {
  if (!condition) {
    std::fprintf(stderr, "%s\n", what);
    std::abort();
  }
}

std::string text_of(const Reading& reading) {
  return opcensus::import::testing::ReadingText(reading).everything();
}

std::string read_as_text(std::string_view content, const KinetoOptions& options) {
  return text_of(opcensus::import::testing::read_text(content, options));
}

void check_counts(const Reading& reading) {
  if (reading.error) {
    require(reading.model.traces.empty(), "an error with a trace");
    return;
  }
  std::uint64_t events = 0;
  for (const opcensus::RawDeviceCount& raw : reading.trace().raw_device) {
    events += raw.events;
  }
  require(events == reading.trace().device_events.size(), "device events were lost");
}

}  // namespace

// NOLINTNEXTLINE(readability-identifier-naming): libFuzzer's name
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view content(reinterpret_cast<const char*>(data), size);
  const Reading reading =
      opcensus::import::testing::read_text(content, small_limits(size + 1, std::size_t{1} << 20U));
  check_counts(reading);
  const std::string whole = text_of(reading);
  require(read_as_text(content, small_limits(1, 700)) == whole, "the size of chunks shows");
  KinetoOptions options = small_limits(64, 1);
  require(read_as_text(content, options) == whole, "the size of runs shows");
  options.threads = 2;
  require(read_as_text(content, options) == whole, "the number of threads shows");
  opcensus::import::testing::RowsElsewhere sink;
  options = small_limits(13, 200);
  options.sink = &sink;
  const bool is_clamped = whole.find("|baseTimeNanoseconds|") != std::string::npos;
  require(is_clamped || read_as_text(content, options) == whole, "the sink shows");
  return 0;
}

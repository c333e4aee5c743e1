// SPDX-License-Identifier: Apache-2.0
//
// Any bytes: no crash, no hang, the same reading whatever the size of reads, and device events that
// agree with their independent count.
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>

#include "src/import/recording/recording_test_support.h"

namespace {

using opcensus::import::testing::Reading;

Reading read_with(std::string_view content, std::size_t step) {
  opcensus::import::RecordingOptions options;
  // Small enough that a fuzzer reaches them.
  options.limits.max_header_bytes = 256;
  options.limits.max_chunk_bytes = 8192;
  options.limits.max_string_bytes = 512;
  options.limits.max_distinct_strings = 200;
  return opcensus::import::testing::read_bytes(content, options, step);
}

std::string everything(const Reading& reading) {
  if (reading.error) {
    return reading.error->message;
  }
  const opcensus::Trace& trace = reading.trace();
  std::string text = reading.graph_nodes() + (trace.complete ? "complete " : "cut ");
  for (const auto& category : trace.categories) {
    text += category.category + " " + std::to_string(category.events) + "\n";
  }
  for (const opcensus::DeviceEvent& event : trace.device_events) {
    text += reading.text(event.name) + " " + std::to_string(event.start.count()) + "\n";
  }
  for (std::size_t i = 0; i < opcensus::kIssueCount; ++i) {
    text += std::to_string(trace.diagnostics.times(static_cast<opcensus::Issue>(i))) + " ";
  }
  return text;
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
  const Reading whole = read_with(content, std::size_t{1} << 20);
  const std::string text = everything(whole);
  for (const std::size_t step : {std::size_t{1}, std::size_t{13}}) {
    require(everything(read_with(content, step)) == text, "the size of reads shows");
  }
  if (!whole.error) {
    std::uint64_t events = 0;
    for (const opcensus::RawDeviceCount& raw : whole.trace().raw_device) {
      events += raw.events;
    }
    require(events == whole.trace().device_events.size(), "device events were lost");
  }
  return 0;
}

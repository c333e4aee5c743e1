// SPDX-License-Identifier: Apache-2.0
//
// Any bytes as a database file: no crash, no hang, the same reading twice, and device events that
// agree with their independent count.
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>

#include "src/import/nsys/nsys_test_support.h"

namespace {

using opcensus::import::testing::NsysFile;
using opcensus::import::testing::Reading;

std::string everything(const Reading& reading) {
  if (reading.error) {
    return reading.error->message;
  }
  const opcensus::Trace& trace = reading.trace();
  std::string text = reading.spans();
  for (const auto& category : trace.categories) {
    text += category.category + " " + std::to_string(category.events) + "\n";
  }
  for (const opcensus::DeviceEvent& event : trace.device_events) {
    text += reading.text(event.name) + " " + std::to_string(event.start.count()) + " " +
            std::to_string(event.graph_node_id) + "\n";
  }
  for (const opcensus::GraphNodeRow& row : trace.graph_nodes) {
    text += std::to_string(row.node) + " " + std::to_string(row.origin) + "\n";
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
  static const NsysFile file;
  file.write({reinterpret_cast<const char*>(data), size});
  opcensus::import::NsysOptions options;
  options.limits.max_string_bytes = 4096;  // small enough that a fuzzer reaches them
  options.limits.max_distinct_strings = 500;
  const Reading reading = opcensus::import::testing::read_file(file.path(), options);
  require(
      everything(reading) == everything(opcensus::import::testing::read_file(file.path(), options)),
      "two readings differ");
  require(reading.error.has_value() == reading.model.traces.empty(), "an error with a trace");
  if (!reading.error) {
    std::uint64_t events = 0;
    for (const opcensus::RawDeviceCount& raw : reading.trace().raw_device) {
      events += raw.events;
    }
    require(events == reading.trace().device_events.size(), "device events were lost");
    require(opcensus::import::is_nsys_export(file.path()), "not recognised, but read");
  }
  return 0;
}

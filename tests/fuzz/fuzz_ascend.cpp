// SPDX-License-Identifier: Apache-2.0
//
// Any bytes as one of the three files of an Ascend profile; the first byte says which: 'd' a
// database, 'k' kernel_details.csv, anything else trace_view.json. No crash, no hang, and device
// events that agree with their independent count.
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>

#include "src/import/ascend/ascend_test_support.h"

#include "tests/support/temporary_folder.h"

namespace {

using opcensus::import::testing::AscendReading;

/// One folder for all runs of the process.
const opcensus::testing::TemporaryFolder& folder() {
  static const opcensus::testing::TemporaryFolder kFolder;
  return kFolder;
}

std::string_view file_name(std::string_view content) {
  if (content.starts_with('d')) {
    return "ascend_pytorch_profiler.db";
  }
  return content.starts_with('k') ? "kernel_details.csv" : "trace_view.json";
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
  if (content.empty()) {
    return 0;
  }
  const std::string path = folder().write(file_name(content), content.substr(1));
  opcensus::import::AscendOptions options;
  // Small enough that a fuzzer reaches them.
  options.limits.max_event_bytes = 4096;
  options.limits.max_row_bytes = 4096;
  const AscendReading reading = opcensus::import::testing::read_ascend(path, options);
  if (reading.error) {
    require(!reading.error->message.empty() && !reading.error->hint.empty(), "a mute error");
    return 0;
  }
  std::uint64_t events = 0;
  for (const opcensus::RawDeviceCount& raw : reading.trace().raw_device) {
    events += raw.events;
  }
  // SQL and we may differ about damaged values; texts are read once.
  require(content.starts_with('d') || events == reading.trace().device_events.size(),
          "device events were lost");
  require(reading.host_spans().size() < std::size_t{1} << 30U, "more text than there can be");
  return 0;
}

// SPDX-License-Identifier: Apache-2.0
//
// Any bytes: no crash, no hang, and the same reading whatever the chunk size.
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>

#include "src/import/kineto/kineto_test_support.h"

namespace {

std::string read_as_text(std::string_view content, std::size_t chunk_bytes) {
  opcensus::import::KinetoOptions options;
  options.chunk_bytes = chunk_bytes;
  // Small enough that a fuzzer reaches them.
  options.limits.max_event_bytes = 4096;
  options.limits.max_metadata_bytes = 2048;
  options.limits.max_string_bytes = 512;
  options.limits.max_nesting = 16;
  const auto reading = opcensus::import::testing::read_text(content, options);
  return opcensus::import::testing::ReadingText(reading).everything();
}

}  // namespace

// NOLINTNEXTLINE(readability-identifier-naming): libFuzzer's name
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view content(reinterpret_cast<const char*>(data), size);
  const std::string whole = read_as_text(content, std::size_t{1} << 20);
  for (const std::size_t chunk : {std::size_t{1}, std::size_t{13}, std::size_t{64}}) {
    if (read_as_text(content, chunk) != whole) {
      std::fputs("the reading depends on the chunk size\n", stderr);
      std::abort();
    }
  }
  return 0;
}

// SPDX-License-Identifier: Apache-2.0
//
// Any bytes, read as an input: no crash, no endless loop, and the same content and outcome
// whatever the size of the reads.
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "src/io/byte_source.h"

#include "tests/fuzz/read_whole.h"

namespace {

using opcensus::fuzz::Reading;

// A few KiB of input inflate to some MiB at most; more would only make the fuzzer slow.
constexpr std::size_t kMostContent = std::size_t{4} << 20U;

Reading read_as_input(std::string_view bytes, std::size_t chunk) {
  return opcensus::fuzz::read_whole(*opcensus::bytes_in_memory(bytes), chunk, kMostContent);
}

}  // namespace

// NOLINTNEXTLINE(readability-identifier-naming): libFuzzer names it
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  constexpr std::size_t kLargeRead = std::size_t{1} << 20U;
  constexpr std::size_t kOddRead = 1'021;
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  opcensus::fuzz::require_same(
      read_as_input(bytes, kLargeRead), read_as_input(bytes, kOddRead), size, kMostContent);
  return 0;
}

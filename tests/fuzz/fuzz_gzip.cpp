// SPDX-License-Identifier: Apache-2.0
//
// Any bytes, read as an input: no crash, no endless loop, and the same content and outcome
// whatever the size of the reads.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "src/io/byte_source.h"

namespace {

// A few KiB of input inflate to some MiB at most; more would only make the fuzzer slow.
constexpr std::size_t kMostContent = std::size_t{4} << 20U;

struct Reading {
  std::string content;
  std::optional<std::string> error;
  std::uint64_t trailing = 0;
};

Reading read_all(std::string_view bytes, std::size_t chunk) {
  Reading reading;
  const auto source = opcensus::bytes_in_memory(bytes);
  std::vector<char> buffer(chunk);
  while (reading.content.size() < kMostContent) {
    const auto count = source->read(buffer);
    if (!count.has_value()) {
      reading.error = count.error().message;
      break;
    }
    if (*count == 0) {
      reading.trailing = source->trailing_bytes();
      break;
    }
    reading.content.append(buffer.data(), *count);
  }
  reading.content.resize(std::min(reading.content.size(), kMostContent));
  return reading;
}

void require(bool holds) {
  if (!holds) {
    std::abort();
  }
}

}  // namespace

// NOLINTNEXTLINE(readability-identifier-naming): libFuzzer names it
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  constexpr std::size_t kLargeRead = std::size_t{1} << 20U;
  constexpr std::size_t kOddRead = 1'021;
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  const Reading large = read_all(bytes, kLargeRead);
  const Reading small = read_all(bytes, kOddRead);
  require(large.content == small.content);
  if (large.content.size() < kMostContent) {
    require(large.error == small.error);
    require(large.trailing == small.trailing);
    require(large.trailing <= size);
  }
  return 0;
}

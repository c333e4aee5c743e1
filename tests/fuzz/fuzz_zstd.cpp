// SPDX-License-Identifier: Apache-2.0
//
// Any bytes, read as zstd data: no crash, no endless loop, the same content and outcome whatever
// the size of the reads, and what the library's own whole-buffer call gives if that succeeds.
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "src/io/memory_bytes.h"
#include "src/io/zstd_bytes.h"
#include "src/io/zstd_test_data.h"

#include "tests/fuzz/read_whole.h"

namespace {

using opcensus::fuzz::Reading;
using opcensus::fuzz::require;

// Several blocks; more would only make the fuzzer slow.
constexpr std::size_t kMostContent = std::size_t{1} << 20U;

Reading read_as_zstd(std::string_view bytes, std::size_t chunk) {
  opcensus::ZstdBytes source(std::make_unique<opcensus::MemoryBytes>(bytes), "");
  return opcensus::fuzz::read_whole(source, chunk, kMostContent);
}

}  // namespace

// NOLINTNEXTLINE(readability-identifier-naming): libFuzzer names it
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  constexpr std::size_t kLargeRead = std::size_t{300} << 10U;
  constexpr std::size_t kOddRead = 1'021;
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  const Reading large = read_as_zstd(bytes, kLargeRead);
  opcensus::fuzz::require_same(large, read_as_zstd(bytes, kOddRead), size, kMostContent);
  // Two things are ours alone: the limit of the window, and that old formats are not read.
  const bool is_limited = large.error && large.error->code == opcensus::ErrorCode::LimitExceeded;
  if (!is_limited && large.trailing == 0) {
    const std::optional<std::string> whole = opcensus::testing::unzstd(bytes, kMostContent - 1);
    require(!whole || (!large.error && large.content == *whole));
  }
  return 0;
}

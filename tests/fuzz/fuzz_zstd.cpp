// SPDX-License-Identifier: Apache-2.0
//
// Any bytes, read as zstd data: no crash, no endless loop, the same content and outcome whatever
// the size of the reads, and what the library's own whole-buffer call gives if that succeeds.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "src/io/byte_source.h"
#include "src/io/zstd_bytes.h"
#include "src/io/zstd_test_data.h"

namespace {

// Several blocks; more would only make the fuzzer slow.
constexpr std::size_t kMostContent = std::size_t{1} << 20U;

class MemoryBytes final : public opcensus::ByteSource {
 public:
  explicit MemoryBytes(std::string_view content) : content_(content) {}

  opcensus::Result<std::size_t> read(std::span<char> buffer) override {
    const std::size_t count = content_.copy(buffer.data(), buffer.size(), consumed_);
    consumed_ += count;
    return count;
  }

  [[nodiscard]] std::uint64_t consumed() const override { return consumed_; }

  [[nodiscard]] std::uint64_t total() const override { return content_.size(); }

 private:
  std::string_view content_;
  std::size_t consumed_ = 0;
};

struct Reading {
  std::string content;
  std::optional<opcensus::Error> error;
  std::uint64_t trailing = 0;
};

Reading read_all(std::string_view bytes, std::size_t chunk) {
  Reading reading;
  opcensus::ZstdBytes source(std::make_unique<MemoryBytes>(bytes), "");
  std::vector<char> buffer(chunk);
  while (reading.content.size() < kMostContent) {
    const auto count = source.read(buffer);
    if (!count.has_value()) {
      reading.error = count.error();
      break;
    }
    if (*count == 0) {
      reading.trailing = source.trailing_bytes();
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
  constexpr std::size_t kLargeRead = std::size_t{300} << 10U;
  constexpr std::size_t kOddRead = 1'021;
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  const Reading large = read_all(bytes, kLargeRead);
  const Reading small = read_all(bytes, kOddRead);
  require(large.content == small.content);
  if (large.content.size() < kMostContent) {
    require(large.error.has_value() == small.error.has_value());
    require(!large.error || large.error->message == small.error->message);
    require(large.trailing == small.trailing);
    require(large.trailing <= size);
  }
  // Two things are ours alone: the limit of the window, and that old formats are not read.
  const bool is_limited = large.error && large.error->code == opcensus::ErrorCode::LimitExceeded;
  if (!is_limited && large.trailing == 0) {
    const std::optional<std::string> whole = opcensus::testing::unzstd(bytes, kMostContent - 1);
    require(!whole || (!large.error && large.content == *whole));
  }
  return 0;
}

// SPDX-License-Identifier: Apache-2.0
#include "src/io/zstd_bytes.h"

#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "src/io/gzip_test_data.h"
#include "src/io/io_test_support.h"
#include "src/io/zstd_test_data.h"

namespace opcensus {
namespace {

using testing::flip_bit;
using testing::mentions;
using testing::read_all;
using testing::Reading;
using testing::skippable_frame;
using testing::trace_like_text;
using testing::zstd;

constexpr std::size_t kBlock = std::size_t{128} << 10U;  // the most content of one block

TEST(ZstdBytes, EveryKindOfFrameIsRead) {
  const std::string content = trace_like_text(1'000'000);
  for (const int level : {-5, 1, 3, 19}) {
    for (const bool checksum : {false, true}) {
      for (const bool content_size : {false, true}) {
        const Reading reading = read_all(zstd(content, {level, 0, checksum, content_size}));
        EXPECT_TRUE(reading.content == content) << level << checksum << content_size;
        EXPECT_FALSE(reading.error.has_value());
      }
    }
  }
}

TEST(ZstdBytes, SkippableFramesHoldNoContentWhereverTheyAre) {
  const std::string content = trace_like_text(10'000);
  const std::string large(700'000, 'x');
  const std::string packed = skippable_frame("", 0) + skippable_frame("seek table", 14) +
                             zstd(content) + skippable_frame(large, 15) + zstd("two") +
                             skippable_frame("end");
  for (const std::size_t chunk : {1'000U, 1'000'000U}) {
    const auto source = bytes_in_memory(packed);
    const Reading reading = read_all(*source, chunk);
    EXPECT_EQ(reading.content, content + "two");
    EXPECT_FALSE(reading.error.has_value());
    EXPECT_EQ(source->trailing_bytes(), 0U);
  }
}

TEST(ZstdBytes, ASkippableFrameThatIsCutOffIsTold) {
  const std::string packed = zstd("one") + skippable_frame("what is skipped");
  for (std::size_t lost = 1; lost < 19; ++lost) {
    const auto source = bytes_in_memory(std::string_view(packed).substr(0, packed.size() - lost));
    const Reading reading = read_all(*source);
    EXPECT_EQ(reading.content, "one");
    ASSERT_TRUE(reading.error.has_value()) << lost;
    EXPECT_TRUE(source->truncated()) << lost;
  }
}

TEST(ZstdBytes, ACutLosesLessThanOneBlock) {
  const std::string content = trace_like_text(1'000'000);
  const std::string packed = zstd(content);
  for (std::size_t size = 100; size < packed.size(); size += packed.size() / 41) {
    const Reading whole = read_all(std::string_view(packed).substr(0, size));
    const Reading next = read_all(std::string_view(packed).substr(0, size + packed.size() / 41));
    EXPECT_TRUE(content.starts_with(whole.content));
    EXPECT_EQ(whole.content.size() % kBlock, 0U) << size;
    EXPECT_LE(whole.content.size(), next.content.size());
  }
}

/// Where the blocks of a frame with a content size below 4 GiB begin, and where its checksum does.
std::vector<std::size_t> block_begins(const std::string& frame) {
  std::vector<std::size_t> begins;
  const auto byte = [&frame](std::size_t at) { return static_cast<unsigned char>(frame[at]); };
  const bool is_single_segment = (byte(4) & 0x20U) != 0;
  std::size_t at = 5U + (is_single_segment ? 0U : 1U) + 4U;
  for (bool is_last = false; !is_last;) {
    begins.push_back(at);
    const std::size_t header =
        byte(at) | std::size_t{byte(at + 1)} << 8U | std::size_t{byte(at + 2)} << 16U;
    is_last = (header & 1U) != 0;
    at += 3 + (header >> 3U);
  }
  begins.push_back(at);
  return begins;
}

TEST(ZstdBytes, DamageKeepsEveryBlockBeforeIt) {
  const std::string content = trace_like_text(1'000'000);
  const std::string packed = zstd(content);
  const std::vector<std::size_t> begins = block_begins(packed);
  ASSERT_EQ(begins.size(), content.size() / kBlock + 2);
  ASSERT_EQ(begins.back() + 4, packed.size());
  for (std::size_t block = 0; block + 1 < begins.size(); ++block) {
    std::string bad = packed;
    bad[begins[block]] = static_cast<char>(bad[begins[block]] | 6);  // the reserved type of blocks
    for (const std::size_t chunk : {333U, 131'072U, 2'000'000U}) {
      const auto source = bytes_in_memory(bad);
      const Reading reading = read_all(*source, chunk);
      ASSERT_TRUE(reading.error.has_value());
      EXPECT_EQ(reading.error->code, ErrorCode::Damaged);
      EXPECT_EQ(reading.error->byte_offset, block * kBlock) << chunk;
      EXPECT_TRUE(reading.content == content.substr(0, block * kBlock)) << block << " " << chunk;
      EXPECT_FALSE(source->truncated());
    }
  }
}

TEST(ZstdBytes, AFlippedBitThatChangesTheContentIsTold) {
  const std::string content = trace_like_text(400'000);
  const std::string packed = zstd(content);
  std::size_t flips = 0;
  std::size_t told = 0;
  for (std::size_t at = 4; at < packed.size(); at += 1 + at / 40) {
    const std::string bad = flip_bit(packed, at);
    const Reading large = read_all(bad);
    const Reading small = read_all(bad, 333);
    EXPECT_TRUE(large.content == small.content) << at;
    ASSERT_EQ(large.error.has_value(), small.error.has_value()) << at;
    ++flips;
    if (!large.error) {
      EXPECT_TRUE(large.content == content) << at;  // few bits mean nothing
      continue;
    }
    ++told;
    EXPECT_EQ(large.error->byte_offset, large.content.size()) << at;
    EXPECT_EQ(large.error->message, small.error->message) << at;
  }
  EXPECT_GT(told, flips * 9 / 10);
}

/// A frame's beginning that asks for a window of 2^log bytes.
std::string frame_with_window(int log) {
  return std::string("\x28\xb5\x2f\xfd\0", 5) + static_cast<char>((log - 10) << 3U);
}

TEST(ZstdBytes, AWindowAboveTheLimitIsRefusedByName) {
  const std::string empty_last_block("\x01\0\0", 3);
  const Reading allowed = read_all(frame_with_window(27) + empty_last_block);
  EXPECT_FALSE(allowed.error.has_value());
  for (const int log : {28, 31, 41}) {
    const Reading refused = read_all(frame_with_window(log) + empty_last_block);
    ASSERT_TRUE(refused.error.has_value()) << log;
    EXPECT_EQ(refused.error->code, ErrorCode::LimitExceeded);
    EXPECT_TRUE(mentions(refused.error->message, "128 MiB")) << refused.error->message;
    EXPECT_TRUE(mentions(refused.error->hint, "zstd -d --long=31")) << refused.error->hint;
  }
}

TEST(ZstdBytes, ALaterFrameAboveTheLimitLeavesTheFirst) {
  const Reading reading = read_all(zstd("one") + frame_with_window(30) + std::string(9, '\0'));
  EXPECT_EQ(reading.content, "one");
  ASSERT_TRUE(reading.error.has_value());
  EXPECT_EQ(reading.error->code, ErrorCode::LimitExceeded);
  EXPECT_EQ(reading.error->byte_offset, 3U);
}

TEST(ZstdBytes, ADictionaryIsNamed) {
  const std::string frame("\x28\xb5\x2f\xfd\x01\x58\x07\x01\0\0", 10);  // dictionary number 7
  const Reading reading = read_all(frame);
  ASSERT_TRUE(reading.error.has_value());
  EXPECT_EQ(reading.error->code, ErrorCode::UnsupportedFormat);
  EXPECT_TRUE(mentions(reading.error->message, "dictionary")) << reading.error->message;
  EXPECT_FALSE(reading.error->hint.empty());
}

}  // namespace
}  // namespace opcensus

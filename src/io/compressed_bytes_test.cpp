// SPDX-License-Identifier: Apache-2.0
//
// What holds of every compression that is read. A frame is a gzip member or a zstd frame.
#include <algorithm>
#include <cstddef>
#include <ostream>
#include <string>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>

#include "src/io/byte_source.h"
#include "src/io/gzip_test_data.h"
#include "src/io/io_test_support.h"
#include "src/io/zstd_test_data.h"

#include "tests/support/temporary_folder.h"

namespace opcensus {
namespace {

using testing::flip_bit;
using testing::gzip;
using testing::mentions;
using testing::read_all;
using testing::Reading;
using testing::TemporaryFolder;
using testing::trace_like_text;
using testing::zstd;

struct Codec {
  std::string test_name;
  std::string name;    ///< in messages
  std::string suffix;  ///< of files
  std::string (*pack)(std::string_view content);
  std::string (*pack_otherwise)(std::string_view content);  ///< other optional parts in the header
  std::string by_program;  ///< what the format's own program makes of kForProgram
  std::size_t magic_size;
  std::size_t checksum_from_end;              ///< a byte of it
  std::vector<std::string> not_quite_starts;  ///< what looks like a frame, and is none
};

/// For the names of failed tests.
std::ostream& operator<<(std::ostream& out, const Codec& codec) {
  return out << codec.name;
}

constexpr std::string_view kForProgram = "{\"traceEvents\": [], \"displayTimeUnit\": \"ms\"}\n";

std::string plain_zstd(std::string_view content) {
  return zstd(content);
}

std::string bare_zstd(std::string_view content) {
  testing::ZstdOptions options;
  options.checksum = false;
  options.content_size = false;
  return zstd(content, options);
}

std::string named_gzip(std::string_view content) {
  constexpr std::size_t kFlags = 3;
  constexpr std::size_t kFixedHeader = 10;
  std::string packed = gzip(content);
  packed[kFlags] = 8;  // a name follows the fixed header
  packed.insert(kFixedHeader, "trace.json", sizeof "trace.json");
  return packed;
}

Codec gzip_codec() {
  // printf … > hello.json; gzip -9 hello.json
  static constexpr char kBytes[] =
      "\x1f\x8b\x08\x08\xc7\x36\x0d\x6b\x02\x03\x68\x65\x6c\x6c\x6f\x2e\x6a\x73\x6f\x6e"
      "\x00\xab\x56\x2a\x29\x4a\x4c\x4e\x75\x2d\x4b\xcd\x2b\x29\x56\xb2\x52\x88\x8e\xd5"
      "\x51\x50\x4a\xc9\x2c\x2e\xc8\x49\xac\x0c\xc9\xcc\x4d\x0d\xcd\xcb\x2c\x01\x0a\x2b"
      "\xe5\x16\x2b\xd5\x72\x01\x00\xa5\x54\x2a\x70\x2d\x00\x00\x00";
  return {"Gzip",
          "gzip",
          ".gz",
          &gzip,
          &named_gzip,
          std::string(kBytes, sizeof kBytes - 1),
          2,
          8,
          {"\x1f", std::string("\x1f\x8b\x07\x00", 4)}};
}

Codec zstd_codec() {
  // printf … | zstd -19
  static constexpr char kBytes[] =
      "\x28\xb5\x2f\xfd\x04\x68\x69\x01\x00\x7b\x22\x74\x72\x61\x63\x65\x45\x76\x65\x6e"
      "\x74\x73\x22\x3a\x20\x5b\x5d\x2c\x20\x22\x64\x69\x73\x70\x6c\x61\x79\x54\x69\x6d"
      "\x65\x55\x6e\x69\x74\x22\x3a\x20\x22\x6d\x73\x22\x7d\x0a\x67\xa1\x63\x44";
  return {"Zstd",
          "zstd",
          ".zst",
          &plain_zstd,
          &bare_zstd,
          std::string(kBytes, sizeof kBytes - 1),
          4,
          1,
          {"\x28\xb5", "\x27\xb5\x2f\xfd more"}};
}

class CompressedBytes : public ::testing::TestWithParam<Codec> {
 protected:
  [[nodiscard]] static const Codec& codec() { return GetParam(); }

  [[nodiscard]] static std::string pack(std::string_view content) { return codec().pack(content); }
};

INSTANTIATE_TEST_SUITE_P(,
                         CompressedBytes,
                         ::testing::Values(gzip_codec(), zstd_codec()),
                         [](const auto& codec) { return codec.param.test_name; });

TEST_P(CompressedBytes, AreToldByTheBytesAndNotByTheName) {
  const TemporaryFolder folder;
  const std::string content = trace_like_text(300'000);
  auto packed = open_bytes(folder.write("trace.json", pack(content)));
  auto plain = open_bytes(folder.write("trace.json" + codec().suffix, content));
  ASSERT_TRUE(packed.has_value());
  ASSERT_TRUE(plain.has_value());
  EXPECT_EQ(read_all(**packed).content, content);
  EXPECT_EQ(read_all(**plain).content, content);
}

TEST_P(CompressedBytes, OfTheFormatsOwnProgramAreRead) {
  EXPECT_EQ(read_all(codec().by_program).content, kForProgram);
}

TEST_P(CompressedBytes, ProgressIsInBytesOfTheCompressedFile) {
  const std::string packed = pack(trace_like_text(10'000'000));
  const auto source = bytes_in_memory(packed);
  std::vector<char> buffer(10'000);
  EXPECT_EQ(source->total(), packed.size());
  ASSERT_TRUE(source->read(buffer).has_value());
  EXPECT_GT(source->consumed(), 0U);
  EXPECT_LT(source->consumed(), packed.size() / 10);
  static_cast<void>(read_all(*source));
  EXPECT_EQ(source->consumed(), packed.size());
}

TEST_P(CompressedBytes, TheSizeOfReadsDoesNotMatter) {
  const std::string content = trace_like_text(1'000'000);
  const std::string packed = pack(content) + codec().pack_otherwise(content);
  for (const std::size_t chunk :
       {7U, 4'096U, 70'000U, 131'072U, 1'000'000U, 2'000'000U, 2'500'000U}) {
    const Reading reading = read_all(packed, chunk);
    EXPECT_TRUE(reading.content == content + content) << chunk;
    EXPECT_FALSE(reading.error.has_value()) << chunk;
  }
  EXPECT_EQ(read_all(pack(content.substr(0, 5'000)), 1).content, content.substr(0, 5'000));
}

TEST_P(CompressedBytes, FramesAreJoined) {
  // 20,000 frames of some 20 bytes: their borders meet the input buffer's end in every way.
  std::string content;
  std::string packed;
  for (int i = 0; i < 20'000; ++i) {
    const std::string text = std::to_string(i);
    content += text;
    packed += pack(text);
  }
  const Reading reading = read_all(packed);
  EXPECT_EQ(reading.content, content);
  EXPECT_FALSE(reading.error.has_value());
}

TEST_P(CompressedBytes, PaddingAndGarbageAfterTheLastFrameAreCounted) {
  const std::string content = trace_like_text(10'000);
  std::vector<std::string> trailings = codec().not_quite_starts;
  trailings.insert(trailings.end(),
                   {std::string(700'000, '\0'), "garbage", std::string("\0\0\0x", 4)});
  for (const std::string& trailing : trailings) {
    const std::string packed = pack(content) + trailing;
    const auto source = bytes_in_memory(packed);
    const Reading reading = read_all(*source);
    EXPECT_EQ(reading.content, content);
    EXPECT_FALSE(reading.error.has_value());
    EXPECT_EQ(source->trailing_bytes(), trailing.size());
  }
}

TEST_P(CompressedBytes, AFrameAfterPaddingIsRead) {
  const std::string packed = pack("one ") + std::string(300'000, '\0') + pack("two");
  EXPECT_EQ(read_all(packed).content, "one two");
}

TEST_P(CompressedBytes, AWrongChecksumComesAfterTheContent) {
  const std::string content = trace_like_text(500'000);
  const std::string packed = pack(content);
  const std::string bad = flip_bit(packed, packed.size() - codec().checksum_from_end);
  const auto source = bytes_in_memory(bad);
  const Reading reading = read_all(*source);
  EXPECT_TRUE(reading.content == content);
  ASSERT_TRUE(reading.error.has_value());
  EXPECT_EQ(reading.error->code, ErrorCode::Damaged);
  EXPECT_EQ(reading.error->byte_offset, content.size());
  EXPECT_TRUE(mentions(reading.error->message, "checksum")) << reading.error->message;
  EXPECT_FALSE(reading.error->hint.empty());
  EXPECT_FALSE(source->truncated());
}

TEST_P(CompressedBytes, ADamagedFrameDoesNotBlameItsIntactNeighbour) {
  const std::string packed = pack("one");
  const Reading reading =
      read_all(flip_bit(packed, packed.size() - codec().checksum_from_end) + pack("two"));
  EXPECT_EQ(reading.content, "one");
  ASSERT_TRUE(reading.error.has_value());
  EXPECT_FALSE(mentions(reading.error->hint, "second " + codec().name + " header"))
      << reading.error->hint;
}

TEST_P(CompressedBytes, AnErrorIsReturnedAgain) {
  const std::string packed = pack(trace_like_text(1'000));
  const auto source = bytes_in_memory(std::string_view(packed).substr(0, packed.size() - 4));
  const Reading first = read_all(*source);
  const Reading second = read_all(*source);
  ASSERT_TRUE(first.error.has_value());
  ASSERT_TRUE(second.error.has_value());
  EXPECT_EQ(second.content, "");
  EXPECT_EQ(second.error->message, first.error->message);
  EXPECT_EQ(second.error->byte_offset, first.error->byte_offset);
}

TEST_P(CompressedBytes, EveryCutGivesAPrefixAndThenDamaged) {
  const std::string content = trace_like_text(3'000);
  const std::string packed = pack(content);
  std::size_t longest = 0;
  for (std::size_t size = codec().magic_size; size < packed.size(); ++size) {
    const auto source = bytes_in_memory(std::string_view(packed).substr(0, size));
    const Reading reading = read_all(*source, 512);
    ASSERT_TRUE(reading.error.has_value()) << size;
    EXPECT_EQ(reading.error->code, ErrorCode::Damaged);
    EXPECT_EQ(reading.error->message, "the " + codec().name + " data ends in the middle");
    EXPECT_EQ(reading.error->byte_offset, reading.content.size());
    EXPECT_TRUE(source->truncated());
    EXPECT_TRUE(content.starts_with(reading.content)) << size;
    EXPECT_GE(reading.content.size(), longest);
    longest = reading.content.size();
  }
  EXPECT_EQ(longest, content.size());  // only the checksum is cut off
}

/// One file into which two processes wrote in turn.
std::string written_in_turn(const std::string& one, const std::string& two, std::size_t write) {
  std::string mixed;
  for (std::size_t at = 0; at < std::max(one.size(), two.size()); at += write) {
    mixed += at < one.size() ? one.substr(at, write) : "";
    mixed += at < two.size() ? two.substr(at, write) : "";
  }
  return mixed;
}

TEST_P(CompressedBytes, TwoWritersOfOneFileAreNamedAsTheCause) {
  constexpr std::size_t kReadAhead = 300;  // of ISA-L, which damage takes along
  const std::string one = pack(trace_like_text(400'000, 1));
  const std::string two = pack(trace_like_text(400'000, 2));
  std::size_t kept = 0;
  for (const std::size_t write : {8'192U, 32'768U}) {
    const Reading reading = read_all(written_in_turn(one, two, write));
    const std::string first = read_all(one.substr(0, write)).content;
    kept = first.size() - std::min(first.size(), kReadAhead);
    EXPECT_TRUE(reading.content.starts_with(first.substr(0, kept))) << write;
    ASSERT_TRUE(reading.error.has_value()) << write;
    EXPECT_EQ(reading.error->code, ErrorCode::Damaged);
    EXPECT_TRUE(mentions(reading.error->hint, "two processes")) << reading.error->hint;
    EXPECT_TRUE(mentions(reading.error->hint, "second " + codec().name + " header"))
        << reading.error->hint;
  }
  EXPECT_GT(kept, 0U);  // the larger write holds some content in either format
}

TEST_P(CompressedBytes, DamageInTheOuterLayerIsTold) {
  const std::string content = trace_like_text(50'000);
  const std::string packed = pack(pack(content));
  const auto source = bytes_in_memory(std::string_view(packed).substr(0, packed.size() - 1));
  const Reading reading = read_all(*source);
  EXPECT_EQ(reading.content, content);
  ASSERT_TRUE(reading.error.has_value());
  EXPECT_EQ(reading.error->code, ErrorCode::Damaged);
  EXPECT_EQ(reading.error->byte_offset, content.size());
  EXPECT_TRUE(source->truncated());
}

TEST_P(CompressedBytes, ErrorsNameTheFile) {
  const TemporaryFolder folder;
  const std::string path = folder.write("cut" + codec().suffix, pack("content").substr(0, 12));
  auto source = open_bytes(path);
  ASSERT_TRUE(source.has_value());
  const Reading reading = read_all(**source);
  ASSERT_TRUE(reading.error.has_value());
  EXPECT_EQ(reading.error->file, path);
}

TEST_P(CompressedBytes, TwoLayersOfAnyKindAreReadAndDeeperIsRefused) {
  const std::string content = trace_like_text(400'000);
  for (const auto& inner : {&gzip, &plain_zstd}) {
    const std::string two_layers = pack(inner(content));
    EXPECT_TRUE(read_all(two_layers, 1'000).content == content);
    for (const auto& outer : {&gzip, &plain_zstd}) {
      const Reading deeper = read_all(outer(two_layers));
      EXPECT_EQ(deeper.content, "");
      ASSERT_TRUE(deeper.error.has_value());
      EXPECT_EQ(deeper.error->code, ErrorCode::UnsupportedFormat);
    }
  }
}

}  // namespace
}  // namespace opcensus

// SPDX-License-Identifier: Apache-2.0
#include "src/io/gzip_header.h"

#include <string>

#include <gtest/gtest.h>

#include "src/io/gzip_test_data.h"

namespace opcensus {
namespace {

using State = GzipHeaderParser::State;

/// Bytes of the header that the parser takes until it is complete; 0 = never complete.
std::size_t header_size(std::string_view bytes) {
  GzipHeaderParser parser;
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    const State state = parser.take(static_cast<std::uint8_t>(bytes[i]));
    if (state != State::NeedsMore) {
      return state == State::Complete ? i + 1 : 0;
    }
  }
  return 0;
}

std::string fixed_part(char flags) {
  return std::string("\x1f\x8b\x08", 3) + flags + std::string("\0\0\0\0\x02\x03", 6);
}

TEST(GzipHeader, PlainHeaderIsTenBytes) {
  EXPECT_EQ(header_size(fixed_part(0) + "data"), 10U);
}

TEST(GzipHeader, EveryOptionalPartIsSkipped) {
  const std::string extra(
      "\x03\x00"
      "abc",
      5);
  const std::string name("name\0", 5);
  const std::string comment("a comment\0", 10);
  const std::string crc("\x12\x34", 2);
  EXPECT_EQ(header_size(fixed_part(0x04) + extra + "data"), 15U);
  EXPECT_EQ(header_size(fixed_part(0x08) + name + "data"), 15U);
  EXPECT_EQ(header_size(fixed_part(0x10) + comment + "data"), 20U);
  EXPECT_EQ(header_size(fixed_part(0x02) + crc + "data"), 12U);
  EXPECT_EQ(header_size(fixed_part(0x1e) + extra + name + comment + crc + "data"), 32U);
}

TEST(GzipHeader, AnEmptyExtraPartIsSkipped) {
  const std::string empty("\0\0", 2);
  EXPECT_EQ(header_size(fixed_part(0x04) + empty + "data"), 12U);
  EXPECT_EQ(header_size(fixed_part(0x0c) + empty + std::string("n\0", 2) + "data"), 14U);
}

TEST(GzipHeader, WrongMagicMethodAndReservedFlagsAreInvalid) {
  EXPECT_EQ(header_size("\x1f\x8c\x08rest of it"), 0U);
  EXPECT_EQ(header_size("\x1f\x8b\x07rest of it"), 0U);
  EXPECT_EQ(header_size(fixed_part('\x20') + "data"), 0U);
}

TEST(GzipHeader, StartIsToldFromFourBytes) {
  const std::string header = fixed_part(0);
  EXPECT_EQ(gzip_start(header), GzipStart::Yes);
  EXPECT_EQ(gzip_start(header.substr(0, 4)), GzipStart::Yes);
  EXPECT_EQ(gzip_start(header.substr(0, 3)), GzipStart::TooShort);
  EXPECT_EQ(gzip_start(""), GzipStart::TooShort);
  EXPECT_EQ(gzip_start("\x1fz"), GzipStart::No);
  EXPECT_EQ(gzip_start(fixed_part('\x80')), GzipStart::No);
}

TEST(GzipHeader, IsFoundInsideOtherBytes) {
  EXPECT_TRUE(holds_gzip_header("noise \x1f\x8b noise" + testing::gzip("content")));
  EXPECT_FALSE(holds_gzip_header("noise \x1f\x8b noise"));
  EXPECT_FALSE(holds_gzip_header(fixed_part(0).substr(0, 9)));
  EXPECT_FALSE(holds_gzip_header(""));
}

}  // namespace
}  // namespace opcensus

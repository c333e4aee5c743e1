// SPDX-License-Identifier: Apache-2.0
#include "src/io/compressed_input.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include <gtest/gtest.h>

namespace opcensus {
namespace {

/// Gives its content in pieces of one size, then ends or fails.
class Pieces final : public ByteSource {
 public:
  Pieces(std::string content, std::size_t piece, bool fails = false)
      : content_(std::move(content)), piece_(piece), fails_(fails) {}

  Result<std::size_t> read(std::span<char> buffer) override {
    const std::size_t count = std::min({piece_, buffer.size(), content_.size() - at_});
    if (count == 0 && fails_) {
      return Error{ErrorCode::Unreadable, "failed", "", {}, ""};
    }
    std::memcpy(buffer.data(), content_.data() + at_, count);
    at_ += count;
    return count;
  }

  [[nodiscard]] std::uint64_t consumed() const override { return at_; }

  [[nodiscard]] std::uint64_t total() const override { return content_.size(); }

 private:
  std::string content_;
  std::size_t piece_;
  bool fails_;
  std::size_t at_ = 0;
};

CompressedInput input_of(std::string content, std::size_t piece, bool fails = false) {
  return CompressedInput(std::make_unique<Pieces>(std::move(content), piece, fails));
}

TEST(CompressedInput, GivesEveryByteOnce) {
  CompressedInput input = input_of("abcdefg", 3);
  std::string all;
  while (input.has_bytes()) {
    all += input.bytes().front();
    input.take(1);
    EXPECT_EQ(input.consumed(), all.size());
  }
  EXPECT_EQ(all, "abcdefg");
  EXPECT_FALSE(input.error().has_value());
}

TEST(CompressedInput, BringsBytesIntoOnePiece) {
  CompressedInput input = input_of("abcdefg", 1);
  EXPECT_EQ(input.together(3), "abc");
  input.take(2);
  EXPECT_EQ(input.together(4), "cdef");
  EXPECT_EQ(input.together(40), "cdefg");
}

TEST(CompressedInput, BytesArePutBackBehindARefill) {
  CompressedInput input = input_of("abcd", 2);
  ASSERT_TRUE(input.has_bytes());
  input.take(2);
  ASSERT_TRUE(input.has_bytes());
  input.take(1);
  input.put_back(std::string_view("12345678"));
  EXPECT_EQ(input.together(9), "12345678d");
}

TEST(CompressedInput, WhatWasTakenIsThereUntilTheNextRefill) {
  CompressedInput input = input_of("abcdef", 4);
  ASSERT_TRUE(input.has_bytes());
  input.take(1);
  input.mark();
  input.take(3);
  EXPECT_EQ(input.taken(), "bcd");
  ASSERT_TRUE(input.has_bytes());
  EXPECT_EQ(input.taken(), "");
  input.take(2);
  EXPECT_EQ(input.taken(), "ef");
}

TEST(CompressedInput, SkipsZerosAndAll) {
  CompressedInput input = input_of(std::string(700'000, '\0') + "abc", 1'000);
  EXPECT_EQ(input.skip_zeros(), 700'000U);
  EXPECT_EQ(input.bytes().front(), 'a');
  EXPECT_EQ(input.skip_zeros(), 0U);
  EXPECT_EQ(input.skip_all(), 3U);
  EXPECT_FALSE(input.has_bytes());
  EXPECT_EQ(input.skip_zeros(), 0U);
}

TEST(CompressedInput, AnErrorComesAfterTheBytesAndStays) {
  CompressedInput input = input_of("ab", 2, true);
  ASSERT_TRUE(input.has_bytes());
  EXPECT_FALSE(input.error().has_value());
  EXPECT_EQ(input.together(3), "ab");
  ASSERT_TRUE(input.error().has_value());
  EXPECT_EQ(input.error()->message, "failed");
  input.take(2);
  EXPECT_FALSE(input.has_bytes());
}

}  // namespace
}  // namespace opcensus

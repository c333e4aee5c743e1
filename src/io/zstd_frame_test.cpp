// SPDX-License-Identifier: Apache-2.0
#include "src/io/zstd_frame.h"

#include <string>

#include <gtest/gtest.h>

#include "src/io/zstd_test_data.h"

namespace opcensus {
namespace {

using testing::skippable_frame;
using testing::zstd;

TEST(ZstdFrame, FramesOfDataAndSkippableOnesAreTold) {
  EXPECT_TRUE(starts_zstd_frame(zstd("x")));
  for (int kind = 0; kind < 16; ++kind) {
    EXPECT_TRUE(starts_zstd_frame(skippable_frame("", kind))) << kind;
  }
}

TEST(ZstdFrame, OtherBytesAreNot) {
  const std::string frame = zstd("x");
  for (std::size_t size = 0; size < kZstdStartBytes; ++size) {
    EXPECT_FALSE(starts_zstd_frame(frame.substr(0, size))) << size;
    EXPECT_FALSE(starts_zstd_frame(skippable_frame("").substr(0, size))) << size;
  }
  EXPECT_FALSE(starts_zstd_frame("\x27\xb5\x2f\xfd"));  // what zstd 0.7 wrote
  EXPECT_FALSE(starts_zstd_frame("\x60\x2a\x4d\x18"));
  EXPECT_FALSE(starts_zstd_frame("\x50\x2a\x4d\x19"));
  EXPECT_FALSE(starts_zstd_frame("{\"traceEvents\": []}"));
}

TEST(ZstdFrame, AFrameAmongOtherBytesIsFound) {
  const std::string frame = zstd("x");
  EXPECT_TRUE(holds_zstd_frame(frame));
  EXPECT_TRUE(holds_zstd_frame("abc\x28" + frame));
  EXPECT_FALSE(holds_zstd_frame(frame.substr(1)));
  EXPECT_FALSE(holds_zstd_frame(frame.substr(0, kZstdStartBytes)));
}

TEST(ZstdFrame, AnUnusualHeaderIsTakenForChance) {
  for (const char* const descriptor : {"\x01", "\x02", "\x08", "\x10"}) {
    EXPECT_FALSE(holds_zstd_frame("\x28\xb5\x2f\xfd" + std::string(descriptor)));
  }
  EXPECT_TRUE(holds_zstd_frame("\x28\xb5\x2f\xfd\xe4"));
}

}  // namespace
}  // namespace opcensus

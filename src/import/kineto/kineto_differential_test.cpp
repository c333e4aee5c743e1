// SPDX-License-Identifier: Apache-2.0
//
// The fast reader against a slow and obvious one (a DOM of the whole file): the same rows, counts
// and issues for valid JSON, which a generator writes in many layouts.
#include <algorithm>
#include <cstdint>
#include <random>
#include <string>
#include <string_view>

#include <gtest/gtest.h>

#include "src/import/kineto/kineto_test_support.h"

#include "tests/support/kineto_trace_generator.h"
#include "tests/support/slow_kineto_reader.h"

namespace opcensus::import {
namespace {

using testing::RawDocument;
using testing::read_text;
using testing::SlowReader;
using testing::text_of_reading;

std::string random_trace(std::uint32_t seed) {
  std::mt19937 random(seed);
  return testing::TraceGenerator([&random] { return static_cast<std::uint8_t>(random()); })
      .trace(400);
}

TEST(KinetoDifferential, TheFastReaderReadsWhatTheSlowOneReads) {
  std::size_t rows = 0;
  for (std::uint32_t seed = 0; seed < 40; ++seed) {
    const std::string content = random_trace(seed);
    const auto root = RawDocument::parse(content);
    ASSERT_TRUE(root) << "seed " << seed;
    const std::string slow = SlowReader(*root).text();
    for (const std::size_t chunk : {std::size_t{61}, std::size_t{4096}, std::size_t{4} << 20}) {
      KinetoOptions options;
      options.chunk_bytes = chunk;
      options.run_bytes = chunk;
      const auto reading = read_text(content, options);
      ASSERT_FALSE(reading.error) << reading.error->message;
      ASSERT_EQ(text_of_reading(reading), slow) << "seed " << seed << " chunk " << chunk;
    }
    rows += static_cast<std::size_t>(std::ranges::count(slow, '\n'));
  }
  EXPECT_GT(rows, 1000U);
}

}  // namespace
}  // namespace opcensus::import

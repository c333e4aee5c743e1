// SPDX-License-Identifier: Apache-2.0
#include "src/import/kineto/bracket_scan.h"

#include <string>
#include <string_view>

#include <gtest/gtest.h>

namespace opcensus::import {
namespace {

constexpr std::uint32_t kDeep = 64;

struct Scanned {
  ScanOutcome outcome;
  std::size_t stop;
};

/// Scans in pieces of `step` bytes.
Scanned scan(std::string_view text, std::size_t step, std::uint32_t max_depth = kDeep) {
  const std::string padded = std::string(text) + std::string(64, '}');
  BracketScan state;
  for (std::size_t at = 0; at < text.size(); at += step) {
    const std::size_t to = std::min(at + step, text.size());
    const ScanResult result =
        scan_brackets(padded.data() + at, padded.data() + to, max_depth, state);
    if (result.outcome != ScanOutcome::NeedMore) {
      return {result.outcome, static_cast<std::size_t>(result.stop - padded.data())};
    }
  }
  return {ScanOutcome::NeedMore, text.size()};
}

class BracketScanSteps : public testing::TestWithParam<std::size_t> {};

TEST_P(BracketScanSteps, FindTheEndOfAnObject) {
  const std::string long_name(200, 'x');
  const std::string object = R"({"a":[1,{"b":"}"}],"c":"\"}\\","d":")" + long_name + R"("})";
  const Scanned scanned = scan(object + ",{}", GetParam());
  EXPECT_EQ(scanned.outcome, ScanOutcome::Closed);
  EXPECT_EQ(scanned.stop, object.size());
}

TEST_P(BracketScanSteps, CountBackslashesAcrossBlocks) {
  for (std::size_t before = 0; before < 140; ++before) {
    for (std::size_t slashes = 0; slashes < 6; ++slashes) {
      // An even number leaves the quote a quote; an odd one escapes it.
      const std::string object = "{\"" + std::string(before, 'x') + std::string(slashes, '\\') +
                                 (slashes % 2 == 0 ? "\"}" : "\"\"}");
      const Scanned scanned = scan(object + "}", GetParam());
      ASSERT_EQ(scanned.outcome, ScanOutcome::Closed) << before << " " << slashes;
      ASSERT_EQ(scanned.stop, object.size()) << before << " " << slashes;
    }
  }
}

TEST_P(BracketScanSteps, NeedMoreUntilItCloses) {
  EXPECT_EQ(scan(R"({"a":[1,2)", GetParam()).outcome, ScanOutcome::NeedMore);
  EXPECT_EQ(scan(R"({"a}}}}")", GetParam()).outcome, ScanOutcome::NeedMore);
}

TEST_P(BracketScanSteps, StopAtTheBracketThatIsTooDeep) {
  const Scanned scanned = scan("[[[[]]]]", GetParam(), 3);
  EXPECT_EQ(scanned.outcome, ScanOutcome::TooDeep);
  EXPECT_EQ(scanned.stop, 4U);
  EXPECT_EQ(scan("[[[[]]]]", GetParam(), 4).outcome, ScanOutcome::Closed);
}

INSTANTIATE_TEST_SUITE_P(Steps, BracketScanSteps, testing::Values(1, 7, 63, 64, 65, 100000));

int phase_words(std::string_view text) {
  const std::string padded = std::string(text) + std::string(64, 'x');
  return count_phase_words(padded.data(), padded.data() + text.size());
}

TEST(PhaseWords, AreCountedUpToTwo) {
  EXPECT_EQ(phase_words(R"({"name":"\"ph\""})"), 0);
  EXPECT_EQ(phase_words(R"({"ph":"X"})"), 1);
  EXPECT_EQ(phase_words(R"({"phase":1,"ph":"X"})"), 1);
  EXPECT_EQ(phase_words(R"("ph""ph""ph")"), 2);
  EXPECT_EQ(phase_words(R"("ph)"), 0);
}

TEST(PhaseWords, AreFoundAtEveryPosition) {
  for (std::size_t before = 0; before < 40; ++before) {
    EXPECT_EQ(phase_words(std::string(before, ' ') + "\"ph\""), 1) << before;
  }
}

}  // namespace
}  // namespace opcensus::import

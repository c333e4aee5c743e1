// SPDX-License-Identifier: Apache-2.0
//
// Files that are not part of the project: real traces, and a folder of broken and odd ones.
// OPCENSUS_CORPUS names the folder; without it these tests are skipped.
#include <cstdlib>
#include <filesystem>
#include <string>
#include <string_view>

#include <gtest/gtest.h>

#include "src/import/kineto/kineto_test_support.h"

namespace opcensus::import {
namespace {

using testing::read_from;
using testing::Reading;
using testing::ReadingText;

struct Case {
  std::string_view file;  ///< below _synthetic/
  std::size_t host_spans;
  std::size_t api_calls;
  std::size_t device_events;
  std::string_view issue;  ///< that must have been counted; "" = nothing worse than Info
};

// What each file must give; a number is rows of that column.
constexpr Case kCases[] = {
    {"broken/bare_inf.json", 1, 1, 2, "non_finite_number"},
    {"broken/bare_nan_infinity.json", 1, 1, 1, "non_finite_number"},
    {"broken/bare_na.json", 1, 1, 1, "non_finite_number"},
    {"broken/control_char_name.json", 1, 1, 1, ""},
    {"broken/raw_newline_in_string.json", 1, 1, 1, ""},
    {"broken/non_utf8_name.json", 1, 1, 1, ""},
    {"broken/lone_utf8_continuation.json", 1, 1, 1, ""},
    {"broken/double_gzip.json.gz", 1, 1, 1, ""},
    {"broken/extra_brace_after_end.json", 1, 1, 1, "trailing_bytes"},
    {"broken/invalid_escape_metadata.json", 1, 1, 1, ""},
    {"broken/leading_comma_array.json", 0, 0, 0, "unpaired_begin"},
    {"broken/null_name.json", 1, 0, 1, ""},
    {"broken/plain_json_named.json.gz", 1, 1, 1, ""},
    {"broken/trailing_comma_array.json", 1, 0, 0, ""},
    {"broken/truncated_before_close.json", 1, 1, 1, "truncated_input"},
    {"broken/unclosed_array.json", 2, 0, 0, "truncated_input"},
    {"broken/unescaped_log_message.json", 1, 1, 1, ""},
    {"valid_odd/array_root.json", 1, 1, 1, ""},
    {"valid_odd/big_ts_17_digits.json", 1, 1, 1, ""},
    {"valid_odd/correlation_collision_two_ranks.json", 2, 2, 2, ""},
    {"valid_odd/cuda_graph_capture.json", 8, 10, 0, ""},
    {"valid_odd/cuda_graph_replay.json", 3, 3, 21, ""},
    {"valid_odd/cuda_graph_replay_low32_nodeid.json", 3, 3, 21, ""},
    {"valid_odd/duplicate_traceEvents.json", 1, 1, 1, "second_event_array"},
    {"valid_odd/exponent_and_neg_ts.json", 1, 1, 1, ""},
    {"valid_odd/huge_ints.json", 1, 1, 1, ""},
    {"valid_odd/launch_without_kernel.json", 1, 1, 0, ""},
    {"valid_odd/lone_surrogate_escape.json", 1, 1, 1, ""},
    {"valid_odd/minified.json", 1, 1, 1, ""},
    {"valid_odd/negative_dur.json", 1, 1, 1, "negative_duration"},
    {"valid_odd/no_traceEvents.json", 0, 0, 0, ""},
    {"valid_odd/same_ts_nested.json", 2, 1, 1, ""},
    {"valid_odd/string_ts.json", 1, 0, 0, ""},
    {"valid_odd/tensorlist_elided_over_30.json", 1, 1, 1, "elided_tensor_list"},
};

class SyntheticCorpus : public ::testing::TestWithParam<Case> {};

std::filesystem::path corpus() {
  const char* const folder = std::getenv("OPCENSUS_CORPUS");  // NOLINT(concurrency-mt-unsafe)
  return folder == nullptr ? std::filesystem::path() : std::filesystem::path(folder);
}

TEST_P(SyntheticCorpus, GivesWhatIsWanted) {
  const Case& wanted = GetParam();
  const std::filesystem::path path = corpus() / "_synthetic" / wanted.file;
  if (corpus().empty() || !std::filesystem::exists(path)) {
    GTEST_SKIP() << "set OPCENSUS_CORPUS to the folder that holds _synthetic/" << wanted.file;
  }
  auto source = open_bytes(path.string());
  ASSERT_TRUE(source.has_value());
  const Reading reading = read_from(**source);
  ASSERT_FALSE(reading.error) << reading.error->message;
  EXPECT_EQ(reading.trace().host_spans.size(), wanted.host_spans);
  EXPECT_EQ(reading.trace().api_calls.size(), wanted.api_calls);
  EXPECT_EQ(reading.trace().device_events.size(), wanted.device_events);
  const std::string text = ReadingText(reading).everything();
  if (wanted.issue.empty()) {
    EXPECT_FALSE(reading.trace().diagnostics.has(Severity::DataLoss)) << text;
  } else {
    EXPECT_NE(text.find("\n" + std::string(wanted.issue) + "|"), std::string::npos) << text;
  }
}

INSTANTIATE_TEST_SUITE_P(Files, SyntheticCorpus, ::testing::ValuesIn(kCases));

TEST(SyntheticCorpus, FilesWithoutAnythingUsableAreRefused) {
  for (const std::string_view file :
       {"broken/html_error_page.json", "broken/truncated_mid_string.json"}) {
    const std::filesystem::path path = corpus() / "_synthetic" / file;
    if (corpus().empty() || !std::filesystem::exists(path)) {
      GTEST_SKIP() << "set OPCENSUS_CORPUS to the folder that holds _synthetic/" << file;
    }
    auto source = open_bytes(path.string());
    ASSERT_TRUE(source.has_value());
    EXPECT_TRUE(read_from(**source).error) << file;
  }
}

}  // namespace
}  // namespace opcensus::import

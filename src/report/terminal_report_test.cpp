// SPDX-License-Identifier: Apache-2.0
#include "src/report/terminal_report.h"

#include <algorithm>
#include <sstream>
#include <string>

#include <gtest/gtest.h>

#include "src/analyze/example_census.h"
#include "src/report/display_width.h"

namespace opcensus {
namespace {

ReportOptions with_width(std::size_t width) {
  ReportOptions options;
  options.width = width;
  return options;
}

std::size_t widest_line(const std::string& text) {
  std::istringstream lines(text);
  std::size_t widest = 0;
  for (std::string line; std::getline(lines, line);) {
    widest = std::max(widest, display_width(line));
  }
  return widest;
}

bool has(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

/// Without spaces and line ends: what wrapping moved stays comparable.
std::string squeeze(std::string text) {
  std::erase_if(text, [](char c) { return c == ' ' || c == '\n'; });
  return text;
}

TEST(TerminalReport, FitsEveryWidth) {
  for (const Census& census : {example_census(), hostile_census(), Census{}}) {
    for (const std::size_t width : {72U, 80U, 109U, 110U, 120U, 149U, 150U, 200U}) {
      EXPECT_LE(widest_line(render_terminal_report(census, with_width(width))), width);
    }
  }
}

TEST(TerminalReport, ShowsOperatorShapesShareAndTimeAtEveryWidth) {
  for (const std::size_t width : {72U, 80U, 120U, 160U, 0U}) {
    const std::string report = render_terminal_report(example_census(), with_width(width));
    const std::string squeezed = squeeze(report);
    EXPECT_TRUE(has(squeezed, "aten::_cudnn_attention_forward")) << width;
    EXPECT_TRUE(has(report, "[8,8,2,512,128]")) << width;
    EXPECT_TRUE(has(report, "6.0 %    15.77   0.75  aten::copy_")) << width;
    EXPECT_TRUE(has(report, "bf16")) << width;
    EXPECT_TRUE(has(report, "capture_8_FULL")) << width;
    EXPECT_TRUE(has(report, "external_id_mismatch")) << width;
  }
}

TEST(TerminalReport, CutsNothingWhenPiped) {
  const Census census = example_census();
  ReportOptions options = with_width(0);
  options.top = 0;
  const std::string report = render_terminal_report(census, options);
  for (const DeviceTime& row : census.device_times) {
    EXPECT_TRUE(row.phase == Phase::Warmup || has(report, census.text(row.kernel)) ||
                row.events == 4)  // the second kernel of the prefill's mm
        << census.text(row.kernel);
  }
  EXPECT_FALSE(has(report, "…"));
  EXPECT_TRUE(has(report, "traces/d4.capture.json.gz"));
}

TEST(TerminalReport, TellsTheStoryOnTheFirstScreen) {
  const std::string report = render_terminal_report(example_census(), with_width(80));
  EXPECT_EQ(report.substr(0, report.find("\n   2 ")),
            "NVIDIA H200 · 1 rank · vLLM 0.11.2 · CUDA 13.0\n"
            "  capture  traces/d4.capture.json.gz  583 kB    616 events\n"
            "  runtime  traces/d4.runtime.json.gz  218 kB  1,266 events\n"
            "  4 graphs (bs 8 4 2 1), 77 nodes each, 16 replays · steps: 16 decode, 1 prefill\n"
            "\n"
            "Ledger · runtime, eager + replay\n"
            "                events          device time\n"
            "  direct            34   2.7 %     0.199 ms   4.5 %\n"
            "  aligned        1,232  97.3 %     4.238 ms  95.5 %\n"
            "  unattributed       0   0.0 %     0.000 ms   0.0 %\n"
            "  total          1,266             4.438 ms\n"
            "  With warm-up 1,882 events, 6.557 ms: equal to an independent count.\n"
            "\n"
            "Where decode time goes · graph replay, 16 decode steps, 264.9 µs each\n"
            "   #   share  µs/step  calls  operator, shapes\n"
            "   1   6.0 %    15.77   0.75  aten::copy_  [8,8,2,512,128] [8,8,2,512,128]\n"
            "                              bf16 · elementwise_kernel<direct_copy_kernel_cuda>");
}

TEST(TerminalReport, ShowsWhatIsMissingAndWhy) {
  const std::string report = render_terminal_report(hostile_census(), with_width(80));
  EXPECT_TRUE(has(report, "(unattributed: plan_mismatch)"));
  EXPECT_TRUE(has(report, "    no_enclosing_op       1   6.7 %"));
  EXPECT_TRUE(has(report, "? = shapes not recorded, or ambiguous"));
  EXPECT_TRUE(has(report, "data_loss: replay_mismatch, 2 times"));
  EXPECT_TRUE(has(report, "→ Record capture and runtime in the same server run"));
}

TEST(TerminalReport, FailedChecksAndADifferentCountAreLoud) {
  Census census = hostile_census();
  census.raw_counts.pop_back();
  ReportOptions options = with_width(80);
  options.color = true;
  const std::string report = render_terminal_report(census, options);
  EXPECT_TRUE(has(report, "\x1b[1;31mCHECK FAILED: graph_times_match_node_times\x1b[0m"));
  EXPECT_TRUE(has(report, "independent count of the files disagrees"));
  EXPECT_FALSE(has(render_terminal_report(example_census(), with_width(80)), "FAILED"));
}

TEST(TerminalReport, NamesCannotDriveTheTerminal) {
  for (const std::size_t width : {0U, 80U, 120U}) {
    const std::string report = render_terminal_report(hostile_census(), with_width(width));
    EXPECT_FALSE(has(report, "\x1b"));
    EXPECT_FALSE(has(report, "\r"));
    EXPECT_FALSE(has(report, "\t"));
    EXPECT_FALSE(has(report, "\u202e"));
    EXPECT_FALSE(has(report, "\xff"));
  }
}

TEST(TerminalReport, ObeysItsOptions) {
  ReportOptions options = with_width(80);
  options.phase = Phase::Eager;
  EXPECT_FALSE(has(render_terminal_report(example_census(), options), "decode time goes"));
  options = with_width(80);
  options.top = 2;
  EXPECT_TRUE(has(render_terminal_report(example_census(), options), "46 more"));
  options = with_width(80);
  options.quiet = true;
  EXPECT_FALSE(has(render_terminal_report(example_census(), options), "Diagnostics"));
  options = with_width(80);
  options.rank = 1;
  EXPECT_FALSE(has(render_terminal_report(hostile_census(), options), "plan_mismatch"));
  options = with_width(80);
  options.sort = SortBy::Cpu;
  EXPECT_TRUE(has(render_terminal_report(example_census(), options), "CPU µs"));
}

TEST(TerminalReport, WithoutARuntimeShowsWarmUpAndCapture) {
  ExampleCensus example;
  const std::uint32_t mm = example.signature("aten::mm", "[[8,8]]", R"(["float"])");
  example.add_calls(Phase::Warmup, mm, 2);
  example.add_calls(Phase::Capture, mm, 1);
  example.add_device_time(Phase::Warmup, Tier::Direct, mm, "k", 2, 2000);
  const std::string report = render_terminal_report(example.census, with_width(80));
  EXPECT_TRUE(has(report, "Where warm-up time goes"));
  EXPECT_TRUE(has(report, "What was captured"));
}

TEST(TerminalReport, OfNothingSaysSo) {
  EXPECT_EQ(render_terminal_report(Census{}, with_width(80)),
            "unknown device\n\nNo device events in the inputs.\n");
}

TEST(TerminalReport, ManyInputsAreSummedUpByRole) {
  Census census = example_census();
  census.inputs.resize(1);
  for (int i = 0; i < 12; ++i) {
    census.inputs.push_back({"r", "kineto", "runtime", i, 1000, 10, i != 3, ""});
  }
  const std::string report = render_terminal_report(census, with_width(80));
  EXPECT_TRUE(has(report, "runtime  12 files"));
  EXPECT_TRUE(has(report, "1 incomplete"));
}

}  // namespace
}  // namespace opcensus

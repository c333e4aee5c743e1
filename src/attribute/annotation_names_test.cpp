// SPDX-License-Identifier: Apache-2.0
#include "src/attribute/annotation_names.h"

#include <gtest/gtest.h>

namespace opcensus {
namespace {

struct StepCase {
  const char* name;
  StepKind kind;
  std::int64_t tokens;
};

class StepNames : public ::testing::TestWithParam<StepCase> {};

TEST_P(StepNames, GiveKindAndTokens) {
  const auto step = parse_step_annotation(GetParam().name);
  ASSERT_TRUE(step.has_value()) << GetParam().name;
  EXPECT_EQ(step->kind, GetParam().kind) << GetParam().name;
  EXPECT_EQ(step->tokens, GetParam().tokens) << GetParam().name;
}

INSTANTIATE_TEST_SUITE_P(
    Engines,
    StepNames,
    ::testing::Values(
        StepCase{"execute_context_0(0)_generation_8(8)", StepKind::Decode, 8},
        StepCase{"context_2(900)_generation_0(0)", StepKind::Prefill, 900},
        StepCase{"execute_context_1(100)_generation_3(3)", StepKind::Mixed, 103},
        StepCase{"execute_32_context_0(sq0sk0sqsq0sqsk0)_generation_32(sq32sk55086sqsq32sqsk55086)",
                 StepKind::Decode,
                 32},
        StepCase{"execute_new_0_cached_6", StepKind::Decode, 6},
        StepCase{"execute_new_2_cached_6", StepKind::Mixed, -1},
        StepCase{"step[DECODE bs=16]", StepKind::Decode, 16},
        StepCase{"step[EXTEND bs=2 toks=900]", StepKind::Prefill, 900},
        StepCase{"decode[bs=4]", StepKind::Decode, 4},
        StepCase{"prefill", StepKind::Prefill, -1},
        StepCase{"ProfilerStep#12", StepKind::Other, -1}));

TEST(StepName, OfAnythingElseIsNone) {
  for (const char* name : {"",
                           "aten::mm",
                           "capture_8_FULL",
                           "execute_",
                           "execute_context_",
                           "execute_context_1(",
                           "execute_context_0(0)_generation_",
                           "context",
                           "stepwise",
                           "prefill_attention"}) {
    EXPECT_FALSE(parse_step_annotation(name).has_value()) << name;
  }
}

TEST(CaptureName, GivesTheBatchSize) {
  EXPECT_EQ(parse_capture_annotation("capture_32_FULL")->batch_size, 32);
  EXPECT_EQ(parse_capture_annotation("capture_8_draft_PIECEWISE")->batch_size, 8);
  EXPECT_EQ(parse_capture_annotation("capture bs=8")->batch_size, 8);
  EXPECT_FALSE(parse_capture_annotation("capture_FULL").has_value());
  EXPECT_FALSE(parse_capture_annotation("recapture_8_FULL").has_value());
  EXPECT_FALSE(parse_capture_annotation("capture_99999999999999999999_FULL").has_value());
}

TEST(CaptureFile, GivesTheBatchSize) {
  EXPECT_EQ(parse_capture_file_batch_size("a/capture_traces/bs_32_rank0.json.gz"), 32);
  EXPECT_EQ(parse_capture_file_batch_size("DecodeRunner_bs_16_stream_1_rank2.json.gz"), 16);
  EXPECT_FALSE(parse_capture_file_batch_size("bs_8/rank0.json.gz").has_value());
  EXPECT_FALSE(parse_capture_file_batch_size("obs_8.json").has_value());
}

}  // namespace
}  // namespace opcensus

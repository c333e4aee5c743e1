// SPDX-License-Identifier: Apache-2.0
#include "src/analyze/argument_rows.h"

#include <gtest/gtest.h>

namespace opcensus {
namespace {

TEST(ArgumentRows, AddUpRanksAndPutTheMostFrequentFirst) {
  Census census;
  census.texts = {"", "[[8,1]]", "[[1,8]]"};
  census.signatures = {{"aten::mm", "[[8,8]]", "[]", "shape_and_dtype"},
                       {"aten::add", "[[8]]", "[]", "shape_and_dtype"}};
  census.operator_arguments = {{0, Phase::Eager, 0, 1, 0, 0, 2},
                               {0, Phase::Eager, 0, 2, 0, 0, 3},
                               {1, Phase::Eager, 0, 1, 0, 0, 2},
                               {0, Phase::Capture, 0, 2, 0, 0, 9},
                               {0, Phase::Warmup, 1, 0, 0, 1, 1}};
  const auto rows = compute_argument_rows(census);
  ASSERT_EQ(rows.size(), 4U);
  EXPECT_EQ(rows[0].signature, 1U);  // aten::add
  EXPECT_EQ(rows[0].tensors, 1U);
  EXPECT_EQ(rows[1].phase, Phase::Capture);
  EXPECT_EQ(rows[2].calls, 4U);  // two ranks
  EXPECT_EQ(rows[2].input_strides, 1U);
  EXPECT_EQ(rows[3].calls, 3U);
}

}  // namespace
}  // namespace opcensus

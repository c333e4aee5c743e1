// SPDX-License-Identifier: Apache-2.0
#include "src/import/nsys/range_text.h"

#include <gtest/gtest.h>

namespace opcensus::import {
namespace {

void expect_range(std::string_view text,
                  RangeKind kind,
                  std::string_view name,
                  std::string_view shapes = "") {
  const RangeText range = parse_range_text(text);
  EXPECT_EQ(range.kind, kind) << text;
  EXPECT_EQ(range.name, name) << text;
  EXPECT_EQ(range.shapes, shapes) << text;
}

TEST(ParseRangeText, TakesOperatorsOfPyTorch) {
  expect_range("aten::add, op_id = 314359", RangeKind::Operator, "aten::add");
  expect_range("aten::mm, seq = 42, op_id = 12, sizes = [[8, 16], [16, 4]]",
               RangeKind::Operator,
               "aten::mm",
               "[[8,16],[16,4]]");
  expect_range("aten::add, op_id = 3, sizes = [[8, 1, 16], [], []], input_op_ids = [(1,0), (0,-1)]",
               RangeKind::Operator,
               "aten::add",
               "[[8,1,16],[],[]]");
  expect_range("aten::addmm, seq = 5, sizes = [[4]]", RangeKind::Operator, "aten::addmm", "[[4]]");
  expect_range("aten::empty", RangeKind::Operator, "aten::empty");
  expect_range("triton_poi_fused_add_0, op_id = 9", RangeKind::Operator, "triton_poi_fused_add_0");
  expect_range("autograd::engine::evaluate_function: AddBackward0, seq = 3, op_id = 4",
               RangeKind::Operator,
               "autograd::engine::evaluate_function: AddBackward0");
  expect_range("MyFunction, seq = 0, op_id = 4", RangeKind::Operator, "MyFunction");
}

TEST(ParseRangeText, TakesRecordFunctionAsAnnotation) {
  expect_range("ProfilerStep#3, op_id = 8", RangeKind::Annotation, "ProfilerStep#3");
  expect_range("execute_context_0(0)_generation_8(8), op_id = 8",
               RangeKind::Annotation,
               "execute_context_0(0)_generation_8(8)");
}

TEST(ParseRangeText, TakesLayerWiseMarkers) {
  expect_range(
      "{'Module': 'model.layers.0.q_proj', 'TrainableParams': {'weight': [2112, 7168]}, "
      "'Inputs': [[2048, 7168]]}",
      RangeKind::Module,
      "model.layers.0.q_proj",
      "[[2048,7168]]");
  expect_range("{'Module': 'model.norm', 'TrainableParams': {}}", RangeKind::Module, "model.norm");
  expect_range("{'Module': 'model.norm", RangeKind::Other, "{'Module': 'model.norm");
}

TEST(ParseRangeText, LeavesOtherTextsAlone) {
  for (const std::string_view text : {"decode",
                                      "",
                                      ", op_id = 4",
                                      "a, op_id = x",
                                      "a, op_id = ",
                                      "a, seq = 4 b",
                                      "prism::engine.run",
                                      "x, sizes"}) {
    expect_range(text, RangeKind::Other, text);
  }
}

TEST(ParseRangeText, HasNoShapesWhereTheTextWasCutOff) {
  expect_range("aten::mm, op_id = 12, sizes = [[8, 16], [1", RangeKind::Operator, "aten::mm");
  expect_range("aten::mm, op_id = 12, sizes = ", RangeKind::Operator, "aten::mm");
}

TEST(TakeShapes, TakesListsOfListsOfNumbersOnly) {
  const auto take = [](std::string_view text) {
    const auto shapes = take_shapes(text);
    return shapes ? *shapes + "|" + std::string(text) : "none|" + std::string(text);
  };
  EXPECT_EQ(take("[]"), "[]|");
  EXPECT_EQ(take("[[]]"), "[[]]|");
  EXPECT_EQ(take("[[-1, 2],[3]], rest"), "[[-1,2],[3]]|, rest");
  for (const std::string bad : {"",
                                "[",
                                "[8]",
                                "[[8]",
                                "[[8,]]",
                                "[[,8]]",
                                "[[8] [9]]",
                                "[[8 9]]",
                                "[[8],]",
                                "[[-]]",
                                "[[[8]]]",
                                "[['8']]",
                                "[[1.5]]"}) {
    EXPECT_EQ(take(bad), "none|" + bad);
  }
}

}  // namespace
}  // namespace opcensus::import

// SPDX-License-Identifier: Apache-2.0
#include "src/report/signature_display.h"

#include <string>

#include <gtest/gtest.h>

namespace opcensus {
namespace {

SignatureDisplay display(const std::string& shapes, const std::string& dtypes) {
  return display_signature({"op", shapes, dtypes, "shape_and_dtype"});
}

TEST(SignatureDisplay, IsCompact) {
  const SignatureDisplay mm =
      display("[[8,1024],[1024,2048]]", R"(["c10::BFloat16","c10::BFloat16"])");
  EXPECT_EQ(mm.shapes, "[8,1024] [1024,2048]");
  EXPECT_EQ(mm.dtypes, "bf16");
}

TEST(SignatureDisplay, OmitsTrailingScalarsAndMarksInnerOnes) {
  const SignatureDisplay index = display("[[8,4],[],[1],[8,1],[],[]]",
                                         R"(["c10::Half","Scalar","long int","c10::Half","",""])");
  EXPECT_EQ(index.shapes, "[8,4] - [1] [8,1]");
  EXPECT_EQ(index.dtypes, "f16 i64 f16");
  EXPECT_EQ(display("[[],[]]", R"(["ScalarList","Scalar"])").shapes, "-");
}

TEST(SignatureDisplay, ATensorWithoutDimensionsIsNoScalar) {
  const SignatureDisplay add = display("[[8],[],[]]", R"(["float","double","Scalar"])");
  EXPECT_EQ(add.shapes, "[8] []");
  EXPECT_EQ(add.dtypes, "f32 f64");
}

TEST(SignatureDisplay, ShowsTensorLists) {
  EXPECT_EQ(display("[[[8,64],[8,32]],[]]", R"(["TensorList","Scalar"])").shapes,
            "([8,64] [8,32])");
  EXPECT_EQ(display("[[[8,64],[8,64],[8,64]],[]]", R"(["TensorList","Scalar"])").shapes,
            "([8,64]×3)");
  EXPECT_EQ(display("[[]]", R"(["TensorList"])").shapes, "(…)");
}

TEST(SignatureDisplay, SaysWhatIsUnknown) {
  EXPECT_EQ(display("", "").shapes, kUnknownShapes);
  EXPECT_EQ(display("", R"(["float"])").dtypes, "f32");
  EXPECT_EQ(display("[[8],[2]]", "").shapes, "[8] [2]");
}

TEST(SignatureDisplay, ShowsOtherTextSafely) {
  EXPECT_EQ(display("{\n\u202e", "").shapes, "{\\n\\u202e");
  EXPECT_EQ(display("[[8]", "").shapes, "[[8]");
  EXPECT_EQ(display("[8]][", "").shapes, "[8]][");
  EXPECT_EQ(display("[[8]]", R"(["x\n"])").dtypes, "x\\n");
}

}  // namespace
}  // namespace opcensus

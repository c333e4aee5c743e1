// SPDX-License-Identifier: Apache-2.0
#include "src/import/execution_trace/input_lists.h"

#include <gtest/gtest.h>

namespace opcensus::import {
namespace {

InputLists convert(const RawInputs& raw) {
  auto lists = convert_inputs(raw, 100);
  EXPECT_TRUE(lists.has_value());
  return lists.value_or(InputLists{});
}

/// One input.
InputLists convert_one(std::string_view value, std::string_view shape, std::string_view type) {
  const std::string values = "[" + std::string(value) + "]";
  const std::string shapes = "[" + std::string(shape) + "]";
  const std::string types = "[\"" + std::string(type) + "\"]";
  return convert({values, shapes, types, {}});
}

TEST(InputLists, AreSpelledLikeKinetos) {
  RawInputs raw;
  raw.values = R"json([[11, 2, 0, 16, 4, "cuda:0"], [14, 1, 0, 16, 4, "cuda:0"],
                       [11, 2, 0, 16, 4, "cuda:0"], 1, true, "<None>"])json";
  raw.shapes = "[[4, 4], [4, 4], [4, 4], [], [], []]";
  raw.types = R"json(["Tensor(float)", "Tensor(c10::BFloat16)", "Tensor(float)",
                      "Int", "Bool", "None"])json";
  raw.strides = "[[4, 1], [1, 4], [4, 1], [], [], []]";
  const InputLists lists = convert(raw);
  EXPECT_EQ(lists.shapes, "[[4,4],[4,4],[4,4],[],[],[]]");
  EXPECT_EQ(lists.dtypes, R"(["float","c10::BFloat16","float","Scalar","Scalar",""])");
  EXPECT_EQ(lists.strides, "[[4,1],[1,4],[4,1],[],[],[]]");
  EXPECT_EQ(lists.concrete, R"(["","","","1","True",""])");
  EXPECT_EQ(lists.tensors, "[0,1,0,null,null,null]");
}

TEST(InputLists, ListsOfTensorsKeepTheirShapes) {
  const InputLists lists =
      convert_one(R"([[7, 1, 0, 4, 4, "cpu"], [8, 1, 0, 4, 4, "cpu"], [7, 1, 0, 4, 4, "cpu"]])",
                  "[[16, 48], [2], []]",
                  "GenericList[Tensor(float),Tensor(float),Tensor(float)]");
  EXPECT_EQ(lists.shapes, "[[[16,48],[2],[]]]");
  EXPECT_EQ(lists.dtypes, R"(["TensorList"])");
  EXPECT_EQ(lists.tensors, "[[0,1,0]]");
  EXPECT_EQ(lists.concrete, R"([""])");
}

TEST(InputLists, ListsOfNumbersAreValues) {
  const InputLists lists = convert_one("[1,512]", "[[], []]", "GenericList[Int,Int]");
  EXPECT_EQ(lists.shapes, "[[]]");
  EXPECT_EQ(lists.dtypes, R"(["ScalarList"])");
  EXPECT_EQ(lists.concrete, R"(["[1, 512]"])");
  EXPECT_EQ(convert_one("[true, false]", "[[],[]]", "GenericList[Bool,Bool]").concrete,
            R"(["[True, False]"])");
}

TEST(InputLists, MixedAndEmptyListsHaveNoDtype) {
  EXPECT_EQ(convert_one("[]", "[]", "GenericList[]").dtypes, R"([""])");
  const InputLists mixed = convert_one(
      R"(["<None>", [1, 1, 0, 1, 4, "cpu"]])", "[[], [1]]", "GenericList[None,Tensor(long int)]");
  EXPECT_EQ(mixed.dtypes, R"([""])");
  EXPECT_EQ(mixed.shapes, "[[]]");
}

TEST(InputLists, OlderDtypeNamesAreKinetos) {
  EXPECT_EQ(convert_one("[1, 1, 0, 1, 8, \"cpu\"]", "[1]", "Tensor(long)").dtypes,
            R"(["long int"])");
  EXPECT_EQ(convert_one("[1, 1, 0, 1, 8, \"cpu\"]", "[1]", "Tensor(long int)").dtypes,
            R"(["long int"])");
  EXPECT_EQ(convert_one("[1, 0, 0, 0, 0, \"\"]", "[]", "Tensor(nullptr (uninitialized))").dtypes,
            R"([""])");
}

TEST(InputLists, NumbersAreKeptAsTheyAreWritten) {
  EXPECT_EQ(convert_one("0.10000000000000001", "[]", "Double").concrete,
            R"(["0.10000000000000001"])");
  EXPECT_EQ(convert_one("9223372036854775807", "[]", "Int").concrete, R"(["9223372036854775807"])");
}

TEST(InputLists, TextsStayJson) {
  EXPECT_EQ(convert_one(R"("a\"b")", "[]", "String").concrete, R"(["a\"b"])");
  EXPECT_EQ(convert_one(R"(["a"])", "[]", "Device").concrete, R"([""])");
  EXPECT_EQ(convert_one(R"("<Object>")", "[]", "Object").concrete, R"([""])");
}

TEST(InputLists, WithoutInputsNothingIsRecorded) {
  const InputLists lists = convert({"[]", "[]", "[]", "[]"});
  EXPECT_TRUE(lists.shapes.empty() && lists.dtypes.empty() && lists.strides.empty() &&
              lists.concrete.empty() && lists.tensors.empty());
}

TEST(InputLists, StridesOfAnotherLengthAreLeftOut) {
  const InputLists lists = convert({"[1, 2]", "[[], []]", R"(["Int", "Int"])", "[[1]]"});
  EXPECT_EQ(lists.strides, "");
  EXPECT_EQ(lists.shapes, "[[],[]]");
}

TEST(InputLists, ListsThatDoNotFitAreRefused) {
  EXPECT_FALSE(convert_inputs({"[1]", "[[], []]", R"(["Int", "Int"])", {}}, 100));
  EXPECT_FALSE(convert_inputs({"[1, 2]", "[[]]", R"(["Int", "Int"])", {}}, 100));
  EXPECT_FALSE(convert_inputs({"[1, 2]", "[[], []]", R"(["Int", "Int"])", {}}, 1));
}

}  // namespace
}  // namespace opcensus::import

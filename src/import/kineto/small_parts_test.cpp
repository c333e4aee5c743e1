// SPDX-License-Identifier: Apache-2.0
//
// The pure functions of this folder that are too small for a test file each.
#include <string>
#include <string_view>

#include <gtest/gtest.h>

#include "src/import/kineto/category_table.h"
#include "src/import/kineto/event_prefix.h"
#include "src/import/kineto/foreign_content.h"
#include "src/import/kineto/input_texts.h"
#include "src/import/kineto/json_repair.h"
#include "src/import/kineto/number_text.h"
#include "src/import/kineto/resync.h"

namespace opcensus::import {
namespace {

TEST(Categories, AreKnownInEverySpelling) {
  for (const std::string_view name : {"kernel", "Kernel", "KERNEL"}) {
    EXPECT_EQ(classify_category(name), CategoryKind::Kernel) << name;
  }
  for (const std::string_view name : {"gpu_memcpy", "Memcpy", "mlu_memcpy"}) {
    EXPECT_EQ(classify_category(name), CategoryKind::Memcpy) << name;
  }
  for (const std::string_view name : {"gpu_memset", "Memset", "mlu_memset"}) {
    EXPECT_EQ(classify_category(name), CategoryKind::Memset) << name;
  }
  for (const std::string_view name : {"cuda_runtime",
                                      "Runtime",
                                      "cuda_driver",
                                      "mlu_runtime",
                                      "xpu_driver",
                                      "privateuse1_runtime"}) {
    EXPECT_EQ(classify_category(name), CategoryKind::ApiCall) << name;
  }
  EXPECT_EQ(classify_category("Operator"), CategoryKind::Operator);
  EXPECT_EQ(classify_category("cpu_op"), CategoryKind::Operator);
  EXPECT_EQ(classify_category("user_annotation"), CategoryKind::Annotation);
  EXPECT_EQ(classify_category("gpu_user_annotation"), CategoryKind::DeviceAnnotation);
  EXPECT_EQ(classify_category("overhead"), CategoryKind::Overhead);
  for (const std::string_view name : {"python_function", "ac2g", "Trace", "cuda_sync", ""}) {
    EXPECT_EQ(classify_category(name), CategoryKind::Other) << name;
  }
}

TEST(CategoryTable, CountsByNameInOrder) {
  CategoryTable table;
  table.find("kernel").events += 2;
  table.find("cpu_op").events += 1;
  table.find("kernel").events += 1;
  EXPECT_EQ(table.find("unused").events, 0U);
  const auto counts = table.counts();
  ASSERT_EQ(counts.size(), 2U);
  EXPECT_EQ(counts[0].category, "cpu_op");
  EXPECT_EQ(counts[1].category, "kernel");
  EXPECT_EQ(counts[1].events, 3U);
}

TEST(EventPrefix, TellsPhaseAndCategory) {
  const EventPrefix prefix = read_event_prefix(
      "{\n \"ph\" : \"f\", \"id\": 7, \"ts\": -1.5, \"cat\": \"ac2g\", \"x\": {}}");
  EXPECT_EQ(prefix.phase, 'f');
  EXPECT_EQ(prefix.category, "ac2g");
}

TEST(EventPrefix, TellsThemInTheUsualLayout) {
  const EventPrefix prefix =
      read_event_prefix("{\n    \"ph\": \"X\", \"cat\": \"kernel\", \"x\": 1}");
  EXPECT_EQ(prefix.phase, 'X');
  EXPECT_EQ(prefix.category, "kernel");
  EXPECT_FALSE(read_event_prefix(R"({"ph": "X", "cat": "a\u0062", "x": 1})").category);
}

TEST(EventPrefix, SaysNothingAboutWhatItDoesNotUnderstand) {
  EXPECT_FALSE(read_event_prefix(R"({"args": {}, "ph": "X", "cat": "kernel"})").phase);
  EXPECT_FALSE(read_event_prefix(R"({"cat": "a\u0062", "ph": "X"})").category);
  EXPECT_FALSE(read_event_prefix(R"({"ph": "XX", "cat": "kernel"})").phase);
  EXPECT_FALSE(read_event_prefix(R"({"ph": 1, "cat": "kernel"})").phase);
  EXPECT_FALSE(read_event_prefix("{").phase);
  EXPECT_FALSE(read_event_prefix(R"({"name": "unclosed)").phase);
}

std::string repaired(std::string_view text) {
  std::string out;
  repair_json(text, out);
  return out;
}

TEST(JsonRepair, TurnsNonFiniteNumbersIntoNull) {
  std::string out;
  EXPECT_EQ(repair_json(R"({"a":inf,"b":[-inf,NaN,N/A],"c":"inf","d":-Infinity})", out), 5U);
  EXPECT_EQ(out, R"({"a":null,"b":[null,null,null],"c":"inf","d":null})");
}

TEST(JsonRepair, LeavesValidJsonAlone) {
  const std::string_view text = R"({"a": [1, -2.5e3, true, null], "b": "\u00e9\ud83d\ude00\n é"})";
  EXPECT_EQ(repaired(text), text);
}

TEST(JsonRepair, EscapesControlCharacters) {
  EXPECT_EQ(repaired("\"a\nb\x01\""), "\"a\\u000ab\\u0001\"");
}

TEST(JsonRepair, ReplacesBytesThatAreNotUtf8) {
  EXPECT_EQ(repaired("\"a\xFF\x62\x80\""), "\"a\xEF\xBF\xBD\x62\xEF\xBF\xBD\"");
  EXPECT_EQ(repaired("\"\xC0\xAF\""), "\"\xEF\xBF\xBD\xEF\xBF\xBD\"");  // overlong
  EXPECT_EQ(repaired("\"\xC3\""), "\"\xEF\xBF\xBD\"");                  // cut short
  EXPECT_EQ(repaired("\"\xF0\x9F\x98\x80\""), "\"\xF0\x9F\x98\x80\"");
}

TEST(JsonRepair, DoublesBackslashesThatEscapeNothing) {
  EXPECT_EQ(repaired(R"("C:\Users\me\q")"), R"("C:\\Users\\me\\q")");
  EXPECT_EQ(repaired(R"("\u12")"), R"("\\u12")");
}

TEST(JsonRepair, ReplacesHalfSurrogatePairs) {
  EXPECT_EQ(repaired(R"("\ud800x")"), "\"\xEF\xBF\xBDx\"");
  EXPECT_EQ(repaired(R"("\udc00\ud800\ud83d\ude00")"),
            "\"\xEF\xBF\xBD\xEF\xBF\xBD\\ud83d\\ude00\"");
}

TEST(InputTexts, LoseWhiteSpaceOutsideStringsOnly) {
  EXPECT_EQ(compact_json("[ [8, 1 ],\n\t[] ]"), "[[8,1],[]]");
  EXPECT_EQ(compact_json(R"([ "long int" , "a\" b" ])"), R"(["long int","a\" b"])");
  EXPECT_EQ(compact_json("\"32,64;\\r\\n\""), "\"32,64;\\r\\n\"");
}

TEST(InputTexts, ElidedTensorListsAreFound) {
  EXPECT_TRUE(has_elided_tensor_list("[[],[]]", R"(["TensorList","Scalar"])"));
  EXPECT_TRUE(has_elided_tensor_list("[[[2,3]],[]]", R"(["float","TensorList"])"));
  EXPECT_FALSE(has_elided_tensor_list("[[[8,1],[8,1]],[]]", R"(["TensorList","Scalar"])"));
  EXPECT_FALSE(has_elided_tensor_list("[]", "[]"));
  EXPECT_FALSE(has_elided_tensor_list("", R"(["TensorList"])"));
  EXPECT_FALSE(has_elided_tensor_list("\"x\"", R"(["TensorList"])"));
}

TEST(Numbers, AreExactTo64Bits) {
  EXPECT_EQ(parse_id("18446744073709551615"), 18446744073709551615U);
  EXPECT_EQ(parse_id("9007199254740993"), 9007199254740993U);
  EXPECT_EQ(parse_id("12.0"), 12U);
  EXPECT_EQ(parse_id("-1"), 0U);
  EXPECT_EQ(parse_id(""), 0U);
  EXPECT_EQ(parse_id("x7"), 0U);
  EXPECT_EQ(parse_integer("-1"), -1);
  EXPECT_EQ(parse_integer("18446744073709551615"), -1);
  EXPECT_EQ(parse_integer("7.0"), 7);
  EXPECT_EQ(parse_integer("stream 7"), std::nullopt);
}

std::string padded(std::string_view text) {
  return std::string(text) + std::string(64, '\0');
}

std::optional<std::size_t> event_start(std::string_view text) {
  const std::string buffer = padded(text);
  return find_event_start(std::string_view(buffer).substr(0, text.size()), 1);
}

TEST(Resync, FindsTheNextEvent) {
  const std::string_view text = "{\"name\": \"a\"b\"},\r\n  {\n \"ph\" : \"X\"}";
  EXPECT_EQ(event_start(text), text.find("{\n"));
  EXPECT_EQ(event_start(R"({"x"},{"name":"long","ph":"X"})"), 6U);
}

TEST(Resync, IsNotMisledByNamesOrArguments) {
  EXPECT_EQ(event_start(R"({"name": "f(){lambda(), {auto}"})"), std::nullopt);
  EXPECT_EQ(event_start(R"({"args": [{"a":1},{"b":2}], "ph": "X"})"), std::nullopt);
  EXPECT_EQ(event_start(R"({"x"} {"ph":"X"})"), std::nullopt);
  EXPECT_EQ(event_start(R"({"x"},{"name":"no phase"})"), std::nullopt);
}

TEST(Resync, FindsTheEndOfTheArray) {
  const std::string_view keys = R"({"a"b}], "traceName": "x"})";
  EXPECT_EQ(find_array_end(keys, 1), keys.find(']'));
  EXPECT_EQ(find_array_end(R"({"a"b}]})", 1), 6U);
  EXPECT_EQ(find_array_end(R"({"a"b[1]})", 1), std::nullopt);
}

TEST(Resync, FindsTheEventArray) {
  EXPECT_EQ(find_event_array(R"({"a": "x"y", "traceEvents" : [)", 0), 13U);
  EXPECT_EQ(find_event_array(R"({"a": "traceEvents", 1)", 0), std::nullopt);
}

TEST(ForeignContent, IsNamed) {
  EXPECT_NE(describe_foreign_head("<!DOCTYPE html>")->message.find("HTML"), std::string::npos);
  EXPECT_NE(
      describe_foreign_head("version https://git-lfs.github.com/spec/v1")->message.find("LFS"),
      std::string::npos);
  EXPECT_NE(describe_foreign_head(std::string_view("\x0A\x05\x08\x00", 4))->message.find("binary"),
            std::string::npos);
  EXPECT_NE(describe_foreign_head("hello")->message.find("not JSON"), std::string::npos);
  EXPECT_FALSE(describe_foreign_head("{"));
  EXPECT_FALSE(describe_foreign_head("["));
  EXPECT_NE(describe_foreign_object("rocprofiler-sdk-tool").message.find("rocprofv3"),
            std::string::npos);
  EXPECT_NE(describe_foreign_object("abc\n").message.find("\"abc?\""), std::string::npos);
  for (const Error& error : {*describe_foreign_head("hello"), describe_foreign_array()}) {
    EXPECT_EQ(error.code, ErrorCode::NotATrace);
    EXPECT_FALSE(error.hint.empty());
  }
}

}  // namespace
}  // namespace opcensus::import

// SPDX-License-Identifier: Apache-2.0
#include "src/import/execution_trace/execution_trace_reader.h"

#include <string>

#include <gtest/gtest.h>

#include "src/import/execution_trace/execution_trace_test_support.h"

namespace opcensus::import {
namespace {

using testing::ExecutionReading;
using testing::read_execution_text;

// Schema 1.0.1: lists beside each other, rf_id in the node.
constexpr std::string_view kOld = R"json({
  "schema": "1.0.1", "pid": 7, "time": "2024-01-01 00:00:00", "start_ts": 5,
  "nodes": [
    {"name": "[pytorch|profiler|execution_graph|process]", "id": 1, "rf_id": 0, "parent": 1,
     "inputs": [], "input_shapes": [], "input_types": [],
     "outputs": [], "output_shapes": [], "output_types": []},
    {"name": "aten::mm", "id": 14, "rf_id": 5, "parent": 9, "op_schema": "aten::mm(Tensor self)",
     "inputs": [[7, 8, 0, 32, 4, "cuda:0"], [3, 4, 0, 32, 4, "cuda:0"]],
     "input_shapes": [[4, 8], [8, 4]], "input_types": ["Tensor(float)", "Tensor(float)"],
     "outputs": [[9, 9, 0, 16, 4, "cuda:0"]], "output_shapes": [[4, 4]],
     "output_types": ["Tensor(float)"]},
    {"name": "aten::relu", "id": 15, "rf_id": 3, "parent": 9,
     "inputs": [[9, 9, 0, 16, 4, "cuda:0"]], "input_shapes": [[4, 4]],
     "input_types": ["Tensor(float)"], "outputs": [], "output_shapes": [], "output_types": []}
  ], "finish_ts": 9 })json";

// Schema 1.1.1: an object of lists, rf_id among the attributes.
constexpr std::string_view kNew = R"json({"schema": "1.1.1-chakra.0.0.4", "pid": 7,
  "nodes": [ {"id": 13, "name": "aten::mm", "ctrl_deps": 9,
     "inputs": {"values": [[11,2,0,16,4,"cuda:0"],[14,1,0,16,4,"cuda:0"]],
       "shapes": [[4,4],[4,4]], "types": ["Tensor(float)","Tensor(float)"],
       "strides": [[4,1],[1,4]]},
     "outputs": {"values": [], "shapes": [], "types": [], "strides": []},
     "attrs": [{"name": "seq_id", "type": "int64", "value": -1},
               {"name": "rf_id", "type": "uint64", "value": 8},
               {"name": "op_schema", "type": "string", "value": "aten::mm"}]} ] })json";

TEST(ExecutionTraceReader, ReadsTheOlderLayout) {
  const ExecutionReading reading = read_execution_text(kOld);
  ASSERT_FALSE(reading.error) << reading.error->message;
  EXPECT_EQ(reading.trace.schema, "1.0.1");
  EXPECT_TRUE(reading.trace.complete);
  EXPECT_EQ(reading.trace.bytes, kOld.size());
  EXPECT_EQ(reading.rows(),
            "3|aten::relu|[[4,4]]|[\"float\"]|-|[\"\"]|[0]\n"
            "5|aten::mm|[[4,8],[8,4]]|[\"float\",\"float\"]|"
            "-|[\"\",\"\"]|[0,1]\n");
  EXPECT_FALSE(reading.trace.diagnostics.has(Severity::Info));
}

TEST(ExecutionTraceReader, ReadsTheNewerLayout) {
  const ExecutionReading reading = read_execution_text(kNew);
  ASSERT_FALSE(reading.error) << reading.error->message;
  EXPECT_EQ(reading.trace.schema, "1.1.1-chakra.0.0.4");
  EXPECT_EQ(reading.rows(),
            "8|aten::mm|[[4,4],[4,4]]|[\"float\",\"float\"]|"
            "[[4,1],[1,4]]|[\"\",\"\"]|[0,1]\n");
}

TEST(ExecutionTraceReader, EveryCutGivesAPrefixOrAnError) {
  std::size_t most = 0;
  for (std::size_t size = 0; size < kOld.size() - 1; ++size) {
    const ExecutionReading reading = read_execution_text(kOld.substr(0, size));
    if (reading.error) {
      EXPECT_TRUE(reading.error->code == ErrorCode::Empty ||
                  reading.error->code == ErrorCode::Damaged)
          << size;
      EXPECT_EQ(most, 0U);
      continue;
    }
    EXPECT_FALSE(reading.trace.complete) << size;
    EXPECT_EQ(reading.trace.diagnostics.times(Issue::TruncatedInput), 1U) << size;
    EXPECT_GE(reading.trace.operators.size(), most) << size;
    most = reading.trace.operators.size();
  }
  EXPECT_EQ(most, 2U);
}

TEST(ExecutionTraceReader, ABadNodeIsCountedAndTheOthersAreRead) {
  const ExecutionReading reading = read_execution_text(
      R"({"schema": "1.0.1", "nodes": [ {"name": "a", "rf_id": 1}, {"name": tru}, 5,
          {"rf_id": 2}, {"name": "b", "rf_id": 3, "inputs": [1], "input_shapes": [],
          "input_types": ["Int"]} ] })");
  ASSERT_FALSE(reading.error);
  EXPECT_EQ(reading.rows(), "1|a|-|-|-|-|-\n3|b|-|-|-|-|-\n");
  EXPECT_EQ(reading.trace.diagnostics.times(Issue::InvalidJson), 1U);
  EXPECT_EQ(reading.trace.diagnostics.times(Issue::BadEvent), 3U);
  EXPECT_TRUE(reading.trace.complete);
}

TEST(ExecutionTraceReader, AnIdThatIsUsedTwiceCountsOnce) {
  const ExecutionReading reading = read_execution_text(
      R"({"schema": "1", "nodes": [{"name": "a", "rf_id": 1}, {"name": "b", "rf_id": 1}]})");
  ASSERT_FALSE(reading.error);
  EXPECT_EQ(reading.rows(), "1|a|-|-|-|-|-\n");
  EXPECT_EQ(reading.trace.diagnostics.times(Issue::BadEvent), 1U);
}

TEST(ExecutionTraceReader, WhatFollowsIsCounted) {
  const ExecutionReading reading = read_execution_text(std::string(kNew) + "\n{}");
  ASSERT_FALSE(reading.error);
  EXPECT_EQ(reading.trace.diagnostics.times(Issue::TrailingBytes), 1U);
  EXPECT_EQ(reading.trace.operators.size(), 1U);
}

TEST(ExecutionTraceReader, JunkBetweenNodesIsNoTruncation) {
  const ExecutionReading reading = read_execution_text(
      R"({"schema": "1", "nodes": [{"name": "a", "rf_id": 1}, : {"name": "b", "rf_id": 2}]})");
  ASSERT_FALSE(reading.error);
  EXPECT_EQ(reading.trace.operators.size(), 1U);
  EXPECT_EQ(reading.trace.diagnostics.times(Issue::InvalidJson), 1U);
  EXPECT_FALSE(reading.trace.complete);
}

TEST(ExecutionTraceReader, OtherInputsAreRefused) {
  EXPECT_EQ(read_execution_text("").error->code, ErrorCode::Empty);
  EXPECT_EQ(read_execution_text(" \n").error->code, ErrorCode::Empty);
  EXPECT_EQ(read_execution_text("[1]").error->code, ErrorCode::NotATrace);
  EXPECT_EQ(read_execution_text("<html>").error->code, ErrorCode::NotATrace);
  EXPECT_EQ(read_execution_text(R"({"schema": "1"})").error->code, ErrorCode::NotATrace);
  EXPECT_EQ(read_execution_text(R"({"schema": "1", "pid)").error->code, ErrorCode::Damaged);
}

TEST(ExecutionTraceReader, LimitsAreKept) {
  ExecutionTraceLimits small_file;
  small_file.max_bytes = 100;
  EXPECT_EQ(read_execution_text(kOld, small_file).error->code, ErrorCode::LimitExceeded);
  ExecutionTraceLimits small_node;
  small_node.max_node_bytes = 100;
  EXPECT_EQ(read_execution_text(kOld, small_node).error->code, ErrorCode::LimitExceeded);
  ExecutionTraceLimits few_inputs;
  few_inputs.max_inputs = 1;
  const ExecutionReading reading = read_execution_text(kOld, few_inputs);
  ASSERT_FALSE(reading.error);
  EXPECT_EQ(reading.trace.diagnostics.times(Issue::BadEvent), 1U);
}

TEST(ExecutionTraceReader, IsToldByItsTopLevelKeys) {
  EXPECT_TRUE(looks_like_execution_trace(kOld));
  EXPECT_TRUE(looks_like_execution_trace(kNew));
  EXPECT_TRUE(looks_like_execution_trace(kOld.substr(0, kOld.size() / 2)));
  EXPECT_TRUE(looks_like_execution_trace("\xEF\xBB\xBF" + std::string(kNew)));
  EXPECT_FALSE(looks_like_execution_trace(""));
  EXPECT_FALSE(looks_like_execution_trace("{\"schema\": \"1\""));
  EXPECT_FALSE(looks_like_execution_trace(R"([{"schema": 1, "nodes": []}])"));
  EXPECT_FALSE(looks_like_execution_trace(R"({"schemaVersion": 1, "nodes": []})"));
  EXPECT_FALSE(looks_like_execution_trace(R"({"a": {"schema": 1, "nodes": []}})"));
  EXPECT_FALSE(looks_like_execution_trace(R"({"schema": 1, "traceEvents": [], "nodes": []})"));
}

}  // namespace
}  // namespace opcensus::import

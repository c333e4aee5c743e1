// SPDX-License-Identifier: Apache-2.0
#include <string>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>

#include "src/import/execution_trace/execution_trace_reader.h"

namespace opcensus::import {
namespace {

/// A trace and an execution trace, made row by row.
class JoinedPair : public ::testing::Test {
 protected:
  HostSpan& add_call(std::uint64_t id, std::string_view name) {
    HostSpan& span = trace_.host_spans.emplace_back();
    span.external_id = id;
    span.signature = model_.signatures.intern({model_.strings.intern(name), {}, {}});
    return span;
  }

  ExecutionOperator& add_operator(std::uint64_t id, std::string_view name) {
    ExecutionOperator& op = execution_.operators.emplace_back();
    op.record_function_id = id;
    op.name = execution_.strings.intern(name);
    op.input_shapes = execution_.strings.intern("[[4,8]]");
    op.input_dtypes = execution_.strings.intern("[\"float\"]");
    op.input_strides = execution_.strings.intern("[[8,1]]");
    op.concrete_inputs = execution_.strings.intern("[\"\"]");
    op.tensors = execution_.strings.intern("[0]");
    return op;
  }

  std::size_t join() { return add_execution_trace(execution_, model_, trace_); }

  [[nodiscard]] std::string text(StringId id) const {
    return id.is_none() ? "-" : std::string(model_.strings.view(id));
  }

  /// name, shapes, dtypes, strides, concrete inputs, tensors
  [[nodiscard]] std::string row(std::size_t index) const {
    const HostSpan& span = trace_.host_spans[index];
    const Signature& signature = model_.signatures[span.signature];
    const Arguments arguments =
        span.arguments.has_value() ? model_.arguments[span.arguments] : Arguments{};
    return text(signature.operator_name) + "|" + text(signature.input_shapes) + "|" +
           text(signature.input_dtypes) + "|" + text(arguments.input_strides) + "|" +
           text(arguments.concrete_inputs) + "|" + text(arguments.tensors);
  }

  Model model_;
  Trace trace_;
  ExecutionTrace execution_;
};

TEST_F(JoinedPair, CompletesCallsOfTheSameIdAndName) {
  add_call(3, "aten::relu");
  add_call(4, "aten::mm");
  add_operator(3, "aten::relu");
  add_operator(9, "aten::add");
  trace_.cannot_tell = {"input shapes: record with record_shapes=True", "grid"};
  EXPECT_EQ(join(), 1U);
  EXPECT_EQ(trace_.cannot_tell, (std::vector<std::string>{"grid"}));
  EXPECT_EQ(row(0), "aten::relu|[[4,8]]|[\"float\"]|[[8,1]]|[\"\"]|[0]");
  EXPECT_EQ(row(1), "aten::mm|-|-|-|-|-");
}

TEST_F(JoinedPair, WhatTheTraceRecordedIsKept) {
  HostSpan& span = add_call(3, "aten::relu");
  span.signature = model_.signatures.intern(
      {model_.strings.intern("aten::relu"), model_.strings.intern("[[2,2]]"), {}});
  span.arguments = model_.arguments.intern({{}, model_.strings.intern("[\"x\"]"), {}});
  add_operator(3, "aten::relu");
  EXPECT_EQ(join(), 1U);
  EXPECT_EQ(row(0), "aten::relu|[[2,2]]|[\"float\"]|[[8,1]]|[\"x\"]|[0]");
}

TEST_F(JoinedPair, FilesOfAnotherRunAreLeftAlone) {
  for (std::uint64_t id = 1; id <= 10; ++id) {
    add_call(id, "aten::relu");
    add_operator(id, id <= 2 ? "aten::add" : "aten::relu");
  }
  trace_.cannot_tell = {"input shapes: record with record_shapes=True"};
  EXPECT_EQ(join(), 0U);  // 8 of 10 names agree
  EXPECT_EQ(trace_.cannot_tell.size(), 1U);
  EXPECT_EQ(row(9), "aten::relu|-|-|-|-|-");
}

TEST_F(JoinedPair, OneNameThatDiffersIsLeftAlone) {
  for (std::uint64_t id = 1; id <= 10; ++id) {
    add_call(id, "aten::relu");
    add_operator(id, id == 1 ? "aten::add" : "aten::relu");
  }
  EXPECT_EQ(join(), 9U);
  EXPECT_EQ(row(0), "aten::relu|-|-|-|-|-");
  EXPECT_EQ(row(1), "aten::relu|[[4,8]]|[\"float\"]|[[8,1]]|[\"\"]|[0]");
}

TEST_F(JoinedPair, AnnotationsProveTheRunAndAreNotJoined) {
  add_call(1, "## step ##").kind = HostSpanKind::Annotation;
  add_operator(1, "## step ##");
  EXPECT_EQ(join(), 0U);
  EXPECT_EQ(row(0), "## step ##|-|-|-|-|-");
}

TEST_F(JoinedPair, CallsWithoutAnIdMatchNothing) {
  add_call(0, "aten::relu");
  add_operator(0, "aten::relu");
  EXPECT_EQ(join(), 0U);
}

}  // namespace
}  // namespace opcensus::import

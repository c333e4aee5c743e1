// SPDX-License-Identifier: Apache-2.0
#include "src/attribute/host_tree.h"

#include <gtest/gtest.h>

#include "tests/support/model_builder.h"

namespace opcensus {
namespace {

using testing::ModelBuilder;

TEST(HostTree, NestsByTimeOnOneThread) {
  ModelBuilder b;
  b.trace("t");
  const SpanId annotation = b.annotation("step", 0, 100);
  const SpanId outer = b.op("aten::linear", 10, 50);
  const SpanId inner = b.op("aten::mm", 20, 20);
  const CallId in_inner = b.call("cudaLaunchKernel", 25, 1);
  const CallId in_outer = b.call("cudaLaunchKernel", 45, 2);
  const CallId in_annotation = b.call("cudaLaunchKernel", 80, 3);
  const CallId outside = b.call("cudaLaunchKernel", 100, 4);  // half-open: the step has ended
  const Trace& trace = b.current();
  const HostTree tree = build_host_tree(trace);

  EXPECT_EQ(tree.parent[inner.index()], outer);
  EXPECT_EQ(tree.parent[outer.index()], annotation);
  EXPECT_EQ(tree.call_span[in_inner.index()], inner);
  EXPECT_EQ(tree.call_span[in_outer.index()], outer);
  EXPECT_EQ(tree.call_span[in_annotation.index()], annotation);
  EXPECT_TRUE(tree.call_span[outside.index()].is_none());
  EXPECT_EQ(tree.innermost_operator(trace, inner), inner);
  EXPECT_EQ(tree.outermost_operator(trace, inner), outer);
  EXPECT_TRUE(tree.innermost_operator(trace, annotation).is_none());
  EXPECT_EQ(tree.overlaps, 0U);
}

TEST(HostTree, OrderInTheFileDoesNotMatter) {
  ModelBuilder b;
  b.trace("t");
  const CallId call = b.call("cudaLaunchKernel", 25, 1);
  const SpanId inner = b.op("aten::mm", 20, 20);
  const SpanId outer = b.op("aten::linear", 20, 50);  // the same start: the longer one is outside
  const HostTree tree = build_host_tree(b.current());
  EXPECT_EQ(tree.call_span[call.index()], inner);
  EXPECT_EQ(tree.parent[inner.index()], outer);
}

TEST(HostTree, ThreadsAreApart) {
  ModelBuilder b;
  b.trace("t");
  b.op("aten::mm", 0, 100);
  b.thread("1", "2");
  const CallId other = b.call("cudaLaunchKernel", 50, 1);
  EXPECT_TRUE(build_host_tree(b.current()).call_span[other.index()].is_none());
}

TEST(HostTree, OverlappingSiblingsStayOpenSideBySide) {
  ModelBuilder b;
  b.trace("t");
  const SpanId first = b.op("a", 0, 10);
  const SpanId second = b.op("b", 9, 10);  // sticks out of the first: rounded microseconds
  const CallId late = b.call("cudaLaunchKernel", 15, 1);
  const CallId both = b.call("cudaLaunchKernel", 9, 2);
  const HostTree tree = build_host_tree(b.current());
  EXPECT_TRUE(tree.parent[second.index()].is_none());
  EXPECT_EQ(tree.call_span[late.index()], second);
  EXPECT_EQ(tree.call_span[both.index()], second);
  EXPECT_EQ(tree.overlaps, 1U);
  EXPECT_TRUE(tree.parent[first.index()].is_none());
}

}  // namespace
}  // namespace opcensus

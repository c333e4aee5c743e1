// SPDX-License-Identifier: Apache-2.0
#include "src/attribute/host_moments.h"

#include <gtest/gtest.h>

#include "tests/support/model_builder.h"

namespace opcensus {
namespace {

using opcensus::testing::ModelBuilder;

TEST(HostMoments, FindsTheInnermostSpanAroundAMoment) {
  ModelBuilder b;
  b.trace("t.json");
  const SpanId outer = b.op("outer", 10, 90);
  const SpanId first = b.op("first", 20, 10);
  const SpanId second = b.op("second", 40, 20);
  const ThreadId thread(0);
  const ThreadId other = b.thread("1", "2");
  const SpanId elsewhere = b.op("elsewhere", 0, 1000);
  const HostTree tree = build_host_tree(b.current());
  const HostMoments moments(b.current(), tree);
  EXPECT_TRUE(moments.span_at(thread, Nanoseconds(5)).is_none());
  EXPECT_EQ(moments.span_at(thread, Nanoseconds(10)), outer);
  EXPECT_EQ(moments.span_at(thread, Nanoseconds(25)), first);
  EXPECT_EQ(moments.span_at(thread, Nanoseconds(30)), outer);
  EXPECT_EQ(moments.span_at(thread, Nanoseconds(45)), second);
  EXPECT_EQ(moments.span_at(thread, Nanoseconds(99)), outer);
  EXPECT_TRUE(moments.span_at(thread, Nanoseconds(100)).is_none());
  EXPECT_EQ(moments.span_at(other, Nanoseconds(45)), elsewhere);
}

TEST(HostMoments, FindsTheLastCallOfTheThread) {
  ModelBuilder b;
  b.trace("t.json");
  const CallId first = b.call("cudaLaunchKernel", 10, 1);
  const CallId second = b.call("cudaLaunchKernel", 20, 2);
  b.thread("1", "2");
  b.call("cudaLaunchKernel", 15, 3);
  const HostTree tree = build_host_tree(b.current());
  const HostMoments moments(b.current(), tree);
  EXPECT_TRUE(moments.last_call(ThreadId(0), Nanoseconds(9)).is_none());
  EXPECT_EQ(moments.last_call(ThreadId(0), Nanoseconds(19)), first);
  EXPECT_EQ(moments.last_call(ThreadId(0), Nanoseconds(20)), second);
}

}  // namespace
}  // namespace opcensus

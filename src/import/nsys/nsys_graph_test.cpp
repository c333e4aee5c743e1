// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "src/import/nsys/nsys_test_support.h"

namespace opcensus::import {
namespace {

using testing::global_id;
using testing::read_sql;
using testing::Reading;
using testing::with_tables;

/// A node as SQL: graph 2, index 1 is (2 << 32) + 1.
std::string node(std::int64_t graph, std::int64_t index) {
  return std::to_string((graph << 32) + index);
}

std::string kernel(std::string_view node, std::int64_t process, std::int64_t start = 1000) {
  return fmt::format(
      "INSERT INTO CUPTI_ACTIVITY_KIND_KERNEL (start, end, streamId, correlationId, "
      "globalPid, graphNodeId) VALUES ({}, {}, 7, 5, {}, {});",
      start,
      start + 10,
      global_id(process),
      node);
}

std::string made(std::int64_t time,
                 std::string_view node,
                 std::string_view original,
                 std::int64_t process) {
  return fmt::format("INSERT INTO CUDA_GRAPH_NODE_EVENTS VALUES ({0}, {0}, {1}, {2}, {3});",
                     time,
                     global_id(process, process),
                     node,
                     original);
}

/// "graph:index <- origin at time, from time, thread" of each row, one a line.
std::string rows(const Reading& reading) {
  const auto name = [](std::uint64_t node) {
    return fmt::format("{}:{}", node >> 32U, node & 0xffffffffU);
  };
  std::string out;
  for (const GraphNodeRow& row : reading.trace().graph_nodes) {
    out += fmt::format("{} <- {}", name(row.node), name(row.origin));
    if (row.origin != 0) {
      const Thread& thread = reading.trace().threads[row.thread.index()];
      out += fmt::format(" at {} by {}", row.captured_at.count(), reading.text(thread.thread));
    }
    out += fmt::format(" from {}\n", row.valid_from.count());
  }
  return out;
}

TEST(ReadGraphNodes, FollowsCopiesToTheCapture) {
  const auto reading = read_sql(
      with_tables(kernel(node(9, 0), 4) + kernel(node(9, 1), 4) +
                  made(500, node(9, 1), node(5, 1), 4) + made(500, node(9, 0), node(5, 0), 4) +
                  made(300, node(5, 1), node(2, 1), 4) + made(300, node(5, 0), node(2, 0), 4) +
                  made(120, node(2, 1), "NULL", 4) + made(110, node(2, 0), "NULL", 4)));
  ASSERT_FALSE(reading.error);
  EXPECT_EQ(rows(reading),
            "9:0 <- 2:0 at 110 by 4 from 500\n"
            "9:1 <- 2:1 at 120 by 4 from 500\n");
}

TEST(ReadGraphNodes, LeavesOutNodesThatDidNotRun) {
  const auto reading = read_sql(
      with_tables(kernel(node(9, 0), 4) + kernel("NULL", 4) + made(500, node(9, 0), node(2, 0), 4) +
                  made(500, node(9, 1), node(2, 1), 4) + made(110, node(2, 0), "NULL", 4)));
  EXPECT_EQ(rows(reading), "9:0 <- 2:0 at 110 by 4 from 500\n");
  EXPECT_EQ(reading.trace().device_events.at(1).graph_node_id, 0U);
  EXPECT_TRUE(read_sql(with_tables(kernel("NULL", 4) + made(1, node(9, 0), node(2, 0), 4)))
                  .trace()
                  .graph_nodes.empty());
}

TEST(ReadGraphNodes, AnUpdatedNodeHasARowForEachOfItsOrigins) {
  const auto reading = read_sql(with_tables(
      kernel(node(9, 0), 4) + made(100, node(2, 0), "NULL", 4) + made(200, node(3, 0), "NULL", 4) +
      made(300, node(9, 0), "NULL", 4) + made(300, node(9, 0), node(2, 0), 4) +
      made(350, node(9, 0), node(2, 0), 4) + made(400, node(9, 0), node(3, 0), 4)));
  EXPECT_EQ(rows(reading),
            "9:0 <- 2:0 at 100 by 4 from 300\n"
            "9:0 <- 3:0 at 200 by 4 from 400\n");
}

TEST(ReadGraphNodes, AnUnrecordedCaptureHasNoOrigin) {
  // The original's row is missing; and a node of the driver's own among copies.
  const auto reading = read_sql(with_tables(kernel(node(9, 0), 4) + kernel(node(9, 1), 4) +
                                            made(300, node(9, 0), node(2, 0), 4) +
                                            made(300, node(9, 1), "NULL", 4)));
  EXPECT_EQ(rows(reading), "9:0 <- 0:0 from 300\n9:1 <- 0:0 from 300\n");
}

TEST(ReadGraphNodes, CirclesEnd) {
  const auto reading = read_sql(with_tables(
      kernel(node(9, 0), 4) + kernel(node(8, 0), 4) + made(300, node(9, 0), node(2, 0), 4) +
      made(300, node(2, 0), node(9, 0), 4) + made(400, node(8, 0), node(8, 0), 4)));
  // A node that is its own original is a captured one.
  EXPECT_EQ(rows(reading), "8:0 <- 8:0 at 400 by 4 from 400\n9:0 <- 0:0 from 300\n");
}

TEST(ReadGraphNodes, ProcessesWithEqualNodesAreKeptApart) {
  const auto reading = read_sql(
      with_tables(kernel(node(9, 0), 4) + kernel(node(9, 0), 5, 2000) +
                  kernel(node(10, 0), 5, 3000) + made(300, node(9, 0), node(2, 0), 4) +
                  made(310, node(9, 0), node(2, 0), 5) + made(320, node(10, 0), node(2, 0), 5) +
                  made(100, node(2, 0), "NULL", 4) + made(200, node(2, 0), "NULL", 5)));
  ASSERT_FALSE(reading.error);
  EXPECT_EQ(rows(reading),
            "9:0 <- 2:0 at 100 by 4 from 300\n"
            "10:0 <- 2:0 at 200 by 5 from 320\n"
            "11:0 <- 2:0 at 200 by 5 from 310\n");
  const auto& events = reading.trace().device_events;
  EXPECT_EQ(events.at(0).graph_node_id >> 32U, 9U);
  EXPECT_EQ(events.at(1).graph_node_id >> 32U, 11U);
  EXPECT_EQ(events.at(2).graph_node_id >> 32U, 10U);
}

TEST(ReadGraphNodes, KernelsWithoutAProcessBelongToTheOnlyOne) {
  const std::string anonymous = fmt::format(
      "INSERT INTO CUPTI_ACTIVITY_KIND_KERNEL (start, end, graphNodeId) VALUES (1, 2, {});",
      node(9, 0));
  const std::string one = made(300, node(9, 0), node(2, 0), 4) + made(100, node(2, 0), "NULL", 4);
  EXPECT_EQ(rows(read_sql(with_tables(anonymous + one))), "9:0 <- 2:0 at 100 by 4 from 300\n");
  EXPECT_EQ(rows(read_sql(with_tables(anonymous + one + made(1, node(2, 0), "NULL", 5)))), "");
}

TEST(ReadGraphNodes, WithoutTheTableItSaysSo) {
  const auto reading =
      read_sql(with_tables(kernel(node(9, 0), 4) + "DROP TABLE CUDA_GRAPH_NODE_EVENTS;"));
  EXPECT_EQ(reading.trace().graph_nodes.size(), 0U);
  EXPECT_EQ(reading.trace().device_events.at(0).graph_node_id, (std::uint64_t{9} << 32U));
  EXPECT_EQ(reading.trace().cannot_tell.back(),
            "operators of replayed kernels (the making of graph nodes was not recorded)");
}

TEST(ReadGraphNodes, ACapturedLaunchMakesItsRangeAnOperator) {
  const auto reading = read_sql(with_tables(
      kernel(node(9, 0), 4) + made(300, node(9, 0), node(2, 0), 4) +
      made(100, node(2, 0), "NULL", 4) +
      fmt::format("INSERT INTO NVTX_EVENTS VALUES (90, 110, 59, 'layer', {}, NULL, NULL)",
                  global_id(4, 4))));
  EXPECT_EQ(reading.spans(), "90+20 (layer)\n90+20 layer\n");
}

TEST(ReadDeviceRows, GraphsRecordedAsAWholeAreEventsOfTheirOwn) {
  const auto reading = read_sql(with_tables(R"sql(
CREATE TABLE CUPTI_ACTIVITY_KIND_GRAPH_TRACE (start, end, deviceId, streamId, correlationId,
  globalPid, graphId, graphExecId);
INSERT INTO CUPTI_ACTIVITY_KIND_GRAPH_TRACE VALUES (10, 30, 0, 7, 5, NULL, 3, 4),
  (0, 0, 2147483647, 7, 6, NULL, 3, 4);
)sql"));
  ASSERT_FALSE(reading.error);
  const Trace& trace = reading.trace();
  ASSERT_EQ(trace.device_events.size(), 1U);
  EXPECT_EQ(trace.device_events[0].kind, DeviceEventKind::Graph);
  EXPECT_EQ(reading.text(trace.device_events[0].name), "CUDA graph 4");
  EXPECT_EQ(trace.raw_device[3].time, Nanoseconds(20));
  EXPECT_EQ(trace.diagnostics.times(Issue::BadEvent), 1U);  // its time is not known
  EXPECT_EQ(trace.cannot_tell.back(), "what ran inside graphs (they were recorded as a whole)");
}

}  // namespace
}  // namespace opcensus::import

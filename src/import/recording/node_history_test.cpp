// SPDX-License-Identifier: Apache-2.0
#include "src/import/recording/node_history.h"

#include <tuple>

#include <gtest/gtest.h>

#include "src/import/recording/recording_test_support.h"

#include "tests/support/recording_writer.h"

namespace opcensus::import {
namespace {

using opcensus::testing::node_id;
using opcensus::testing::RecordingWriter;
using wire::NodeEvent;
using wire::NodeKind;

std::string nodes_of(const RecordingWriter& writer) {
  const std::string bytes = writer.bytes();
  const auto reading = testing::read_bytes(bytes);
  return reading.error ? reading.error->message : reading.graph_nodes();
}

TEST(NodeHistory, FollowsCopiesToTheCapturedNode) {
  RecordingWriter w;
  w.created(1, 0, w.op("a"), 100);
  w.created(1, 1, w.op("b"), 110);
  w.cloned(2, 1, 2, 200);  // cudaGraphClone
  w.instantiate(3, 2, 2, 300);
  EXPECT_EQ(nodes_of(w), "3:0 <- 1:0: a\n3:1 <- 1:1: b\n");
}

TEST(NodeHistory, ANodeMadeByInstantiatingIsNoCapturedOne) {
  RecordingWriter w;
  w.created(1, 0, w.op("a"), 100);
  w.cloned(2, 1, 1, 200);
  w.node(NodeEvent::Created, node_id(2, 1), 0, 200, NodeKind::Kernel, w.op("b"));
  w.node(NodeEvent::Instantiated, node_id(2, 0), node_id(1, 0), 200, NodeKind::Other);
  EXPECT_EQ(nodes_of(w), "2:0 <- 1:0: a\n");
}

TEST(NodeHistory, OnlyExecutableGraphsHaveRows) {
  RecordingWriter w;
  w.created(1, 0, w.op("a"), 100);
  w.cloned(2, 1, 1, 200);
  EXPECT_EQ(nodes_of(w), "");
}

TEST(NodeHistory, NodesThatRunNothingHaveNoRow) {
  RecordingWriter w;
  w.created(1, 0, w.op("a"), 100, NodeKind::Other);
  w.created(1, 1, w.op("b"), 110, NodeKind::Memcpy);
  w.created(1, 2, w.op("c"), 120, NodeKind::Memset);
  w.instantiate(2, 1, 3, 200);
  const auto reading = testing::read_bytes(w.bytes());
  ASSERT_EQ(reading.trace().graph_nodes.size(), 2U);
  EXPECT_EQ(reading.trace().graph_nodes[0].kind, DeviceEventKind::Memcpy);
  EXPECT_EQ(reading.trace().graph_nodes[1].kind, DeviceEventKind::Memset);
}

TEST(NodeHistory, ADestroyedTemplateStillNamesItsNodes) {
  RecordingWriter w;
  w.created(1, 0, w.op("a"), 100);
  w.instantiate(2, 1, 1, 200);
  w.node(NodeEvent::GraphDestroyed, node_id(1, 0), 0, 210, NodeKind::Other);
  w.created(3, 0, w.op("b"), 300);  // the next capture has an id of its own
  w.instantiate(4, 3, 1, 400);
  w.node(NodeEvent::ExecDestroyed, node_id(2, 0), 0, 410, NodeKind::Other);
  EXPECT_EQ(nodes_of(w), "2:0 <- 1:0: a\n4:0 <- 3:0: b\n");
}

TEST(NodeHistory, TheDefinitionsOfAnotherThreadMayComeLater) {
  RecordingWriter w;
  const std::uint32_t a = w.op("a");
  w.instantiate(2, 1, 1, 200, 5);
  w.created(1, 0, a, 100, NodeKind::Kernel, 6);
  EXPECT_EQ(nodes_of(w), "2:0 <- 1:0: a\n");
}

// The orders and ids of the tests of bodies are those of programs that ran on CUDA 13.0, whose
// device events named the nodes so.

void clone(RecordingWriter& w, std::uint64_t graph, std::uint64_t node, std::uint64_t from) {
  w.cloned_node(node_id(graph, node), node_id(from, node), 400);
}

TEST(NodeHistory, AChildGraphFollowsItsOwner) {
  RecordingWriter w;
  w.created(1, 0, w.op("a"), 100);
  w.created(1, 1, w.op("b"), 110);
  w.cloned(5, 1, 2, 300);  // added to graph 4 …
  w.created(4, 0, 0, 300);
  clone(w, 7, 0, 5);  // … which is instantiated
  clone(w, 7, 1, 5);
  clone(w, 6, 0, 4);
  w.node(NodeEvent::GraphDestroyed, node_id(7, 0), 0, 400, NodeKind::Other);
  w.instantiated(6, 4, 400);
  EXPECT_EQ(nodes_of(w), "6:1 <- 1:0: a\n6:2 <- 1:1: b\n");
}

/// Graph 3: D0, child graph 1 (A, B), D2, child graph 2 (C), D4.
void build_two_children(RecordingWriter& w) {
  w.created(1, 0, w.op("A"), 100);
  w.created(1, 1, w.op("B"), 101);
  w.created(2, 0, w.op("C"), 102);
  w.created(3, 0, w.op("D0"), 103);
  w.cloned(4, 1, 2, 104);
  w.created(3, 1, 0, 105);
  w.created(3, 2, w.op("D2"), 106);
  w.cloned(5, 2, 1, 107);
  w.created(3, 3, 0, 108);
  w.created(3, 4, w.op("D4"), 109);
}

/// Copies graph 3 and its children, in the driver's order.
void clone_two_children(RecordingWriter& w,
                        std::uint64_t graph,
                        std::uint64_t first_body,
                        std::uint64_t second_body) {
  clone(w, graph, 0, 3);
  clone(w, first_body, 0, 4);
  clone(w, first_body, 1, 4);
  clone(w, graph, 1, 3);
  clone(w, graph, 2, 3);
  clone(w, second_body, 0, 5);
  clone(w, graph, 3, 3);
  clone(w, graph, 4, 3);
}

TEST(NodeHistory, BodiesFollowAllNodesOfTheGraph) {
  RecordingWriter w;
  build_two_children(w);
  clone_two_children(w, 6, 7, 8);
  w.instantiated(6, 3, 400);
  EXPECT_EQ(nodes_of(w),
            "6:0 <- 3:0: D0\n6:2 <- 3:2: D2\n6:4 <- 3:4: D4\n"
            "6:5 <- 1:0: A\n6:6 <- 1:1: B\n6:7 <- 2:0: C\n");
}

TEST(NodeHistory, BodiesInBodiesFollowBreadthFirst) {
  RecordingWriter w;
  build_two_children(w);
  w.created(12, 0, w.op("E0"), 200);
  clone_two_children(w, 13, 14, 15);  // graph 3 becomes a child of graph 12
  w.created(12, 1, 0, 210);
  clone(w, 16, 0, 12);
  for (const auto& [graph, node, from] : {std::tuple{17, 0, 13},
                                          std::tuple{18, 0, 14},
                                          std::tuple{18, 1, 14},
                                          std::tuple{17, 1, 13},
                                          std::tuple{17, 2, 13},
                                          std::tuple{19, 0, 15},
                                          std::tuple{17, 3, 13},
                                          std::tuple{17, 4, 13},
                                          std::tuple{16, 1, 12}}) {
    clone(w,
          static_cast<std::uint64_t>(graph),
          static_cast<std::uint64_t>(node),
          static_cast<std::uint64_t>(from));
  }
  w.instantiated(16, 12, 400);
  EXPECT_EQ(nodes_of(w),
            "16:0 <- 12:0: E0\n16:2 <- 3:0: D0\n16:4 <- 3:2: D2\n16:6 <- 3:4: D4\n"
            "16:7 <- 1:0: A\n16:8 <- 1:1: B\n16:9 <- 2:0: C\n");
}

TEST(NodeHistory, AConditionalsBodyFollowsItsOwner) {
  RecordingWriter w;
  w.created(11, 0, 0, 100);
  w.created(12, 0, w.op("body"), 110);  // captured into the body's graph
  clone(w, 14, 0, 12);
  clone(w, 13, 0, 11);
  w.node(NodeEvent::GraphDestroyed, node_id(14, 0), 0, 400, NodeKind::Other);
  w.instantiated(13, 11, 400);
  EXPECT_EQ(nodes_of(w), "13:1 <- 12:0: body\n");
}

TEST(NodeHistory, BodiesThatFitNoNodeAreNotGuessed) {
  RecordingWriter w;
  w.created(1, 0, w.op("a"), 100);
  w.created(4, 0, w.op("before"), 290);
  w.created(4, 1, w.op("owner"), 300);
  w.created(4, 2, w.op("after"), 310);
  clone(w, 6, 0, 4);
  clone(w, 7, 0, 1);
  clone(w, 8, 0, 1);  // if and else: which of them comes first was not measured
  clone(w, 6, 1, 4);
  clone(w, 6, 2, 4);
  w.instantiated(6, 4, 400);
  EXPECT_EQ(nodes_of(w), "6:0 <- 4:0: before\n6:1 <- 4:1: owner\n6:2 <- 4:2: after\n");
}

TEST(NodeHistory, CopiesOfOtherThreadsAreNoBodies) {
  RecordingWriter w;
  w.created(1, 0, w.op("a"), 100);
  w.created(2, 0, 0, 110);
  w.created(3, 0, w.op("other"), 120);
  clone(w, 11, 0, 1);
  w.instantiate(20, 3, 1, 400, 99);
  w.cloned(30, 3, 1, 400, 99);
  clone(w, 10, 0, 2);
  w.instantiated(10, 2, 400);
  EXPECT_EQ(nodes_of(w), "10:1 <- 1:0: a\n20:0 <- 3:0: other\n");
}

TEST(NodeHistory, AnUpdateRebindsANodeFromItsTimeOn) {
  RecordingWriter w;
  w.created(1, 0, w.op("a"), 100);
  w.created(1, 1, w.op("b"), 110);
  w.instantiate(2, 1, 2, 200);
  w.created(10, 1, w.op("d"), 300);
  w.node(NodeEvent::Updated, node_id(2, 1), node_id(10, 1), 400);
  EXPECT_EQ(nodes_of(w), "2:0 <- 1:0: a\n2:1 <- 1:1: b\n2:1 <- 10:1: d\n");
  const auto reading = testing::read_bytes(w.bytes());
  EXPECT_EQ(reading.trace().graph_nodes[1].valid_from, Nanoseconds(200));
  EXPECT_EQ(reading.trace().graph_nodes[2].valid_from, Nanoseconds(400));
  EXPECT_EQ(reading.trace().graph_nodes[2].captured_at, Nanoseconds(300));
}

TEST(NodeHistory, AnUpdateToSomethingUnseenDoesNotKeepTheOldOperator) {
  RecordingWriter w;
  w.created(1, 0, w.op("a"), 100);
  w.instantiate(2, 1, 1, 200);
  w.node(NodeEvent::Updated, node_id(2, 0), node_id(10, 0), 400, NodeKind::Other);
  EXPECT_EQ(nodes_of(w), "2:0 <- 1:0: a\n2:0 <- 0:0: -\n");
}

TEST(NodeHistory, ChainsThatGoInCirclesEnd) {
  RecordingWriter w;
  w.node(NodeEvent::Cloned, node_id(2, 0), node_id(3, 0), 100);
  w.node(NodeEvent::Cloned, node_id(3, 0), node_id(2, 0), 100);
  w.node(NodeEvent::Instantiated, node_id(2, 0), node_id(3, 0), 100, NodeKind::Other);
  EXPECT_EQ(nodes_of(w), "2:0 <- 0:0: -\n");
}

}  // namespace
}  // namespace opcensus::import

// SPDX-License-Identifier: Apache-2.0
#include "src/import/recording/node_history.h"

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

/// Graph 4 has graph 1 as a child at node `child`, and graph 5 is the child's copy.
void add_child_graph(RecordingWriter& w, std::uint64_t child) {
  w.created(4, child, 0, 300, NodeKind::ChildGraph);
  w.cloned(5, 1, 2, 300);
}

TEST(NodeHistory, ChildGraphsAreFlattened) {  // the ids are those of the measured program
  RecordingWriter w;
  w.created(1, 0, w.op("a"), 100);
  w.created(1, 1, w.op("b"), 110);
  add_child_graph(w, 0);
  w.cloned(6, 4, 1, 400);
  w.cloned(7, 5, 2, 400);
  w.node(NodeEvent::GraphDestroyed, node_id(7, 0), 0, 400, NodeKind::Other);
  w.instantiated(6, 4, 400);
  EXPECT_EQ(nodes_of(w), "6:1 <- 1:0: a\n6:2 <- 1:1: b\n");
}

TEST(NodeHistory, NodesAfterAChildGraphComeAfterItsBody) {
  RecordingWriter w;
  w.created(1, 0, w.op("a"), 100);
  w.created(1, 1, w.op("b"), 110);
  w.created(4, 0, w.op("before"), 290);
  add_child_graph(w, 1);
  w.created(4, 2, w.op("after"), 310);
  w.cloned(6, 4, 3, 400);  // numbered without the body …
  w.cloned(7, 5, 2, 400);
  w.instantiated(6, 4, 400);
  EXPECT_EQ(nodes_of(w), "6:0 <- 4:0: before\n6:2 <- 1:0: a\n6:3 <- 1:1: b\n6:4 <- 4:2: after\n");
}

TEST(NodeHistory, ACopyThatIsNumberedWithTheBodyKeepsItsNumber) {
  RecordingWriter w;
  w.created(1, 0, w.op("a"), 100);
  w.created(1, 1, w.op("b"), 110);
  add_child_graph(w, 0);
  w.created(4, 1, w.op("after"), 310);
  w.cloned_node(node_id(6, 0), node_id(4, 0), 400);
  w.cloned_node(node_id(6, 3), node_id(4, 1), 400);  // … or with it
  w.cloned(7, 5, 2, 400);
  w.instantiated(6, 4, 400);
  EXPECT_EQ(nodes_of(w), "6:1 <- 1:0: a\n6:2 <- 1:1: b\n6:3 <- 4:1: after\n");
}

TEST(NodeHistory, ABodyInABodyIsFlattenedToo) {
  RecordingWriter w;
  w.created(1, 0, w.op("inner"), 100);
  w.created(2, 0, w.op("middle"), 110);
  w.created(2, 1, 0, 120, NodeKind::ChildGraph);
  w.created(3, 0, 0, 130, NodeKind::ChildGraph);
  w.cloned(10, 3, 1, 400);
  w.cloned(11, 2, 2, 400);
  w.cloned(12, 1, 1, 400);
  w.instantiated(10, 3, 400);
  EXPECT_EQ(nodes_of(w), "10:1 <- 2:0: middle\n10:3 <- 1:0: inner\n");
}

TEST(NodeHistory, BodiesThatFitNoNodeAreNotGuessed) {
  RecordingWriter w;
  w.created(1, 0, w.op("a"), 100);
  w.created(4, 0, w.op("before"), 290);
  w.created(4, 1, 0, 300, NodeKind::ChildGraph);
  w.created(4, 2, w.op("after"), 310);
  w.cloned(6, 4, 3, 400);
  w.cloned(7, 1, 1, 400);
  w.cloned(8, 1, 1, 400);  // one body too many
  w.instantiated(6, 4, 400);
  EXPECT_EQ(nodes_of(w), "6:0 <- 4:0: before\n");
}

TEST(NodeHistory, CopiesOfOtherThreadsAreNoBodies) {
  RecordingWriter w;
  w.created(1, 0, w.op("a"), 100);
  w.created(2, 0, 0, 110, NodeKind::ChildGraph);
  w.created(3, 0, w.op("other"), 120);
  w.cloned(10, 2, 1, 400);
  w.instantiate(20, 3, 1, 400, 99);
  w.cloned(11, 1, 1, 400);
  w.cloned(30, 3, 1, 400, 99);
  w.instantiated(10, 2, 400);
  EXPECT_EQ(nodes_of(w), "10:1 <- 1:0: a\n20:0 <- 3:0: other\n");
}

TEST(NodeHistory, ConditionalBodiesAreFlattened) {
  RecordingWriter w;
  w.created(12, 0, 0, 100, NodeKind::Conditional);
  w.created(11, 0, w.op("body"), 110);  // captured into the body's graph
  w.cloned(13, 12, 1, 400);
  w.cloned(14, 11, 1, 400);
  w.node(NodeEvent::GraphDestroyed, node_id(14, 0), 0, 400, NodeKind::Other);
  w.instantiated(13, 12, 400);
  EXPECT_EQ(nodes_of(w), "13:1 <- 11:0: body\n");
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

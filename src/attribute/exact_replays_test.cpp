// SPDX-License-Identifier: Apache-2.0
#include "src/attribute/exact_replays.h"

#include <algorithm>

#include <gtest/gtest.h>

#include "src/attribute/attribute.h"

#include "tests/support/model_builder.h"

namespace opcensus {
namespace {

using opcensus::testing::ModelBuilder;

constexpr std::uint64_t node_id(std::uint64_t graph, std::uint64_t index) {
  return (graph << 32U) | index;
}

/// A trace whose graph nodes were recorded.
class Recorded {
 public:
  Recorded() { b.trace("run.ocrec"); }

  GraphNodeRow& row(std::uint64_t graph,
                    std::uint64_t index,
                    std::string_view op,
                    std::int64_t captured_at,
                    std::int64_t valid_from = 0) {
    GraphNodeRow node;
    node.node = node_id(graph, index);
    node.origin = node_id(1000 + graph, index);
    node.captured_at = Nanoseconds(captured_at);
    node.valid_from = Nanoseconds(valid_from);
    node.signature = op.empty() ? SignatureId::none() : b.signature(op);
    node.top_signature = node.signature;
    node.thread = ThreadId(0);
    b.current().graph_nodes.push_back(node);
    return b.current().graph_nodes.back();
  }

  EventId ran(std::uint64_t graph,
              std::uint64_t index,
              std::int64_t start,
              std::uint64_t correlation,
              std::string_view kernel = "k(float*)") {
    const EventId event = b.kernel(kernel, start, correlation);
    b.current().device_events.back().graph_node_id = node_id(graph, index);
    return event;
  }

  void launch(std::int64_t start, std::uint64_t correlation) {
    b.call("cudaGraphLaunch", start, correlation);
  }

  void run() { result = attribute(b.model()); }

  [[nodiscard]] const EventAttribution& at(EventId event) const {
    return result.traces.at(0).events[event.index()];
  }

  [[nodiscard]] std::string op_of(EventId event) {
    return std::string(b.model().operator_name(at(event).signature));
  }

  ModelBuilder b;
  Attribution result;
};

TEST(ExactReplays, ANodeSaysWhichOperatorItIs) {
  Recorded r;
  r.row(2, 0, "a", 100);
  r.row(2, 1, "b", 110);
  r.launch(500, 1);
  const EventId second = r.ran(2, 1, 610, 1);  // any order, any kernel
  const EventId first = r.ran(2, 0, 600, 1);
  r.run();
  EXPECT_EQ(r.op_of(first), "a");
  EXPECT_EQ(r.op_of(second), "b");
  EXPECT_EQ(r.at(first).tier, Tier::Exact);
  EXPECT_EQ(r.at(first).phase, Phase::Replay);
  EXPECT_EQ(r.at(second).node, 1U);
  ASSERT_EQ(r.result.plans.size(), 1U);
  EXPECT_EQ(r.result.plans[0].graph, 2U);
  ASSERT_EQ(r.result.replays.size(), 1U);
  EXPECT_EQ(r.result.replays[0].tier, Tier::Exact);
  EXPECT_EQ(r.result.replays[0].launch, CallId(0));
  EXPECT_EQ(r.result.replays[0].events.size(), 2U);
}

TEST(ExactReplays, EveryLaunchIsAReplay) {
  Recorded r;
  r.row(2, 0, "a", 100);
  r.row(4, 0, "b", 50);  // captured first
  r.launch(500, 1);
  r.launch(501, 2);
  r.launch(502, 3);
  r.ran(2, 0, 600, 1);
  r.ran(4, 0, 610, 2);
  r.ran(2, 0, 620, 3);
  r.run();
  ASSERT_EQ(r.result.replays.size(), 3U);
  EXPECT_EQ(r.result.plans[0].graph, 4U);
  EXPECT_EQ(r.result.replays[0].plan, PlanId(1));
  EXPECT_EQ(r.result.replays[1].plan, PlanId(0));
  EXPECT_EQ(r.result.replays[2].plan, PlanId(1));
}

TEST(ExactReplays, OneCorrelationOfTwoGraphsIsTwoReplays) {  // as some CUPTI versions have it
  Recorded r;
  r.row(2, 0, "a", 100);
  r.row(4, 0, "b", 110);
  r.launch(500, 1);
  r.ran(2, 0, 600, 1);
  r.ran(4, 0, 610, 1);
  r.run();
  EXPECT_EQ(r.result.replays.size(), 2U);
}

TEST(ExactReplays, ALaunchThatIsNotInTheTraceIsAReplayAllTheSame) {
  Recorded r;
  r.row(2, 0, "a", 100);
  const EventId first = r.ran(2, 0, 600, 7);
  const EventId second = r.ran(2, 0, 700, 8);
  r.run();
  EXPECT_EQ(r.at(first).tier, Tier::Exact);
  EXPECT_NE(r.at(first).replay, r.at(second).replay);
  EXPECT_TRUE(r.result.replays[0].launch.is_none());
}

TEST(ExactReplays, EventsWithoutACorrelationBelongToTheReplayBeforeThem) {
  Recorded r;
  r.row(2, 0, "a", 100);
  r.row(2, 1, "body", 110);
  r.launch(500, 1);
  r.launch(501, 2);
  r.ran(2, 0, 600, 1);
  const EventId body = r.ran(2, 1, 610, 0);
  const EventId again = r.ran(2, 1, 615, 0);  // a loop
  r.ran(2, 0, 700, 2);
  r.run();
  EXPECT_EQ(r.result.replays.size(), 2U);
  EXPECT_EQ(r.at(body).replay, ReplayId(0));
  EXPECT_EQ(r.at(again).replay, ReplayId(0));
  EXPECT_EQ(r.op_of(again), "body");
  EXPECT_EQ(r.result.replays[1].unseen_nodes, 1U);
}

TEST(ExactReplays, WithoutAnyCorrelationARepeatedNodeBeginsAReplay) {
  Recorded r;
  r.row(2, 0, "a", 100);
  r.row(2, 1, "b", 110);
  for (const std::int64_t start : {600, 700}) {
    r.ran(2, 0, start, 0);
    r.ran(2, 1, start + 10, 0);
  }
  r.run();
  ASSERT_EQ(r.result.replays.size(), 2U);
  EXPECT_EQ(r.result.replays[1].events.size(), 2U);
}

TEST(ExactReplays, AnUpdateHoldsForWhatIsLaunchedAfterIt) {
  Recorded r;
  r.row(2, 0, "old", 100, 200);
  r.row(2, 0, "new", 550, 560);
  r.launch(500, 1);
  r.launch(570, 2);
  const EventId before = r.ran(2, 0, 900, 1);  // launched before the update, run after it
  const EventId after = r.ran(2, 0, 950, 2);
  r.run();
  EXPECT_EQ(r.op_of(before), "old");
  EXPECT_EQ(r.op_of(after), "new");
  ASSERT_EQ(r.result.plans.size(), 1U);
  EXPECT_EQ(r.result.plans[0].nodes.size(), 2U);
  EXPECT_EQ(r.at(after).node, 1U);
  EXPECT_EQ(r.result.replays[0].unseen_nodes, 0U);
}

TEST(ExactReplays, ANodeWithoutARowIsUnattributed) {
  Recorded r;
  r.row(2, 0, "a", 100);
  r.row(2, 1, "unseen", 0).origin = 0;
  r.launch(500, 1);
  const EventId known = r.ran(2, 0, 600, 1);
  const EventId unseen = r.ran(2, 1, 610, 1);
  const EventId foreign = r.ran(9, 0, 620, 1);
  r.run();
  EXPECT_EQ(r.at(known).tier, Tier::Exact);
  for (const EventId event : {unseen, foreign}) {
    EXPECT_EQ(r.at(event).tier, Tier::Unattributed);
    EXPECT_EQ(r.at(event).reason, Reason::NoCaptureTrace);
    EXPECT_EQ(r.at(event).phase, Phase::Replay);
    EXPECT_TRUE(r.result.replays[r.at(event).replay.index()].plan.is_none());
  }
  EXPECT_EQ(r.result.diagnostics.times(Issue::NoCaptureTrace), 2U);
  EXPECT_EQ(r.result.plans[0].nodes.size(), 1U);
}

TEST(ExactReplays, WhatEnclosesTheCaptureStandsInForAMissingOperator) {
  Recorded r;
  const SpanId op = r.b.op("aten::mm", 90, 20);
  r.row(2, 0, "", 100);
  r.row(2, 1, "", 300);
  r.launch(500, 1);
  const EventId inside = r.ran(2, 0, 600, 1);
  const EventId outside = r.ran(2, 1, 610, 1);
  r.run();
  EXPECT_EQ(r.op_of(inside), "aten::mm");
  EXPECT_EQ(r.result.plans[0].nodes[0].op, op);
  EXPECT_EQ(r.at(outside).tier, Tier::Unattributed);
  EXPECT_EQ(r.at(outside).reason, Reason::NoEnclosingOp);
  EXPECT_EQ(r.at(outside).node, 1U);
}

TEST(ExactReplays, AKernelOutsideOfOperatorsThatHasAPlainNameIsOne) {
  Recorded r;
  r.row(2, 0, "", 100);
  r.row(2, 1, "", 210);
  r.b.call("cudaLaunchKernel", 200, 0);  // compiled in: some library's kernel
  r.launch(500, 1);
  const EventId jit = r.ran(2, 0, 600, 1, "triton_poi_fused_0");
  const EventId library = r.ran(2, 1, 610, 1, "cutlass_kernel");
  r.run();
  EXPECT_EQ(r.op_of(jit), "triton_poi_fused_0");
  EXPECT_EQ(r.at(jit).tier, Tier::Exact);
  EXPECT_EQ(r.at(library).reason, Reason::NoEnclosingOp);
}

TEST(ExactReplays, OrdinaryLaunchesStayDirect) {
  Recorded r;
  r.row(2, 0, "a", 100);
  r.b.op("aten::add", 490, 50);
  r.b.call("cudaLaunchKernel", 500, 1);
  const EventId event = r.b.kernel("add", 600, 1);
  r.run();
  EXPECT_EQ(r.at(event).tier, Tier::Direct);
  EXPECT_EQ(r.op_of(event), "aten::add");
}

TEST(ExactReplays, PlansComeFromTheNodesAndPhasesFromTheWindows) {
  Recorded r;
  r.b.op("aten::mm", 10, 8);  // warm-up
  r.b.call("cudaLaunchKernel", 12, 1);
  r.b.kernel("gemm", 30, 1);
  r.b.call("cudaStreamBeginCapture", 99, 2);
  const SpanId captured = r.b.op("aten::mm", 100, 8);
  r.b.call("cudaLaunchKernel", 101, 3);
  r.b.call("cudaStreamEndCapture", 120, 4);
  r.b.annotation("capture_8_FULL", 5, 200);
  r.row(2, 0, "aten::mm", 102);
  r.b.call("cudaStreamBeginCapture", 300, 5);  // thrown away
  const SpanId thrown = r.b.op("aten::mm", 310, 8);
  r.b.call("cudaStreamEndCapture", 320, 6);
  r.launch(500, 7);
  r.ran(2, 0, 600, 7, "gemm");
  r.run();
  ASSERT_EQ(r.result.plans.size(), 1U);
  const Plan& plan = r.result.plans[0];
  EXPECT_EQ(plan.label, "capture_8_FULL");
  EXPECT_EQ(plan.batch_size, 8);
  EXPECT_EQ(plan.nodes[0].op, captured);
  ASSERT_EQ(plan.nodes[0].expected.size(), 1U);  // learned from the warm-up
  const TraceAttribution& trace = r.result.traces[0];
  EXPECT_EQ(trace.span_phase[0], Phase::Warmup);
  EXPECT_EQ(trace.span_phase[captured.index()], Phase::Capture);
  EXPECT_EQ(trace.span_plan[captured.index()], PlanId(0));
  EXPECT_EQ(trace.span_phase[thrown.index()], Phase::Capture);
  EXPECT_TRUE(trace.span_plan[thrown.index()].is_none());
  EXPECT_EQ(r.result.diagnostics.times(Issue::NoWarmup), 0U);
}

TEST(ExactReplays, TheOrderOfRowsDoesNotShow) {
  const auto replays = [](bool reversed) {
    Recorded r;
    r.row(2, 0, "a", 100);
    r.row(2, 1, "b", 110);
    r.launch(500, 1);
    r.launch(510, 2);
    r.ran(2, 0, 600, 1);
    r.ran(2, 1, 600, 1);
    r.ran(2, 1, 700, 2);
    r.ran(2, 0, 700, 2);
    if (reversed) {
      std::reverse(r.b.current().device_events.begin(), r.b.current().device_events.end());
    }
    r.run();
    std::string text;
    for (const Replay& replay : r.result.replays) {
      for (const EventId event : replay.events) {
        text += r.op_of(event) + " ";
      }
    }
    return text;
  };
  EXPECT_EQ(replays(false), "a b a b ");
  EXPECT_EQ(replays(true), replays(false));
}

TEST(ExactReplays, GraphLaunchEventsThatNameNoNodeAreKept) {
  Recorded r;
  r.row(2, 0, "a", 100);
  r.launch(500, 1);
  const EventId unnamed = r.b.kernel("memset_kernel", 600, 1);
  r.run();
  EXPECT_EQ(r.at(unnamed).tier, Tier::Unattributed);
  EXPECT_EQ(r.at(unnamed).phase, Phase::Replay);
  EXPECT_EQ(r.at(unnamed).reason, Reason::NoCaptureTrace);
}

}  // namespace
}  // namespace opcensus

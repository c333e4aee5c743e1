// SPDX-License-Identifier: Apache-2.0
//
// Attribution by scenario: each test is a small run of a server, and what must be found in it.
#include "src/attribute/attribute.h"

#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "tests/support/model_builder.h"

namespace opcensus {
namespace {

using testing::ModelBuilder;

/// A graph of launches in order: operator, shapes, kernel it runs, grid, stream at replay.
struct Launch {
  std::string op;
  std::string shapes;
  std::string kernel;
  std::uint32_t grid = 1;
  std::int64_t stream = 7;
};

/// Writes captures and replays of lists of launches at advancing times.
class Server {
 public:
  Server() { b.trace("capture.json"); }

  void eager(const std::vector<Launch>& launches) {
    for (const Launch& launch : launches) {
      b.op(launch.op, now_, 8, launch.shapes);
      b.call("cudaLaunchKernel", now_ + 1, ++correlation_);
      b.kernel(launch.kernel, now_ + 1000, correlation_, launch.stream, launch.grid);
      now_ += 10;
    }
  }

  void capture(const std::string& label, const std::vector<Launch>& launches, int warmups) {
    const std::int64_t start = now_++;
    for (int i = 0; i < warmups; ++i) {
      eager(launches);
    }
    b.call("cudaStreamBeginCapture", now_++, ++correlation_);
    for (const Launch& launch : launches) {
      b.op(launch.op, now_, 8, launch.shapes);
      b.call("cudaLaunchKernel", now_ + 1, ++correlation_);
      now_ += 10;
    }
    b.call("cudaStreamEndCapture", now_++, ++correlation_);
    if (!label.empty()) {
      b.annotation(label, start, now_ - start);
    }
    now_ += 10;
  }

  void runtime() { b.trace("runtime.json"); }

  /// One graph launch; the device events come in the order of `launches`.
  std::vector<EventId> replay(const std::string& step, const std::vector<Launch>& launches) {
    const std::int64_t start = now_++;
    b.call("cudaGraphLaunch", now_, ++correlation_);
    std::vector<EventId> events;
    for (const Launch& launch : launches) {
      now_ += 10;
      events.push_back(
          b.kernel(launch.kernel, now_ + 2000, correlation_, launch.stream, launch.grid));
    }
    if (!step.empty()) {
      b.annotation(step, start, 5);
    }
    now_ += 10;
    return events;
  }

  Attribution run() { return attribute(b.model()); }

  /// "operator shapes" of one event of the last trace; "tier reason" if it has none.
  std::string found(const Attribution& result, EventId event) {
    const EventAttribution& row = result.traces.back().events[event.index()];
    if (row.signature.is_none()) {
      return "unattributed " + std::to_string(static_cast<int>(row.reason));
    }
    const Signature& signature = b.model().signatures[row.signature];
    return std::string(b.model().strings.view(signature.operator_name)) + " " +
           std::string(b.model().strings.view(signature.input_shapes));
  }

  ModelBuilder b;

 private:
  std::int64_t now_ = 0;
  std::uint64_t correlation_ = 0;
};

std::vector<Launch> decoder(const std::string& batch, std::uint32_t grid) {
  return {{"aten::embedding", "[[" + batch + "]]", "gather", grid},
          {"aten::mm", "[[" + batch + ",64]]", "gemm", grid},
          {"aten::add", "[[" + batch + ",64],[1]]", "elementwise", grid},
          {"aten::mm", "[[" + batch + ",128]]", "gemm", grid + 100}};
}

std::string reason(Reason value) {
  return "unattributed " + std::to_string(static_cast<int>(value));
}

TEST(Attribute, AGraphRecordedAsAWholeHasNoOperatorAndSaysWhy) {
  Server s;
  s.runtime();
  s.b.call("cudaGraphLaunch", 10, 900);
  const EventId graph = s.b.event(DeviceEventKind::Graph, "CUDA graph 3", 20, 900);
  const Attribution result = s.run();
  EXPECT_EQ(s.found(result, graph), reason(Reason::WholeGraph));
  EXPECT_EQ(result.traces.back().events[graph.index()].phase, Phase::Replay);
  EXPECT_TRUE(result.replays.empty());  // nothing in it to give to a captured graph
}

TEST(Attribute, WhatTheProfilerItselfSaysOfAKernelIsTheLastResort) {
  Server s;
  s.runtime();
  s.b.op("aten::mm", 100, 10, "[[8,8]]");
  s.b.call("aclrtLaunchKernel", 101, 1);
  const EventId in_operator = s.b.kernel("MatMul_1", 1000, 1);
  const EventId alone = s.b.kernel("MatMul_2", 2000, 2);
  s.b.call("cudaGraphLaunch", 200, 3);
  const EventId replayed = s.b.kernel("MatMul_3", 3000, 3);
  const SignatureId recorded = s.b.signature("MatMulV2", "[[8,16]]", "[\"FLOAT\"]");
  for (DeviceEvent& event : s.b.current().device_events) {
    event.recorded = recorded;
  }
  const Attribution result = s.run();
  const auto& events = result.traces.back().events;
  EXPECT_EQ(s.found(result, in_operator), "aten::mm [[8,8]]");
  EXPECT_EQ(s.found(result, alone), "MatMulV2 [[8,16]]");
  EXPECT_EQ(events[alone.index()].tier, Tier::Direct);
  EXPECT_EQ(s.found(result, replayed), "MatMulV2 [[8,16]]");
  EXPECT_EQ(events[replayed.index()].tier, Tier::Exact);
}

TEST(Attribute, DirectLaunchGetsItsInnermostOperator) {
  Server s;
  s.b.op("aten::linear", 0, 100, "[[1]]");
  s.b.op("aten::mm", 10, 50, "[[2]]");
  s.b.call("cudaLaunchKernel", 20, 7);
  const EventId event = s.b.kernel("gemm", 500, 7);
  const Attribution result = s.run();
  EXPECT_EQ(s.found(result, event), "aten::mm [[2]]");
  EXPECT_EQ(result.traces[0].events[event.index()].tier, Tier::Direct);
  EXPECT_EQ(result.traces[0].events[event.index()].phase, Phase::Eager);
}

TEST(Attribute, AnExternalIdThatIsTheCorrelationIsNoProof) {
  Server s;
  s.b.op("aten::mm", 0, 10, "[[2]]", 7);  // its id happens to be the correlation of a later launch
  s.b.call("cudaLaunchKernel", 50, 7);
  const EventId event = s.b.kernel("gemm", 500, 7);
  s.b.current().device_events[event.index()].external_id = 7;
  EXPECT_EQ(s.found(s.run(), event), reason(Reason::NoEnclosingOp));
}

TEST(Attribute, AnExternalIdLinksWhereTheLaunchIsMissing) {
  Server s;
  s.b.op("aten::mm", 0, 10, "[[2]]", 33);
  const EventId event = s.b.kernel("gemm", 500, 7);
  s.b.current().device_events[event.index()].external_id = 33;
  EXPECT_EQ(s.found(s.run(), event), "aten::mm [[2]]");
}

TEST(Attribute, CorrelationZeroJoinsNothing) {
  Server s;
  s.b.op("aten::mm", 0, 10, "[[2]]");
  s.b.call("cudaLaunchKernel", 5, 0);
  const EventId event = s.b.kernel("gemm", 500, 0);
  EXPECT_EQ(s.found(s.run(), event), reason(Reason::NoLaunch));
}

TEST(Attribute, EqualCorrelationsOfTwoProcessesAreAmbiguous) {
  Server s;
  s.b.op("aten::mm", 0, 10, "[[2]]");
  s.b.call("cudaLaunchKernel", 5, 9);
  s.b.thread("2", "2");
  s.b.op("aten::add", 0, 10, "[[2]]");
  s.b.call("cudaLaunchKernel", 5, 9);
  const EventId event = s.b.kernel("gemm", 500, 9);
  EXPECT_EQ(s.found(s.run(), event), reason(Reason::AmbiguousCorrelation));
}

TEST(Attribute, ReplaysOfSeveralSizesAreToldApartByTheirKernels) {
  Server s;
  s.capture("capture_8_FULL", decoder("8", 8), 2);
  s.capture("capture_4_FULL", decoder("4", 4), 2);
  s.runtime();
  const auto four = s.replay("", decoder("4", 4));
  const auto eight = s.replay("", decoder("8", 8));
  const Attribution result = s.run();
  EXPECT_EQ(s.found(result, four[1]), "aten::mm [[4,64]]");
  EXPECT_EQ(s.found(result, eight[3]), "aten::mm [[8,128]]");
  EXPECT_EQ(result.replays[0].plan, PlanId(1));
  EXPECT_EQ(result.replays[1].plan, PlanId(0));
  EXPECT_EQ(result.replays[0].tier, Tier::Aligned);
}

TEST(Attribute, PhasesAreApart) {
  Server s;
  s.capture("capture_8_FULL", decoder("8", 8), 2);
  s.runtime();
  s.eager(decoder("8", 8));
  const Attribution result = s.run();
  int warmup = 0;
  int capture = 0;
  for (std::size_t i = 0; i < s.b.model().traces[0].host_spans.size(); ++i) {
    const bool is_op = s.b.model().traces[0].host_spans[i].kind == HostSpanKind::Operator;
    warmup += is_op && result.traces[0].span_phase[i] == Phase::Warmup ? 1 : 0;
    capture += is_op && result.traces[0].span_phase[i] == Phase::Capture ? 1 : 0;
  }
  EXPECT_EQ(warmup, 8);
  EXPECT_EQ(capture, 4);
  EXPECT_EQ(result.traces[0].events[0].phase, Phase::Warmup);
  EXPECT_EQ(result.traces[1].events[0].phase, Phase::Eager);
}

TEST(Attribute, WarmupInAFileThatAlsoServesIsFoundByItsSequence) {
  Server s;  // one file, no annotations: warm-up, capture, replay, eager work
  s.capture("", decoder("8", 8), 1);
  const auto replayed = s.replay("", decoder("8", 8));
  s.eager({{"aten::other", "[[1]]", "other"}});
  const Attribution result = s.run();
  EXPECT_EQ(result.traces[0].events[0].phase, Phase::Warmup);
  EXPECT_EQ(result.traces[0].events[replayed[0].index()].phase, Phase::Replay);
  EXPECT_EQ(result.traces[0].events.back().phase, Phase::Eager);
}

TEST(Attribute, WithoutWarmupTheStepDecides) {
  Server s;
  s.capture("capture_8_FULL", decoder("8", 8), 0);
  s.capture("capture_4_FULL", decoder("4", 4), 0);
  s.runtime();
  const auto padded = s.replay("execute_context_0(0)_generation_3(3)", decoder("4", 4));
  const Attribution result = s.run();
  EXPECT_EQ(s.found(result, padded[1]), "aten::mm [[4,64]]");
}

TEST(Attribute, WithoutWarmupAndStepTheShapeIsAmbiguousNeverWrong) {
  Server s;
  s.capture("capture_8_FULL", decoder("8", 8), 0);
  s.capture("capture_4_FULL", decoder("4", 4), 0);
  s.runtime();
  const auto events = s.replay("", decoder("4", 4));
  const Attribution result = s.run();
  EXPECT_EQ(s.found(result, events[1]), "aten::mm ");
  EXPECT_EQ(result.traces[1].events[events[1].index()].reason, Reason::ShapeAmbiguous);
  EXPECT_TRUE(result.replays[0].plan.is_none());
  EXPECT_EQ(result.diagnostics.times(Issue::ReplayAmbiguous), 1U);
}

TEST(Attribute, AStepLargerThanEveryGraphIsNotGivenOneByCountAlone) {
  Server s;
  s.capture("capture_4_FULL", decoder("4", 4), 0);
  s.runtime();
  const auto events = s.replay("execute_context_0(0)_generation_16(16)", decoder("16", 16));
  EXPECT_EQ(s.found(s.run(), events[0]), reason(Reason::PlanMismatch));
}

TEST(Attribute, AWrongKernelRefusesTheWholeReplay) {
  Server s;
  s.capture("capture_8_FULL", decoder("8", 8), 1);
  s.runtime();
  auto launches = decoder("8", 8);
  launches[2].kernel = "something_else";
  const auto events = s.replay("", launches);
  const Attribution result = s.run();
  for (const EventId event : events) {
    EXPECT_EQ(s.found(result, event), reason(Reason::PlanMismatch));
  }
  EXPECT_EQ(result.diagnostics.times(Issue::ReplayMismatch), 1U);
}

TEST(Attribute, WithoutACaptureTraceTheReasonSaysSo) {
  Server s;
  const auto events = s.replay("", decoder("8", 8));
  const Attribution result = s.run();
  EXPECT_EQ(s.found(result, events[0]), reason(Reason::NoCaptureTrace));
  EXPECT_EQ(result.diagnostics.times(Issue::NoCaptureTrace), 1U);
}

TEST(Attribute, OneUnseenNodeIsReportedNotShifted) {
  Server s;
  s.capture("capture_8_FULL", decoder("8", 8), 1);
  s.runtime();
  auto launches = decoder("8", 8);
  launches.erase(launches.begin() + 1);
  const auto events = s.replay("", launches);
  const Attribution result = s.run();
  EXPECT_EQ(s.found(result, events[0]), "aten::embedding [[8]]");
  EXPECT_EQ(s.found(result, events[1]), "aten::add [[8,64],[1]]");
  EXPECT_EQ(s.found(result, events[2]), "aten::mm [[8,128]]");
  EXPECT_EQ(result.replays[0].unseen_nodes, 1U);
}

TEST(Attribute, AnUnseenNodeWithoutKernelNamesIsRefused) {
  Server s;
  s.capture("capture_8_FULL", decoder("8", 8), 0);
  s.runtime();
  auto launches = decoder("8", 8);
  launches.erase(launches.begin() + 1);
  const auto events = s.replay("", launches);
  EXPECT_EQ(s.found(s.run(), events[0]), reason(Reason::PlanMismatch));
}

TEST(Attribute, StreamsInterleaveWithoutChangingTheResult) {
  std::vector<Launch> graph{{"aten::a", "[[1]]", "ka"},
                            {"aten::b", "[[1]]", "kb"},
                            {"aten::c", "[[1]]", "kc"},
                            {"aten::d", "[[1]]", "kd"}};
  Server s;
  s.capture("capture_1_FULL", graph, 1);
  s.runtime();
  graph[1].stream = 20;  // b and c run beside each other; c starts first
  std::swap(graph[1], graph[2]);
  const auto events = s.replay("", graph);
  const Attribution result = s.run();
  EXPECT_EQ(s.found(result, events[1]), "aten::c [[1]]");
  EXPECT_EQ(s.found(result, events[2]), "aten::b [[1]]");
}

TEST(Attribute, EqualKernelsOnTwoStreamsAreAmbiguousIfTheirOperatorsDiffer) {
  std::vector<Launch> graph{{"aten::a", "[[1]]", "ka"},
                            {"aten::b", "[[1]]", "same"},
                            {"aten::c", "[[2]]", "same"},
                            {"aten::d", "[[1]]", "kd"}};
  Server s;
  s.capture("capture_1_FULL", graph, 1);
  s.runtime();
  graph[1].stream = 20;
  const auto events = s.replay("", graph);
  const Attribution result = s.run();
  EXPECT_EQ(s.found(result, events[0]), "aten::a [[1]]");
  EXPECT_EQ(s.found(result, events[1]), reason(Reason::OrderAmbiguous));
  EXPECT_EQ(s.found(result, events[2]), reason(Reason::OrderAmbiguous));
}

TEST(Attribute, EqualKernelsOnOneStreamAreToldApartByTheirNeighbours) {
  std::vector<Launch> graph{{"aten::a", "[[1]]", "ka"},
                            {"aten::b", "[[1]]", "same"},
                            {"aten::x", "[[1]]", "kx"},
                            {"aten::c", "[[2]]", "same"},
                            {"aten::d", "[[1]]", "kd"},
                            {"aten::e", "[[1]]", "ke"}};
  Server s;
  s.capture("capture_1_FULL", graph, 1);
  s.runtime();
  graph[5].stream = 20;  // a second stream somewhere: order alone no longer counts
  const auto events = s.replay("", graph);
  const Attribution result = s.run();
  EXPECT_EQ(s.found(result, events[1]), "aten::b [[1]]");
  EXPECT_EQ(s.found(result, events[3]), "aten::c [[2]]");
}

TEST(Attribute, ARecapturedGraphIsTakenAsTheLatest) {
  Server s;
  s.capture("capture_8_FULL", decoder("8", 8), 1);
  s.capture("capture_8_FULL", decoder("8", 8), 1);
  s.runtime();
  s.replay("", decoder("8", 8));
  s.replay("", decoder("8", 8));
  const Attribution result = s.run();
  EXPECT_EQ(result.replays[0].plan, PlanId(1));
  EXPECT_EQ(result.replays[1].plan, PlanId(1));
  EXPECT_EQ(result.diagnostics.times(Issue::PlanNeverReplayed), 1U);
}

TEST(Attribute, PiecesOfOneStepAreTakenInCaptureOrder) {
  const std::vector<Launch> head{{"aten::embedding", "[[8]]", "gather"}};
  const std::vector<Launch> layer{{"aten::mm", "[[8]]", "gemm"},
                                  {"aten::add", "[[8]]", "elementwise"}};
  Server s;
  for (const auto* piece : {&head, &layer, &layer, &layer}) {
    s.capture("", *piece, 1);
  }
  s.b.annotation("capture_8_PIECEWISE", -1, 100000);
  s.runtime();
  for (int step = 0; step < 2; ++step) {
    for (const auto* piece : {&head, &layer, &layer, &layer}) {
      s.replay("", *piece);
    }
  }
  const Attribution result = s.run();
  ASSERT_EQ(result.replays.size(), 8U);
  for (std::size_t i = 0; i < 8; ++i) {
    EXPECT_EQ(result.replays[i].plan, PlanId(i % 4)) << i;
  }
  EXPECT_EQ(result.plans[2].batch_size, 8);
}

TEST(Attribute, NodeIdsGiveTheExactTier) {
  Server s;
  s.capture("capture_8_FULL", decoder("8", 8), 0);
  s.runtime();
  auto launches = decoder("8", 8);
  std::swap(launches[0], launches[3]);  // whatever order they ran in
  const auto events = s.replay("", launches);
  const std::vector<std::uint64_t> nodes{4, 2, 3, 1};
  for (std::size_t i = 0; i < events.size(); ++i) {
    s.b.current().device_events[events[i].index()].graph_node_id =
        (std::uint64_t{5} << 32U) | nodes[i];
  }
  const Attribution result = s.run();
  EXPECT_EQ(s.found(result, events[0]), "aten::mm [[8,128]]");
  EXPECT_EQ(s.found(result, events[3]), "aten::embedding [[8]]");
  EXPECT_EQ(result.replays[0].tier, Tier::Exact);
}

TEST(Attribute, AnAbortedCaptureIsNoPlan) {
  Server s;
  s.b.call("cudaStreamBeginCapture", 0, 1);
  s.b.op("aten::mm", 5, 8, "[[1]]");
  s.b.call("cudaLaunchKernel", 6, 2);
  const Attribution result = s.run();
  EXPECT_TRUE(result.plans.empty());
  EXPECT_EQ(result.diagnostics.times(Issue::CaptureAborted), 1U);
}

TEST(Attribute, ALaunchThatRanDuringACaptureIsNoNode) {
  Server s;
  s.b.call("cudaStreamBeginCapture", 0, 1);
  s.b.op("aten::mm", 5, 8, "[[1]]");
  s.b.call("cudaLaunchKernel", 6, 2);
  s.b.op("aten::copy_", 15, 8, "[[1]]");
  s.b.call("cudaLaunchKernel", 16, 3);
  const EventId ran = s.b.kernel("copy", 100, 3);
  s.b.call("cudaStreamEndCapture", 30, 4);
  const Attribution result = s.run();
  ASSERT_EQ(result.plans.size(), 1U);
  EXPECT_EQ(result.plans[0].nodes.size(), 1U);
  EXPECT_EQ(s.found(result, ran), "aten::copy_ [[1]]");
  EXPECT_EQ(result.traces[0].events[ran.index()].phase, Phase::Warmup);
}

TEST(Attribute, AMemsetNodeMayComeBackAsAKernel) {
  Server s;
  s.b.call("cudaStreamBeginCapture", 0, 1);
  s.b.op("aten::zero_", 5, 8, "[[1]]");
  s.b.call("cudaMemsetAsync", 6, 2);
  s.b.op("aten::mm", 15, 8, "[[1]]");
  s.b.call("cudaLaunchKernel", 16, 3);
  s.b.call("cudaStreamEndCapture", 30, 4);
  s.runtime();
  const auto events = s.replay("", {{"", "", "driver_memset"}, {"", "", "gemm"}});
  EXPECT_EQ(s.found(s.run(), events[0]), "aten::zero_ [[1]]");
}

TEST(Attribute, ATritonKernelLaunchedDirectlyIsItsOwnOperator) {
  Server s;
  s.b.call("cuLaunchKernelEx", 20, 7);
  const EventId triton = s.b.kernel("_scale_kernel", 500, 7);
  s.b.call("cuLaunchKernelEx", 30, 8);
  const EventId library = s.b.kernel("void cutlass::Kernel<Gemm>(Params)", 600, 8);
  s.b.call("cudaLaunchKernel", 40, 9);
  const EventId runtime = s.b.kernel("plain_kernel", 700, 9);
  const Attribution result = s.run();
  EXPECT_EQ(s.found(result, triton), "_scale_kernel ");
  EXPECT_EQ(s.found(result, library), reason(Reason::NoEnclosingOp));
  EXPECT_EQ(s.found(result, runtime), reason(Reason::NoEnclosingOp));
}

}  // namespace
}  // namespace opcensus

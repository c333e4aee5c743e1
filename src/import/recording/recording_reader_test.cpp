// SPDX-License-Identifier: Apache-2.0
#include "src/import/recording/recording_reader.h"

#include <gtest/gtest.h>

#include "src/import/recording/kernel_names.h"
#include "src/import/recording/recording_test_support.h"

#include "tests/support/recording_writer.h"

namespace opcensus::import {
namespace {

using opcensus::testing::node_id;
using opcensus::testing::RecordingWriter;
using opcensus::testing::small_run;
using testing::read_bytes;

std::string property(const Trace& trace, std::string_view name) {
  for (const TraceProperty& row : trace.properties) {
    if (row.name == name) {
      return row.value;
    }
  }
  return "not there";
}

TEST(ReadRecording, TakesWhatTheHeaderSays) {
  const auto reading = read_bytes(RecordingWriter(3).bytes());
  ASSERT_FALSE(reading.error);
  EXPECT_EQ(reading.trace().rank, 3);
  EXPECT_EQ(reading.trace().format, "opcensus_recording");
  EXPECT_EQ(reading.trace().path, "run.ocrec");
  EXPECT_EQ(reading.trace().bytes, sizeof(wire::FileHeader));
  EXPECT_TRUE(reading.trace().complete);
  EXPECT_EQ(property(reading.trace(), "cuda_driver_version"), "13000");
  EXPECT_EQ(read_bytes(RecordingWriter().bytes()).trace().rank, std::nullopt);
}

TEST(ReadRecording, SkipsHeaderFieldsThatItDoesNotKnow) {
  RecordingWriter w;
  w.header().header_bytes = sizeof(wire::FileHeader) + 24;
  w.property("torch_version", "2.11.0");
  const auto reading = read_bytes(w.bytes());
  ASSERT_FALSE(reading.error);
  EXPECT_EQ(property(reading.trace(), "torch_version"), "2.11.0");
}

TEST(ReadRecording, SpansAreOperatorsOrAnnotations) {
  RecordingWriter w;
  w.span(w.op("aten::mm", "[[8,64]]", R"(["float"])"), 100, 150, 5);
  w.span(w.annotation("step"), 90, 200, 6);
  const auto reading = read_bytes(w.bytes());
  ASSERT_EQ(reading.trace().host_spans.size(), 2U);
  const HostSpan& op = reading.trace().host_spans[0];
  EXPECT_EQ(op.kind, HostSpanKind::Operator);
  EXPECT_EQ(op.start, Nanoseconds(100));
  EXPECT_EQ(op.duration, Nanoseconds(50));
  EXPECT_EQ(reading.text(op.signature), "aten::mm [[8,64]]");
  EXPECT_EQ(reading.model.signatures[op.signature].metadata_status(),
            MetadataStatus::ShapeAndDtype);
  const HostSpan& step = reading.trace().host_spans[1];
  EXPECT_EQ(step.kind, HostSpanKind::Annotation);
  EXPECT_EQ(reading.text(step.signature), "step");
  EXPECT_NE(step.thread, op.thread);
  const Thread& thread = reading.trace().threads[op.thread.index()];
  EXPECT_EQ(reading.text(thread.process), "4242");
  EXPECT_EQ(reading.text(thread.thread), "5");
}

TEST(ReadRecording, AnOperatorWithoutInputsHasNone) {
  RecordingWriter w;
  w.span(w.op("aten::mm"), 100, 150);
  const auto reading = read_bytes(w.bytes());
  const SignatureId id = reading.trace().host_spans.at(0).signature;
  EXPECT_EQ(reading.model.signatures[id].metadata_status(), MetadataStatus::NoInputMetadata);
}

TEST(ReadRecording, AnOperatorKeepsItsStridesAndScalars) {
  RecordingWriter w;
  w.span(w.op_with_arguments("aten::add", "[[64,1],[]]", R"(["","1"])"), 100, 150);
  w.span(w.op("aten::mm"), 200, 250);
  const auto reading = read_bytes(w.bytes());
  const auto& spans = reading.trace().host_spans;
  ASSERT_EQ(spans.size(), 2U);
  const Arguments& arguments = reading.model.arguments[spans[0].arguments];
  EXPECT_EQ(reading.text(arguments.input_strides), "[[64,1],[]]");
  EXPECT_EQ(reading.text(arguments.concrete_inputs), R"(["","1"])");
  EXPECT_TRUE(spans[1].arguments.is_none());
}

TEST(ReadRecording, CallsHaveReadableNames) {
  RecordingWriter w;
  w.call(wire::CallKind::LaunchKernel, 1, 11);
  w.call(wire::CallKind::LaunchFunction, 2, 12);
  w.call(wire::CallKind::GraphLaunch, 3, 13);
  w.call(wire::CallKind::BeginCapture, 4, 14);
  w.call(wire::CallKind::Other, 5, 15);
  const auto reading = read_bytes(w.bytes());
  const auto& calls = reading.trace().api_calls;
  ASSERT_EQ(calls.size(), 5U);
  EXPECT_EQ(reading.text(calls[0].name), "cudaLaunchKernel");
  EXPECT_EQ(reading.text(calls[1].name), "cuLaunchKernel");
  EXPECT_EQ(reading.text(calls[2].name), "cudaGraphLaunch");
  EXPECT_EQ(calls[1].correlation, 12U);
  for (const ApiCall& call : calls) {
    EXPECT_EQ(call.kind, classify_api_call(reading.text(call.name)));
  }
}

TEST(ReadRecording, DeviceEventsKeepTheirNodeAndName) {
  RecordingWriter w;
  w.kernel("_Z4gemmPf", 100, 7, node_id(2, 3), 21);
  w.device(wire::DeviceKind::Memcpy, {}, 200, 230, 8);
  w.device(wire::DeviceKind::Memset, {}, 300, 301, 9);
  const auto reading = read_bytes(w.bytes());
  const auto& events = reading.trace().device_events;
  ASSERT_EQ(events.size(), 3U);
  EXPECT_EQ(reading.text(events[0].name), "gemm(float*)");
  EXPECT_EQ(events[0].graph_node_id, node_id(2, 3));
  EXPECT_EQ(events[0].correlation, 7U);
  EXPECT_EQ(reading.trace().streams[events[0].stream.index()].stream, 21);
  EXPECT_EQ(reading.model.dims[events[0].dims].grid[0], 8U);
  EXPECT_EQ(reading.text(events[1].name), "Memcpy");
  EXPECT_EQ(reading.text(events[2].name), "Memset");
  EXPECT_EQ(reading.trace().raw_device[1].events, 1U);
  EXPECT_EQ(reading.trace().raw_device[1].time, Nanoseconds(30));
}

TEST(ReadRecording, WholeGraphsAreDeviceEventsOfTheirOwnKind) {
  RecordingWriter w;
  w.device(wire::DeviceKind::WholeGraph, {}, 100, 200, 7, node_id(2, 0));
  const auto reading = read_bytes(w.bytes());
  ASSERT_EQ(reading.trace().device_events.size(), 1U);
  const DeviceEvent& event = reading.trace().device_events[0];
  EXPECT_EQ(event.kind, DeviceEventKind::Graph);
  EXPECT_EQ(event.graph_node_id, 0U);  // no node: the whole graph
  EXPECT_EQ(reading.text(event.name), "CUDA graph 2");
  EXPECT_EQ(reading.trace().raw_device[3].time, Nanoseconds(100));
  ASSERT_EQ(reading.trace().categories.size(), 1U);
  EXPECT_EQ(reading.trace().categories[0].category, "graph");
}

TEST(ReadRecording, SaysWhatItCannotTell) {
  RecordingWriter w;
  w.header().version = 1;
  w.kernel("gemm", 100, 7, node_id(2, 3), 21);
  EXPECT_EQ(read_bytes(w.bytes()).trace().cannot_tell.at(0),
            "operators: neither PyTorch's shim nor an annotation ran");
  w.span(w.op("aten::mm"), 100, 150);
  w.device(wire::DeviceKind::WholeGraph, {}, 100, 200, 7, node_id(2, 0));
  const auto reading = read_bytes(w.bytes());
  EXPECT_EQ(reading.trace().variant, "wire version 1");
  ASSERT_EQ(reading.trace().cannot_tell.size(), 2U);
  EXPECT_EQ(reading.trace().cannot_tell[0], "what ran inside graphs: --detail node records it");
}

TEST(ReadRecording, GraphNodesKnowWhereTheyWereCaptured) {
  RecordingWriter w;
  const std::uint32_t inner = w.op("aten::mm", "[[8]]");
  const std::uint32_t outer = w.op("aten::linear", "[[9]]");
  w.created(1, 0, w.annotation("scope"), 90);
  wire::NodeRecord node{};
  node.node = node_id(1, 1);
  node.time_ns = 100;
  node.op = inner;
  node.top_op = outer;
  node.kind = static_cast<std::uint16_t>(wire::NodeKind::Kernel);
  node.thread = 5;
  w.add(wire::ChunkType::Node, node);
  w.instantiate(2, 1, 2, 200);
  const auto reading = read_bytes(w.bytes());
  ASSERT_EQ(reading.trace().graph_nodes.size(), 2U);
  EXPECT_TRUE(reading.trace().graph_nodes[0].signature.is_none());  // an annotation is no operator
  const GraphNodeRow& row = reading.trace().graph_nodes[1];
  EXPECT_EQ(row.node, node_id(2, 1));
  EXPECT_EQ(row.origin, node_id(1, 1));
  EXPECT_EQ(row.captured_at, Nanoseconds(100));
  EXPECT_EQ(row.valid_from, Nanoseconds(200));
  EXPECT_EQ(reading.text(row.signature), "aten::mm [[8]]");
  EXPECT_EQ(reading.text(row.top_signature), "aten::linear [[9]]");
  EXPECT_EQ(reading.text(reading.trace().threads[row.thread.index()].thread), "5");
}

TEST(ReadRecording, TwoThreadsMayCaptureAtOnce) {
  RecordingWriter w;
  const std::uint32_t a = w.op("a");
  const std::uint32_t b = w.op("b");
  w.created(1, 0, a, 100, wire::NodeKind::Kernel, 5);
  w.created(2, 0, b, 101, wire::NodeKind::Kernel, 6);
  w.cloned(3, 1, 1, 200, 5);
  w.cloned(4, 2, 1, 201, 6);
  w.instantiated(3, 1, 202, 5);
  w.instantiated(4, 2, 203, 6);
  EXPECT_EQ(read_bytes(w.bytes()).graph_nodes(), "3:0 <- 1:0: a\n4:0 <- 2:0: b\n");
}

TEST(ReadRecording, LossIsCounted) {
  RecordingWriter w;
  w.loss(17, wire::LossCause::CuptiDropped);
  w.loss(3, wire::LossCause::BufferLimit);
  const auto reading = read_bytes(w.bytes());
  EXPECT_EQ(reading.trace().diagnostics.times(Issue::RecordsDropped), 20U);
  EXPECT_TRUE(reading.trace().diagnostics.has(Severity::DataLoss));
  EXPECT_EQ(reading.trace().diagnostics.samples(Issue::RecordsDropped).at(0).detail,
            "CUPTI's buffers were full, or it could not tell the times");
}

TEST(ReadRecording, PropertiesAreKept) {
  RecordingWriter w;
  w.property("torch_version", "2.11.0");
  w.property("world_size", "8");
  const auto reading = read_bytes(w.bytes());
  EXPECT_EQ(property(reading.trace(), "torch_version"), "2.11.0");
  EXPECT_EQ(reading.trace().world_size, 8);
}

TEST(ReadRecording, APropertyThatIsToldAgainReplacesTheFirst) {
  RecordingWriter w;
  w.property("operator_source", "nvtx");
  w.property("operator_source", "torch");
  const auto reading = read_bytes(w.bytes());
  EXPECT_EQ(property(reading.trace(), "operator_source"), "torch");
  EXPECT_EQ(reading.trace().diagnostics.times(Issue::RangesAsOperators), 0U);
}

TEST(ReadRecording, RangesThatStandForOperatorsAreTold) {
  RecordingWriter w;
  w.property("operator_source", "nvtx");
  EXPECT_EQ(read_bytes(w.bytes()).trace().diagnostics.times(Issue::RangesAsOperators), 1U);
}

TEST(ReadRecording, ADevicesNameIsItsOwnAndNoProperty) {
  RecordingWriter w;
  w.property("device.1.name", "NVIDIA H200");
  w.property("device.1.multiprocessors", "132");
  w.property("device.x.name", "odd");
  const auto reading = read_bytes(w.bytes());
  ASSERT_EQ(reading.trace().devices.size(), 1U);
  EXPECT_EQ(reading.trace().devices[0].id, 1);
  EXPECT_EQ(reading.trace().devices[0].name, "NVIDIA H200");
  EXPECT_EQ(property(reading.trace(), "device.1.name"), "not there");
  EXPECT_EQ(property(reading.trace(), "device.1.multiprocessors"), "132");
  EXPECT_EQ(property(reading.trace(), "device.x.name"), "odd");
}

TEST(ReadRecording, ANodeKnowsTheKernelThatWasCaptured) {
  RecordingWriter w;
  const std::uint32_t op = w.op("aten::mm", "[[8,64]]", "");
  w.created(1, 0, op, 100);
  w.created(1, 1, op, 101);
  w.node_name(opcensus::testing::node_id(1, 0), "_Z4gemmPf");
  w.instantiate(2, 1, 2, 200);
  const auto reading = read_bytes(w.bytes());
  ASSERT_EQ(reading.trace().graph_nodes.size(), 2U);
  EXPECT_EQ(reading.model.strings.view(reading.trace().graph_nodes[0].kernel), "gemm(float*)");
  EXPECT_TRUE(reading.trace().graph_nodes[1].kernel.is_none());
}

TEST(ReadRecording, OddTimesAreCounted) {
  RecordingWriter w;
  w.device(wire::DeviceKind::Kernel, "k", 200, 100, 1);
  w.device(wire::DeviceKind::Kernel, "k", std::uint64_t{1} << 63U, std::uint64_t{1} << 63U, 2);
  const auto reading = read_bytes(w.bytes());
  ASSERT_EQ(reading.trace().device_events.size(), 1U);
  EXPECT_EQ(reading.trace().device_events[0].duration, Nanoseconds());
  EXPECT_EQ(reading.trace().raw_device[0].events, 1U);
  EXPECT_EQ(reading.trace().diagnostics.times(Issue::NegativeDuration), 1U);
  EXPECT_EQ(reading.trace().diagnostics.times(Issue::TimeOutOfRange), 1U);
}

TEST(ReadRecording, TheSizeOfReadsDoesNotShow) {
  const std::string bytes = small_run();
  const auto whole = read_bytes(bytes);
  const auto dribble = read_bytes(bytes, {}, 1);
  ASSERT_FALSE(whole.error);
  EXPECT_EQ(whole.graph_nodes(), dribble.graph_nodes());
  EXPECT_EQ(whole.trace().device_events.size(), dribble.trace().device_events.size());
  EXPECT_EQ(whole.trace().bytes, bytes.size());
}

TEST(ReadableKernelName, LeavesAloneWhatIsNotMangled) {
  EXPECT_EQ(readable_kernel_name("_Z4gemmPf"), "gemm(float*)");
  EXPECT_EQ(readable_kernel_name("triton_poi_fused_0"), "triton_poi_fused_0");
  EXPECT_EQ(readable_kernel_name("_Znonsense"), "_Znonsense");
  EXPECT_EQ(readable_kernel_name(std::string_view("_Z4gemmPf\0x", 11)),
            std::string_view("_Z4gemmPf\0x", 11));
}

}  // namespace
}  // namespace opcensus::import

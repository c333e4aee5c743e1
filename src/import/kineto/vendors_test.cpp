// SPDX-License-Identifier: Apache-2.0
//
// The accelerators whose profilers write Kineto's JSON, each by the spellings of its own.
#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>

#include "src/import/kineto/category_table.h"
#include "src/import/kineto/kineto_test_support.h"

namespace opcensus::import {
namespace {

using testing::read_in_chunks;
using testing::read_text;
using testing::Reading;
using testing::ReadingText;

/// A complete event; `args` without the brackets.
std::string row(std::string_view category,
                std::string_view name,
                std::string_view pid_tid,
                std::string_view times,
                std::string_view args) {
  const std::size_t space = pid_tid.find(' ');
  const std::size_t plus = times.find('+');
  return R"({"ph":"X","cat":")" + std::string(category) + R"(","name":")" + std::string(name) +
         R"(","pid":)" + std::string(pid_tid.substr(0, space)) +
         ",\"tid\":" + std::string(pid_tid.substr(space + 1)) +
         ",\"ts\":" + std::string(times.substr(0, plus)) +
         ",\"dur\":" + std::string(times.substr(plus + 1)) + ",\"args\":{" + std::string(args) +
         "}}";
}

std::string flow(std::string_view phase,
                 std::string_view id,
                 std::string_view pid_tid,
                 std::string_view ts) {
  const std::size_t space = pid_tid.find(' ');
  return R"({"ph":")" + std::string(phase) + R"(","id":)" + std::string(id) +
         ",\"pid\":" + std::string(pid_tid.substr(0, space)) +
         ",\"tid\":" + std::string(pid_tid.substr(space + 1)) + ",\"ts\":" + std::string(ts) +
         R"(,"cat":"ac2g","name":"ac2g"})";
}

std::string file_of(const std::vector<std::string>& events, std::string_view header = "") {
  std::string text = "{" + std::string(header) + "\"traceEvents\":[";
  for (const std::string& event : events) {
    text += (text.back() == '[' ? "" : ",") + event;
  }
  return text + "]}";
}

Reading read(const std::vector<std::string>& events, std::string_view header = "") {
  Reading reading = read_text(file_of(events, header));
  EXPECT_FALSE(reading.error);
  return reading;
}

const std::string kOperator =
    row("cpu_op",
        "aten::mm",
        "1 2",
        "10+20",
        R"("External id":4,"Record function id":2011,"Input Dims":[[2,3]],"Input type":["float"])");

std::string_view name_of(const Reading& reading, const GraphNodeRow& node) {
  return reading.text(reading.model.signatures[node.signature].operator_name);
}

std::string_view shapes_of(const Reading& reading, const GraphNodeRow& node) {
  const StringId shapes = reading.model.signatures[node.signature].input_shapes;
  return shapes.is_none() ? "-" : reading.text(shapes);
}

TEST(Vendors, IntelQueuesAreStreams) {
  const Reading reading =
      read({kOperator,
            row("xpu_runtime", "urEnqueueKernelLaunch", "1 2", "12+2", R"("correlation":5)"),
            row("kernel",
                "gemm",
                "0 77",
                "20+3",
                R"("device":0,"context":"0x1","sycl queue":3,"l0 queue":"0x2","correlation":5)"),
            row("gpu_memcpy",
                "H2D",
                "0 9",
                "30+1",
                R"("device":0,"sycl queue":"0xff","correlation":6)")});
  const Trace& trace = reading.trace();
  EXPECT_EQ(trace.variant, "Intel XPU");
  EXPECT_EQ(trace.device_type, "XPU");
  ASSERT_EQ(trace.device_events.size(), 2U);
  EXPECT_EQ(trace.streams[trace.device_events[0].stream.index()].stream, 3);
  EXPECT_EQ(trace.streams[trace.device_events[1].stream.index()].stream, 9);  // by its row
  EXPECT_EQ(trace.api_calls.at(0).kind, ApiCallKind::LaunchKernel);
  EXPECT_EQ(trace.cannot_tell, (std::vector<std::string>{"grid and block of kernels"}));
}

TEST(Vendors, MooreThreadsKeepsTheCategoriesOfCuda) {
  const Reading reading =
      read({kOperator,
            row("cuda_runtime", "musaGraphLaunch", "1 2", "12+2", R"("correlation":5)"),
            row("kernel",
                "gemm",
                "0 7",
                "20+3",
                R"("stream":7,"correlation":5,"grid":[4,1,1],"block":[64,1,1])")});
  EXPECT_EQ(reading.trace().variant, "Moore Threads MUSA");
  EXPECT_EQ(reading.trace().device_type, "MUSA");
  EXPECT_EQ(reading.trace().api_calls.at(0).kind, ApiCallKind::GraphLaunch);
  EXPECT_TRUE(reading.trace().cannot_tell.empty());
}

/// A replay of two nodes; the operator of one is in the trace.
std::vector<std::string> mlu_replay(std::string_view separator) {
  const std::string s(separator);
  const auto node = [&s](std::string_view number, std::string_view id, std::string_view op) {
    return R"("stream":7,"correlation":6,"tasktopo":3,"tasktopo)" + s +
           "node\":" + std::string(number) + ",\"tasktopo" + s + "external" + s +
           "id\":" + std::string(id) + ",\"tasktopo" + s + "external" + s + "op\":\"" +
           std::string(op) + "\"";
  };
  return {kOperator,
          row("mlu_runtime", "cnTaskTopoEntityInvoke", "1 2", "50+2", R"("correlation":6)"),
          row("kernel", "Matmul", "0 7", "60+3", node("94081522000009", "4", "aten::mm")),
          row("kernel", "Gelu", "0 7", "70+3", node("94081522000001", "77", "aten::gelu")),
          row("kernel", "Matmul", "0 7", "80+3", node("94081522000009", "4", "aten::mm")),
          row("kernel",
              "Eager",
              "0 7",
              "90+3",
              R"("stream":7,"correlation":8,"tasktopo":0,"tasktopo)" + s + R"(node":0)")};
}

TEST(Vendors, CambriconKernelsNameTheOperatorOfTheirNode) {
  for (const std::string_view separator : {"_", " "}) {
    const Reading reading = read(mlu_replay(separator));
    const Trace& trace = reading.trace();
    EXPECT_EQ(trace.variant, "Cambricon MLU");
    EXPECT_EQ(trace.device_type, "MLU");
    ASSERT_EQ(trace.graph_nodes.size(), 2U);
    const std::uint64_t graph = std::uint64_t{1} << 32U;
    EXPECT_EQ(trace.graph_nodes[0].node, graph | 1U);
    EXPECT_EQ(trace.graph_nodes[0].origin, graph | 1U);
    EXPECT_EQ(name_of(reading, trace.graph_nodes[0]), "aten::mm");
    EXPECT_EQ(shapes_of(reading, trace.graph_nodes[0]), "[[2,3]]");
    EXPECT_EQ(trace.graph_nodes[0].captured_at, trace.host_spans[0].start);
    EXPECT_EQ(trace.graph_nodes[0].thread, trace.host_spans[0].thread);
    EXPECT_EQ(name_of(reading, trace.graph_nodes[1]), "aten::gelu");
    EXPECT_EQ(shapes_of(reading, trace.graph_nodes[1]), "-");
    EXPECT_TRUE(trace.graph_nodes[1].thread.is_none());
    EXPECT_EQ(trace.device_events.at(0).graph_node_id, graph | 1U);
    EXPECT_EQ(trace.device_events.at(1).graph_node_id, graph | 2U);
    EXPECT_EQ(trace.device_events.at(2).graph_node_id, graph | 1U);
    EXPECT_EQ(trace.device_events.at(3).graph_node_id, 0U);
  }
}

TEST(Vendors, AnIdThatAnotherOperatorHasNowNamesNone) {
  std::vector<std::string> events = mlu_replay("_");
  events[0] = row("cpu_op", "aten::add", "1 2", "10+20", R"("External id":4,"Input Dims":[[9]])");
  const Reading reading = read(events);
  ASSERT_EQ(reading.trace().graph_nodes.size(), 2U);
  EXPECT_EQ(name_of(reading, reading.trace().graph_nodes[0]), "aten::mm");
  EXPECT_EQ(shapes_of(reading, reading.trace().graph_nodes[0]), "-");
}

TEST(Vendors, ANodeNumberThatIsUsedAgainIsAnotherNode) {
  const auto node = [](std::string_view op) {
    return R"("correlation":6,"tasktopo":3,"tasktopo_node":5,"tasktopo_external_id":9,)"
           R"("tasktopo_external_op":")" +
           std::string(op) + "\"";
  };
  const Reading reading = read({row("kernel", "a", "0 7", "60+3", node("aten::mm")),
                                row("kernel", "b", "0 7", "70+3", node("aten::add"))});
  ASSERT_EQ(reading.trace().graph_nodes.size(), 2U);
  EXPECT_NE(reading.trace().device_events[0].graph_node_id,
            reading.trace().device_events[1].graph_node_id);
}

TEST(Vendors, CambriconDimsAreTheGrid) {
  const Reading reading =
      read({row("kernel", "a", "0 7", "60+3", R"("dimx":4,"dimy":2,"dimz":1)"),
            row("kernel", "b", "0 7", "70+3", R"("extra":{"kernel_type":"Union1","dimx":8,"x":[1],
                "dimy":1,"dimz":-1},"correlation":3)"),
            row("kernel", "c", "0 7", "80+3", R"("extra":"none","correlation":4)")});
  const auto grid_of = [&reading](std::size_t event) {
    return reading.model.dims[reading.trace().device_events.at(event).dims].grid;
  };
  EXPECT_EQ(grid_of(0), (std::array<std::uint32_t, 3>{4, 2, 1}));
  EXPECT_EQ(grid_of(1), (std::array<std::uint32_t, 3>{8, 1, 0}));
  EXPECT_EQ(grid_of(2), (std::array<std::uint32_t, 3>{0, 0, 0}));
  EXPECT_EQ(reading.trace().device_events.at(1).correlation, 3U);
  EXPECT_EQ(reading.trace().device_events.at(2).correlation, 4U);
}

TEST(Vendors, MetasQueueHoldsKernelsCopiesAndMarks) {
  const Reading reading = read(
      {kOperator,
       row("mtia_runtime",
           "runFunction - job_prep_and_submit_for_execution",
           "1 2",
           "12+2",
           R"("correlation":5)"),
       row("mtia_ccp_events", "add-dtype_Float", "9 4", "20+3", R"("correlation":5,"stream":1)"),
       row("mtia_ccp_events", "dma_request", "9 4", "30+4", R"("stream":1,"size":8)"),
       row("mtia_ccp_events", "event_record", "9 4", "40+5", R"("stream":1)"),
       row("mtia_ccp_events", "event_wait", "9 4", "50+6", R"("stream":1)")});
  const Trace& trace = reading.trace();
  EXPECT_EQ(trace.variant, "Meta MTIA");
  EXPECT_EQ(trace.device_type, "MTIA");
  ASSERT_EQ(trace.device_events.size(), 2U);
  EXPECT_EQ(trace.device_events[0].kind, DeviceEventKind::Kernel);
  EXPECT_EQ(trace.device_events[0].correlation, 5U);
  EXPECT_EQ(trace.device_events[1].kind, DeviceEventKind::Memcpy);
  EXPECT_EQ(trace.raw_device[0].time, Nanoseconds(3000));
  EXPECT_EQ(trace.raw_device[1].time, Nanoseconds(4000));
  EXPECT_EQ(trace.api_calls.at(0).kind, ApiCallKind::LaunchKernel);
  const auto* const queue =
      &*std::ranges::find(trace.categories, "mtia_ccp_events", &CategoryCount::category);
  EXPECT_EQ(queue->events, 4U);
}

TEST(Vendors, HabanaCallsAreHostCalls) {
  const Reading reading = read({row("hpu_op", "synLaunch", "1 2", "12+2", R"("correlation":5)"),
                                row("kernel", "gemm", "0 7", "20+3", R"("correlation":5)")});
  EXPECT_EQ(reading.trace().variant, "Habana HPU");
  EXPECT_EQ(reading.trace().device_type, "HPU");
  EXPECT_EQ(reading.trace().api_calls.at(0).kind, ApiCallKind::LaunchKernel);
  EXPECT_EQ(reading.trace().cannot_tell.front(), "operators: record with ProfilerActivity.CPU");
}

/// What torch_npu's plugin writes of two kernels of one operator.
std::vector<std::string> npu_events() {
  return {kOperator,
          row("privateuse1_runtime", "aclnnMatmul", "1 2", "20+0", ""),
          flow("s", "2011", "1 2", "20"),
          row("kernel", "aclnnMatmul", "0 5", "20+3", R"("type":"KERNEL_AICORE","streamId":5)"),
          flow("f", "2011", "0 5", "20"),
          row("kernel", "aclnnCast", "0 5", "30+1", R"("type":"KERNEL_AIVEC","streamId":5)"),
          flow("f", "2011", "0 5", "30"),
          row("kernel", "aclnnOther", "0 5", "40+1", R"("type":"KERNEL_AIVEC","streamId":5)")};
}

TEST(Vendors, AscendKernelsAreLinkedByTheirArrows) {
  const Reading reading = read(npu_events());
  const Trace& trace = reading.trace();
  EXPECT_EQ(trace.variant, "Ascend NPU");
  EXPECT_EQ(trace.device_type, "NPU");
  ASSERT_EQ(trace.device_events.size(), 3U);
  EXPECT_EQ(trace.device_events[0].external_id, 4U);
  EXPECT_EQ(trace.device_events[1].external_id, 4U);
  EXPECT_EQ(trace.device_events[2].external_id, 0U);
  EXPECT_EQ(trace.streams[trace.device_events[0].stream.index()].stream, 5);
  EXPECT_EQ(
      trace.cannot_tell,
      (std::vector<std::string>{"grid and block of kernels", "which call launched a kernel"}));
}

TEST(Vendors, ArrowsLinkWhateverTheChunkAndTheBase) {
  const std::string file = file_of(npu_events(), "\"baseTimeNanoseconds\":1700000000000000000,");
  const std::string whole = ReadingText(read_text(file)).everything();
  EXPECT_NE(whole.find("aclnnCast"), std::string::npos);
  for (const std::size_t chunk : {std::size_t{1}, std::size_t{13}, std::size_t{100}}) {
    EXPECT_EQ(ReadingText(read_in_chunks(file, chunk)).everything(), whole);
  }
  EXPECT_EQ(read_text(file).trace().device_events.at(1).external_id, 4U);
}

TEST(Vendors, ArrowsLinkWhateverTheOrderOfKeys) {
  std::vector<std::string> events = npu_events();
  events[1] = R"({"args":{},"cat":"privateuse1_runtime","dur":0,"name":"aclnnMatmul","ph":"X",)"
              R"("pid":1,"tid":2,"ts":20})";
  EXPECT_EQ(read(events).trace().device_events.at(0).external_id, 4U);
}

TEST(Vendors, AnArrowThatIsNotAloneLinksNothing) {
  std::vector<std::string> events = npu_events();
  events.push_back(flow("f", "2012", "0 5", "30"));  // a second one at the same place
  events.push_back(
      row("cpu_op", "aten::add", "1 2", "40+1", R"("External id":5,"Record function id":2012)"));
  const Reading reading = read(events);
  EXPECT_EQ(reading.trace().device_events.at(0).external_id, 4U);
  EXPECT_EQ(reading.trace().device_events.at(1).external_id, 0U);
  events.push_back(
      row("cpu_op", "aten::add", "1 2", "50+1", R"("External id":6,"Record function id":2011)"));
  EXPECT_EQ(read(events).trace().device_events.at(0).external_id, 0U);  // two operators
}

TEST(Vendors, ArrowsChangeNoLinkThatIsThere) {
  std::vector<std::string> events = npu_events();
  events[3] = row("kernel", "k", "0 5", "20+3", R"("streamId":5,"correlation":9)");
  const Reading reading = read(events);
  EXPECT_EQ(reading.trace().device_events.at(0).external_id, 0U);
  EXPECT_EQ(reading.trace().device_events.at(0).correlation, 9U);
}

TEST(Vendors, APluginOfUnknownMakeIsNamedByItsCategory) {
  const Reading reading =
      read({row("privateuse1_runtime", "launch", "1 2", "12+2", R"("correlation":5)"),
            row("kernel", "gemm", "0 7", "20+3", R"("correlation":5)")});
  EXPECT_EQ(reading.trace().variant, "PrivateUse1");
  EXPECT_EQ(reading.trace().device_type, "PRIVATEUSE1");
}

TEST(Vendors, CollectivesCountWhereTheyNameTheirStream) {
  const Reading reading =
      read({row("collective_comm", "hcom_allReduce_", "0 6", "20+3", R"("streamId":6)"),
            row("collective_comm", "allreduce", "1 2", "20+3", "")});
  ASSERT_EQ(reading.trace().device_events.size(), 1U);
  EXPECT_EQ(reading.trace().device_events[0].kind, DeviceEventKind::Kernel);
}

TEST(Vendors, ReplaysOnRocmHaveNoGrid) {
  const std::string launch =
      row("cuda_runtime",
          "hipLaunchKernel",
          "1 2",
          "12+2",
          R"("correlation":5,"kernel":"gemm","grid":[4,1,1],"block":[64,1,1])");
  const std::string kernel = row("kernel", "gemm", "0 0", "20+3", R"("stream":0,"correlation":5)");
  const Reading eager = read({kOperator, launch, kernel});
  EXPECT_EQ(eager.trace().variant, "AMD ROCm");
  EXPECT_EQ(eager.trace().device_type, "CUDA");
  EXPECT_EQ(eager.text(eager.trace().api_calls.at(0).kernel), "gemm");
  EXPECT_TRUE(eager.trace().cannot_tell.empty());  // known from the launch
  const Reading replay =
      read({kOperator,
            launch,
            kernel,
            row("cuda_runtime", "hipGraphLaunch", "1 2", "32+2", R"("correlation":6)"),
            row("kernel", "gemm", "0 0", "40+3", R"("stream":0,"correlation":6)")});
  EXPECT_EQ(replay.trace().cannot_tell,
            (std::vector<std::string>{"grid and block of replayed kernels"}));
}

TEST(Vendors, WithoutCallsTheHeaderTells) {
  const std::string kernel = row("kernel", "gemm", "0 0", "20+3", R"("stream":0,"correlation":5)");
  EXPECT_EQ(read({kernel}, R"("hip_runtime_version":7,)").trace().variant, "AMD ROCm");
  EXPECT_EQ(read({kernel}, R"("cuda_runtime_version":7,)").trace().variant, "NVIDIA CUDA");
  EXPECT_EQ(read({kernel}, R"("deviceProperties":[{"id":0,"name":"AMD Instinct MI210"}],)")
                .trace()
                .variant,
            "AMD ROCm");
  EXPECT_EQ(read({kernel}).trace().variant, "");
  EXPECT_EQ(read({kernel}).trace().device_type, "CUDA");
}

TEST(Vendors, OperatorsWithoutShapesAreTold) {
  const Reading reading = read({row("cpu_op", "aten::mm", "1 2", "10+20", R"("External id":4)")});
  EXPECT_EQ(reading.trace().cannot_tell,
            (std::vector<std::string>{"input shapes: record with record_shapes=True"}));
}

TEST(Vendors, StridesAndConcreteInputsAreArguments) {
  const Reading reading = read(
      {row("cpu_op",
           "aten::mm",
           "1 2",
           "10+20",
           R"("Input Strides":[[64, 1], []],"Concrete Inputs":["", "[1, 2]"],"Input Dims":[[2]])"),
       row("cpu_op", "aten::mm", "1 2", "40+20", R"("Concrete Inputs":["1"])"),
       row("cpu_op", "aten::mm", "1 2", "70+20", R"("Input Strides":"x")"),
       row("cpu_op", "aten::mm", "1 2", "99+20", R"("Input Strides":null)")});
  const auto arguments_of = [&reading](std::size_t span) {
    const ArgumentsId id = reading.trace().host_spans.at(span).arguments;
    return id.is_none() ? Arguments{} : reading.model.arguments[id];
  };
  EXPECT_EQ(reading.text(arguments_of(0).input_strides), "[[64,1],[]]");
  EXPECT_EQ(reading.text(arguments_of(0).concrete_inputs), R"(["","[1, 2]"])");
  EXPECT_TRUE(arguments_of(0).tensors.is_none());
  EXPECT_TRUE(arguments_of(1).input_strides.is_none());
  EXPECT_EQ(reading.text(arguments_of(1).concrete_inputs), R"(["1"])");
  EXPECT_TRUE(reading.trace().host_spans.at(3).arguments.is_none());
}

TEST(Vendors, StridesThatAreNoJsonAreCounted) {
  const Reading reading =
      read({row("cpu_op", "aten::mm", "1 2", "10+20", R"("Input Strides":[1 2])")});
  EXPECT_TRUE(reading.trace().host_spans.at(0).arguments.is_none());
  EXPECT_EQ(reading.trace().diagnostics.times(Issue::InvalidJson), 1U);
}

}  // namespace
}  // namespace opcensus::import

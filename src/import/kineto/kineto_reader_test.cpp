// SPDX-License-Identifier: Apache-2.0
#include "src/import/kineto/kineto_reader.h"

#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>

#include "src/import/kineto/kineto_test_support.h"

namespace opcensus::import {
namespace {

using testing::read_in_chunks;
using testing::read_text;
using testing::Reading;
using testing::ReadingText;

std::string trace_of(std::string_view events) {
  return "{\"traceEvents\":[" + std::string(events) + "]}";
}

Reading read_events(std::string_view events) {
  return read_text(trace_of(events));
}

std::string kernel_with(std::string_view args, std::string_view fields = R"("pid":0,"tid":7)") {
  return R"({"ph":"X","cat":"kernel","name":"k","ts":1,"dur":2,)" + std::string(fields) +
         ",\"args\":{" + std::string(args) + "}}";
}

std::string op_with(std::string_view args) {
  return R"({"ph":"X","cat":"cpu_op","name":"aten::mm","pid":1,"tid":2,"ts":1,"dur":2,"args":{)" +
         std::string(args) + "}}";
}

constexpr std::string_view kSample = R"(
{
  "schemaVersion": 1,
  "deviceProperties": [ { "id": 0, "name": "NVIDIA H200", "numSms": 132 } ],
  "distributedInfo": {"backend": "nccl", "rank": 3, "world_size": 8, "pg_config": [{"ranks": [0]}]},
  "trace_id": "ABC", "record_shapes": 1, "cuda_runtime_version": 13000,
  "displayTimeUnit": "ms",
  "baseTimeNanoseconds": 1790857026000000000,
  "traceEvents": [
  { "ph": "X", "cat": "user_annotation", "name": "step", "pid": 445, "tid": 446,
    "ts": 5.001, "dur": 90, "args": { "External id": 1 } },
  { "ph": "X", "cat": "cpu_op", "name": "aten::mm", "pid": 445, "tid": 446,
    "ts": 10.000, "dur": 5.250,
    "args": { "External id": 2, "Concrete Inputs": ["", "1"],
      "Input type": ["c10::BFloat16", "Scalar"], "Input Dims": [[32, 64], []], "Ev Idx": 1 } },
  { "ph": "X", "cat": "python_function", "name": "forward", "pid": 445, "tid": 446,
    "ts": 10.000, "dur": 5.250, "args": { "Python id": 1 } },
  { "ph": "X", "cat": "cuda_runtime", "name": "cudaLaunchKernel", "pid": 445, "tid": 446,
    "ts": 12.000, "dur": 1.5, "args": { "External id": 2, "cbid": 211, "correlation": 7 } },
  { "ph": "s", "id": 7, "pid": 445, "tid": 446, "ts": 12.000, "cat": "ac2g", "name": "ac2g" },
  { "ph": "X", "cat": "kernel", "name": "gemm", "pid": 0, "tid": 7, "ts": 20.000, "dur": 4.125,
    "args": { "External id": 2, "device": 0, "stream": 7, "correlation": 7,
      "grid": [132, 2, 1], "block": [256, 1, 1], "graph node id": 18446744069414584321 } },
  { "ph": "f", "id": 7, "pid": 0, "tid": 7, "ts": 20, "cat": "ac2g", "name": "ac2g", "bp": "e" },
  { "ph": "X", "cat": "gpu_memcpy", "name": "Memcpy HtoD", "pid": 0, "tid": 7, "ts": 30, "dur": 1,
    "args": { "device": 0, "stream": 7, "correlation": 8 } },
  { "ph": "X", "cat": "gpu_memset", "name": "Memset", "pid": 0, "tid": 7, "ts": 31, "dur": 0.5,
    "args": { "device": 0, "stream": 7, "correlation": 9 } },
  { "ph": "X", "cat": "gpu_user_annotation", "name": "step", "pid": 0, "tid": 7, "ts": 20,
    "dur": 11, "args": { "External id": 1 } },
  { "ph": "X", "cat": "overhead", "name": "Buffer Flush", "pid": -1, "tid": 0, "ts": 40, "dur": 3 },
  { "name": "process_name", "ph": "M", "ts": 0, "pid": 445, "tid": 0, "args": { "name": "py" } },
  { "name": "Record Window End", "ph": "i", "s": "g", "pid": "", "tid": "", "ts": 99 }
  ],
  "traceName": "/tmp/x.json"
}
)";

constexpr std::int64_t kBase = 1790857026000000000;

TEST(KinetoReader, FillsEveryColumn) {
  const Reading reading = read_text(kSample);
  ASSERT_FALSE(reading.error);
  EXPECT_EQ(ReadingText(reading).columns(),
            "annotation|1790857026000005001|90000|step|-|-|-|-|1|445|446|\n"
            "op|1790857026000010000|5250|aten::mm|[[32,64],[]]|[\"c10::BFloat16\",\"Scalar\"]|-|"
            "[\"\",\"1\"]|2|445|446|\n"
            "call|1790857026000012000|1500|cudaLaunchKernel|-|-|7|2|1|445|446|\n"
            "kernel|1790857026000020000|4125|gemm|132|256|2|1|1|1|7|2|18446744069414584321|0|7|-|\n"
            "memcpy|1790857026000030000|1000|Memcpy HtoD|0|0|0|0|0|0|8|0|0|0|7|-|\n"
            "memset|1790857026000031000|500|Memset|0|0|0|0|0|0|9|0|0|0|7|-|\n"
            "device_annotation|1790857026000020000|11000|step|1|-|\n"
            "overhead|1790857026000040000|3000|Buffer Flush|0|-1|0|\n");
}

TEST(KinetoReader, ReadsTheHeader) {
  const Reading reading = read_text(kSample);
  const Trace& trace = reading.trace();
  EXPECT_EQ(trace.path, "test.json");
  EXPECT_EQ(trace.format, "kineto_json");
  EXPECT_EQ(trace.trace_id, "ABC");
  EXPECT_EQ(trace.bytes, kSample.size());
  EXPECT_EQ(trace.base_time.count(), kBase);
  EXPECT_EQ(trace.rank, 3);
  EXPECT_EQ(trace.world_size, 8);
  EXPECT_EQ(trace.record_shapes, true);
  EXPECT_TRUE(trace.complete);
  ASSERT_EQ(trace.devices.size(), 1U);
  EXPECT_EQ(trace.devices[0].name, "NVIDIA H200");
  const auto version = std::ranges::find(
      trace.properties, std::string_view("cuda_runtime_version"), &TraceProperty::name);
  ASSERT_NE(version, trace.properties.end());
  EXPECT_EQ(version->value, "13000");
  EXPECT_FALSE(trace.diagnostics.has(Severity::Info));
}

TEST(KinetoReader, CountsCategoriesAndRawDeviceEvents) {
  const Reading reading = read_text(kSample);
  std::string counts;
  for (const CategoryCount& category : reading.trace().categories) {
    counts += category.category + "=" + std::to_string(category.events) + " ";
  }
  EXPECT_EQ(counts,
            "ac2g=2 cpu_op=1 cuda_runtime=1 gpu_memcpy=1 gpu_memset=1 gpu_user_annotation=1 "
            "kernel=1 overhead=1 ph:M=1 ph:i=1 python_function=1 user_annotation=1 ");
  EXPECT_EQ(reading.trace().raw_device[0].events, 1U);
  EXPECT_EQ(reading.trace().raw_device[0].time.count(), 4125);
  EXPECT_EQ(reading.trace().raw_device[1].time.count(), 1000);
  EXPECT_EQ(reading.trace().raw_device[2].time.count(), 500);
}

TEST(KinetoReader, DoesNotDependOnChunkSize) {
  const std::string whole = ReadingText(read_text(kSample)).everything();
  for (const std::size_t chunk : {1U, 7U, 64U, 1000U}) {
    EXPECT_EQ(ReadingText(read_in_chunks(kSample, chunk)).everything(), whole) << chunk;
  }
}

TEST(KinetoReader, DoesNotDependOnWhiteSpace) {
  std::string minified;
  bool in_string = false;
  for (const char c : kSample) {
    in_string = in_string != (c == '"');
    if (in_string || (c != ' ' && c != '\n')) {
      minified.push_back(c);
    }
  }
  std::string spread;
  for (const char c : minified) {
    spread.push_back(c);
    in_string = in_string != (c == '"');
    if (!in_string && (c == ',' || c == ':' || c == '{' || c == '[')) {
      spread += "\r\n\t ";
    }
  }
  const std::string expected = ReadingText(read_text(kSample)).columns();
  EXPECT_EQ(ReadingText(read_text(minified)).columns(), expected);
  EXPECT_EQ(ReadingText(read_text(spread)).columns(), expected);
  EXPECT_EQ(ReadingText(read_text("\xEF\xBB\xBF" + minified)).columns(), expected);
  EXPECT_EQ(ReadingText(read_in_chunks("\xEF\xBB\xBF" + minified, 1)).columns(), expected);
}

TEST(KinetoReader, DoesNotDependOnKeyOrder) {
  const std::string expected =
      ReadingText(read_events(R"({"ph":"X","cat":"kernel","name":"k","pid":0,"tid":7,"ts":1,)"
                              R"("dur":2,"args":{"device":1,"stream":5,"correlation":3}})"))
          .columns();
  EXPECT_EQ(
      ReadingText(read_events(R"({"args":{"correlation":3,"stream":5,"device":1},"dur":2,)"
                              R"("ts":1,"tid":7,"pid":0,"name":"k","cat":"kernel","ph":"X"})"))
          .columns(),
      expected);
  EXPECT_NE(expected, "");
}

TEST(KinetoReader, TakesTheHeaderFromAfterTheEvents) {
  const Reading reading = read_text(
      R"({"traceEvents":[{"ph":"X","cat":"cpu_op","name":"a","pid":1,"tid":1,"ts":1,"dur":1}],)"
      R"("baseTimeNanoseconds":1000000,"distributedInfo":{"rank":1}})");
  EXPECT_EQ(reading.trace().host_spans[0].start.count(), 1001000);
  EXPECT_EQ(reading.trace().rank, 1);
}

TEST(KinetoReader, TheLastOfDuplicateKeysCounts) {
  const Reading reading =
      read_events(kernel_with(R"("stream":1,"stream":9,"correlation":1,"correlation":2)") + "," +
                  R"({"ph":"X","cat":"kernel","name":"a","name":"b","pid":0,"tid":7,"ts":1,"ts":5,)"
                  R"("dur":1,"args":{"stream":1,"correlation":3},"args":{"correlation":4}})");
  const Trace& trace = reading.trace();
  EXPECT_EQ(trace.device_events[0].correlation, 2U);
  EXPECT_EQ(trace.streams[trace.device_events[0].stream.index()].stream, 9);
  EXPECT_EQ(reading.text(trace.device_events[1].name), "b");
  EXPECT_EQ(trace.device_events[1].start.count(), 5000);
  EXPECT_EQ(trace.device_events[1].correlation, 4U);
  EXPECT_EQ(trace.streams[trace.device_events[1].stream.index()].stream, 7);
}

TEST(KinetoReader, ReadsIdsTo64Bits) {
  const Reading reading = read_events(
      kernel_with(R"("External id":18446744073709551615,"correlation":9007199254740993)") + "," +
      kernel_with(R"("external id":"12","correlation":-1)"));
  EXPECT_EQ(reading.trace().device_events[0].external_id, 18446744073709551615U);
  EXPECT_EQ(reading.trace().device_events[0].correlation, 9007199254740993U);
  EXPECT_EQ(reading.trace().device_events[1].external_id, 12U);
  EXPECT_EQ(reading.trace().device_events[1].correlation, 0U);
}

TEST(KinetoReader, ReadsTimesInEveryForm) {
  const Reading reading = read_events(
      R"({"ph":"X","cat":"cpu_op","name":"a","pid":1,"tid":1,"ts":-1.5e1,"dur":1E2},)"
      R"({"ph":"X","cat":"cpu_op","name":"a","pid":1,"tid":1,"ts":"1736408883688177.930","dur":"145.57"},)"
      R"({"ph":"X","cat":"cpu_op","name":"a","pid":1,"tid":1,"ts":1683564902138145,"dur":0},)"
      R"({"ph":"X","cat":"cpu_op","name":"a","pid":1,"tid":1,"ts":"7.5\t","dur":1.0006})");
  const auto& spans = reading.trace().host_spans;
  ASSERT_EQ(spans.size(), 4U);
  EXPECT_EQ(spans[0].start.count(), -15000);
  EXPECT_EQ(spans[0].duration.count(), 100000);
  EXPECT_EQ(spans[1].start.count(), 1736408883688177930);
  EXPECT_EQ(spans[1].duration.count(), 145570);
  EXPECT_EQ(spans[2].start.count(), 1683564902138145000);
  EXPECT_EQ(spans[3].start.count(), 7500);
  EXPECT_EQ(spans[3].duration.count(), 1001);
}

TEST(KinetoReader, LeavesOutTimesBeyondTheLimit) {
  const Reading reading =
      read_events(R"({"ph":"X","cat":"kernel","name":"a","pid":1,"tid":1,"ts":1e300,"dur":1},)"
                  R"({"ph":"X","cat":"kernel","name":"a","pid":1,"tid":1,"ts":1,"dur":1e300},)"
                  R"({"ph":"X","cat":"kernel","name":"a","pid":1,"tid":1,"ts":1,"dur":1})");
  EXPECT_EQ(reading.times(Issue::TimeOutOfRange), 2U);
  EXPECT_EQ(reading.trace().device_events.size(), 1U);
  EXPECT_EQ(reading.trace().raw_device[0].events, 1U);
}

TEST(KinetoReader, KeepsTimesWithinTheLimitWhenTheBaseIsAdded) {
  const Reading reading = read_text(
      R"({"baseTimeNanoseconds":4611686018427387904,"traceEvents":[)"
      R"({"ph":"X","cat":"kernel","name":"a","pid":1,"tid":1,"ts":4611686018427387,"dur":1}]})");
  EXPECT_EQ(reading.trace().device_events[0].start.count(), std::int64_t{1} << 62);
  EXPECT_EQ(reading.times(Issue::TimeOutOfRange), 1U);
}

TEST(KinetoReader, ClampsNegativeDurations) {
  const Reading reading =
      read_events(R"({"ph":"X","cat":"kernel","name":"a","pid":1,"tid":1,"ts":1,"dur":-5})");
  EXPECT_EQ(reading.times(Issue::NegativeDuration), 1U);
  EXPECT_EQ(reading.trace().device_events[0].duration.count(), 0);
  EXPECT_EQ(reading.trace().raw_device[0].time.count(), 0);
}

TEST(KinetoReader, TakesDeviceAndStreamFromTheLaneWhereArgsLackThem) {
  const Reading reading =
      read_events(kernel_with("", R"("pid":2,"tid":"stream 13")") + "," +
                  kernel_with("", R"("pid":"x","tid":"y")") + "," +
                  kernel_with(R"("device":4,"stream":-1)", R"("pid":2,"tid":3)"));
  const auto& streams = reading.trace().streams;
  ASSERT_EQ(streams.size(), 3U);
  EXPECT_EQ(streams[0].device, 2);
  EXPECT_EQ(streams[0].stream, 13);
  EXPECT_EQ(streams[1].device, 0);
  EXPECT_EQ(streams[1].stream, 0);
  EXPECT_EQ(streams[2].device, 4);
  EXPECT_EQ(streams[2].stream, -1);
}

TEST(KinetoReader, KeepsProcessGroupsOfMergedTraces) {
  const Reading reading = read_events(
      kernel_with(R"("stream":7)", R"("pid":"[TP00-DP00] 1","tid":7)") + "," +
      kernel_with(R"("stream":7)", R"("pid":"[TP01-DP00] 1","tid":7)") + "," +
      R"({"ph":"X","cat":"cpu_op","name":"a","pid":"[TP00-DP00] 445","tid":445,"ts":1,"dur":1})");
  const auto& streams = reading.trace().streams;
  ASSERT_EQ(streams.size(), 2U);
  EXPECT_EQ(reading.text(streams[0].process_group), "[TP00-DP00]");
  EXPECT_EQ(reading.text(streams[1].process_group), "[TP01-DP00]");
  EXPECT_EQ(streams[1].device, 1);
  ASSERT_EQ(reading.trace().threads.size(), 1U);
  EXPECT_EQ(reading.text(reading.trace().threads[0].process), "[TP00-DP00] 445");
  EXPECT_EQ(reading.text(reading.trace().threads[0].thread), "445");
}

TEST(KinetoReader, ReadsTheKernelOfRocmLaunches) {
  const Reading reading = read_events(
      R"({"ph":"X","cat":"cuda_runtime","name":"hipLaunchKernel","pid":1,"tid":1,"ts":1,"dur":1,)"
      R"("args":{"kernel":"k<4>","correlation":3,"grid":[1,2,3],"block":[4,5,6]}})");
  const ApiCall& call = reading.trace().api_calls[0];
  EXPECT_EQ(call.kind, ApiCallKind::LaunchKernel);
  EXPECT_EQ(reading.text(call.kernel), "k<4>");
  EXPECT_EQ(reading.model.dims[call.dims].grid, (std::array<std::uint32_t, 3>{1, 2, 3}));
  EXPECT_EQ(reading.model.dims[call.dims].block, (std::array<std::uint32_t, 3>{4, 5, 6}));
}

TEST(KinetoReader, KeepsShapesAndDtypesAsWritten) {
  const Reading reading =
      read_events(op_with(R"("Input Dims": [[8, 1, 1024], [ ]], "Input type": ["long int", ""])") +
                  "," + op_with(R"("Input dims": [["s0", 128]])") + "," +
                  op_with(R"("Input Dims": "32,64;\r\n", "Input type": null)") + "," + op_with(""));
  const auto signature = [&](std::size_t i) {
    return reading.model.signatures[reading.trace().host_spans[i].signature];
  };
  EXPECT_EQ(reading.text(signature(0).input_shapes), "[[8,1,1024],[]]");
  EXPECT_EQ(reading.text(signature(0).input_dtypes), R"(["long int",""])");
  EXPECT_EQ(reading.text(signature(1).input_shapes), R"([["s0",128]])");
  EXPECT_EQ(signature(1).metadata_status(), MetadataStatus::ShapeOnly);
  EXPECT_EQ(reading.text(signature(2).input_shapes), R"("32,64;\r\n")");
  EXPECT_TRUE(signature(2).input_dtypes.is_none());
  EXPECT_EQ(signature(3).metadata_status(), MetadataStatus::NoInputMetadata);
}

TEST(KinetoReader, DifferentSpacingIsOneSignature) {
  const Reading reading = read_events(op_with(R"("Input Dims":[[1,2]])") + "," +
                                      op_with(R"("Input Dims": [ [1, 2] ])"));
  EXPECT_EQ(reading.model.signatures.size(), 1U);
}

TEST(KinetoReader, CountsElidedTensorLists) {
  const std::string elided =
      op_with(R"("Input Dims":[[],[]],"Input type":["TensorList","Scalar"])");
  EXPECT_EQ(read_events(elided + "," + elided).times(Issue::ElidedTensorList), 2U);
}

TEST(KinetoReader, LeavesOutShapesThatAreNoJson) {
  const Reading reading = read_events(op_with(R"("Input Dims":[[1 2]])"));
  EXPECT_EQ(reading.times(Issue::InvalidJson), 1U);
  EXPECT_TRUE(
      reading.model.signatures[reading.trace().host_spans[0].signature].input_shapes.is_none());
}

TEST(KinetoReader, ReadsLegacyCategories) {
  const Reading reading = read_events(
      R"({"ph":"X","cat":"Operator","name":"a","pid":1,"tid":"1","ts":1,"dur":1},)"
      R"({"ph":"X","cat":"Runtime","name":"cudaLaunchKernel","pid":1,"tid":1,"ts":1,"dur":1},)"
      R"({"ph":"X","cat":"Kernel","name":"a","pid":0,"tid":"stream 7","ts":1,"dur":1},)"
      R"({"ph":"X","cat":"Memcpy","name":"a","pid":0,"tid":"stream 7","ts":1,"dur":1},)"
      R"({"ph":"X","cat":"Memset","name":"a","pid":0,"tid":"stream 7","ts":1,"dur":1})");
  EXPECT_EQ(reading.trace().host_spans.size(), 1U);
  EXPECT_EQ(reading.trace().api_calls.size(), 1U);
  EXPECT_EQ(reading.trace().device_events.size(), 3U);
  EXPECT_EQ(reading.trace().device_events[2].kind, DeviceEventKind::Memset);
}

TEST(KinetoReader, JoinsBeginAndEndPerThread) {
  const Reading reading =
      read_events(R"({"ph":"B","cat":"cpu_op","name":"outer","pid":1,"tid":1,"ts":1},)"
                  R"({"ph":"B","cat":"cpu_op","name":"other","pid":1,"tid":2,"ts":2},)"
                  R"({"ph":"B","cat":"python_function","name":"f","pid":1,"tid":1,"ts":2},)"
                  R"({"ph":"E","pid":1,"tid":1,"ts":3},)"
                  R"({"ph":"B","cat":"kernel","name":"k","pid":1,"tid":1,"ts":4},)"
                  R"({"ph":"E","pid":1,"tid":1,"ts":6},)"
                  R"({"ph":"E","pid":1,"tid":1,"ts":9},)"
                  R"({"ph":"E","pid":1,"tid":1,"ts":10},)"
                  R"({"ph":"B","cat":"kernel","name":"open","pid":1,"tid":1,"ts":11})");
  const Trace& trace = reading.trace();
  ASSERT_EQ(trace.host_spans.size(), 1U);
  EXPECT_EQ(trace.host_spans[0].duration.count(), 8000);
  ASSERT_EQ(trace.device_events.size(), 1U);
  EXPECT_EQ(trace.device_events[0].duration.count(), 2000);
  EXPECT_EQ(trace.raw_device[0].events, 1U);
  EXPECT_EQ(trace.raw_device[0].time.count(), 2000);
  EXPECT_EQ(reading.times(Issue::UnpairedBegin), 3U);  // one end, two begins
}

TEST(KinetoReader, LeavesOutEventsThatLackWhatTheyNeed) {
  const Reading reading = read_events(
      R"({"ph":"X","cat":"kernel","pid":0,"tid":7,"ts":1,"dur":1},)"
      R"({"ph":"X","cat":"kernel","name":"k","pid":0,"tid":7,"dur":1},)"
      R"({"ph":"X","cat":"kernel","name":"k","pid":0,"tid":7,"ts":1},)"
      R"({"ph":"X","cat":"kernel","name":"k","pid":0,"tid":7,"ts":"soon","dur":1},)"
      R"({"cat":"kernel","name":"k","pid":0,"tid":7,"ts":1,"dur":1},)"
      R"(7,)"
      R"({"ph":"X","cat":"kernel","name":null,"pid":0,"tid":7,"ts":1,"dur":1,"args":null})");
  EXPECT_EQ(reading.times(Issue::BadEvent), 6U);
  ASSERT_EQ(reading.trace().device_events.size(), 1U);
  EXPECT_EQ(reading.text(reading.trace().device_events[0].name), "");
}

TEST(KinetoReader, KeepsCallsThatWereCutOff) {
  const Reading reading = read_events(
      R"({"ph":"X","cat":"cuda_runtime","name":"cudaLaunchKernel","pid":1,"tid":1,"ts":5})");
  ASSERT_EQ(reading.trace().api_calls.size(), 1U);
  EXPECT_EQ(reading.trace().api_calls[0].start.count(), 5000);
}

TEST(KinetoReader, UnescapesNames) {
  const Reading reading = read_events(
      R"({"ph":"X","cat":"cpu_op","n\u0061me":"a\"b\\c\u00e9","pid":1,"tid":1,"ts":1,"dur":1})");
  EXPECT_EQ(
      reading.text(reading.model.signatures[reading.trace().host_spans[0].signature].operator_name),
      "a\"b\\c\xC3\xA9");
}

TEST(KinetoReader, SharesTablesBetweenTraces) {
  Model model;
  for (int i = 0; i < 2; ++i) {
    testing::MemorySource source(kSample);
    ASSERT_TRUE(read_kineto_trace(source, "x", {}, model).has_value());
  }
  EXPECT_EQ(model.traces[0].host_spans[1].signature, model.traces[1].host_spans[1].signature);
  EXPECT_EQ(model.signatures.size(), 2U);
}

TEST(KinetoReader, ReadsManyEvents) {
  // Several runs of the parser, with skipped events in between.
  std::string events;
  for (int i = 0; i < 5000; ++i) {
    events += kernel_with("\"correlation\":" + std::to_string(i)) +
              R"(,{"ph":"f","id":1,"pid":0,"tid":7,"ts":1,"cat":"ac2g","name":"ac2g"},)";
  }
  const Reading reading = read_events(events);
  ASSERT_EQ(reading.trace().device_events.size(), 5000U);
  EXPECT_EQ(reading.trace().device_events[4999].correlation, 4999U);
  EXPECT_EQ(reading.trace().categories[0].events, 5000U);
}

class CountingObserver final : public ProgressObserver {
 public:
  void on_progress(std::uint64_t consumed, std::uint64_t total) override {
    ++calls;
    last_consumed = consumed;
    last_total = total;
  }

  int calls = 0;
  std::uint64_t last_consumed = 0;
  std::uint64_t last_total = 0;
};

TEST(KinetoReader, TellsProgressOncePerChunk) {
  CountingObserver observer;
  KinetoOptions options;
  options.chunk_bytes = 1000;
  options.progress = &observer;
  ASSERT_FALSE(read_text(kSample, options).error);
  EXPECT_GT(observer.calls, 1);
  EXPECT_LE(observer.calls, static_cast<int>(kSample.size() / 1000) + 2);
  EXPECT_EQ(observer.last_consumed, kSample.size());
  EXPECT_EQ(observer.last_total, kSample.size());
}

TEST(KinetoRowSink, RowsThatComeBackDoNotMoveOpenSpans) {
  const auto row = [](std::string_view phase, std::string_view category, std::string_view name) {
    return R"({"ph": ")" + std::string(phase) + R"(", "cat": ")" + std::string(category) +
           R"(", "name": ")" + std::string(name) + R"(", "pid": 1, "tid": 7, "ts": 5, "dur": 2}, )";
  };
  const auto array_of = [](std::initializer_list<std::string_view> parts) {
    std::string text = "[";
    for (const std::string_view part : parts) {
      text += part;
    }
    return text += "]";
  };
  for (const std::string_view category : {"kernel", "cpu_op", "cuda_runtime", "overhead"}) {
    const std::string closed = row("X", category, "a") + row("X", category, "b");
    const std::string open = closed + row("B", category, "c");
    for (const std::string& content :
         {array_of({open}),
          array_of({open, "][", closed}),
          array_of({open, row("E", "", "")}),
          array_of({open, row("X", "privateuse1_x", "p"), closed, row("E", "", "")})}) {
      KinetoOptions options;
      options.run_bytes = 1;
      const std::string wanted = testing::ReadingText(read_text(content, options)).everything();
      testing::RowsElsewhere sink;
      options.sink = &sink;
      EXPECT_EQ(testing::ReadingText(read_text(content, options)).everything(), wanted) << content;
    }
  }
}

}  // namespace
}  // namespace opcensus::import

// SPDX-License-Identifier: Apache-2.0
//
// One profile in both forms, tests/golden/inputs/ascend: what each must give, and that they agree.
#include "src/import/ascend/ascend_reader.h"

#include <algorithm>
#include <filesystem>
#include <string>
#include <string_view>

#include <gtest/gtest.h>

#include "src/import/ascend/ascend_test_support.h"
#include "src/io/sqlite.h"

#include "tests/support/temporary_folder.h"

namespace opcensus::import {
namespace {

namespace fs = std::filesystem;
using opcensus::testing::read_file;
using opcensus::testing::TemporaryFolder;
using testing::AscendReading;
using testing::read_ascend;

const std::string kInputs = OPCENSUS_ASCEND_INPUTS;
const std::string kText = kInputs + "/text/rank0_ascend_pt";
const std::string kDatabase = kInputs + "/database/rank0_ascend_pt";

/// Lines of `text` that hold `part`.
std::string lines_with(const std::string& text, std::string_view part) {
  std::string out;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = text.find('\n', at) + 1;
    const std::string line = text.substr(at, end - at);
    if (line.find(part) != std::string::npos) {
      out += line;
    }
    at = end;
  }
  return out;
}

class BothForms : public ::testing::TestWithParam<std::string> {
 protected:
  BothForms() : reading(read_ascend(GetParam())) {}

  AscendReading reading;
};

INSTANTIATE_TEST_SUITE_P(Ascend,
                         BothForms,
                         ::testing::Values(kText, kDatabase),
                         [](const auto& form) {
                           return form.param == kText ? "Text" : "Database";
                         });

TEST_P(BothForms, TheRunIsDescribed) {
  ASSERT_FALSE(reading.error) << reading.error->message;
  const Trace& trace = reading.trace();
  EXPECT_EQ(trace.format, "ascend");
  EXPECT_EQ(trace.variant, GetParam() == kText ? "level 1, text" : "level 1, database");
  EXPECT_EQ(trace.device_type, "NPU");
  EXPECT_EQ(trace.path, GetParam());
  EXPECT_EQ(trace.rank, 0);
  EXPECT_EQ(trace.world_size, 2);
  EXPECT_EQ(trace.record_shapes, true);
  EXPECT_TRUE(trace.complete);
  EXPECT_GT(trace.bytes, 1000U);
  ASSERT_EQ(trace.devices.size(), 1U);
  EXPECT_EQ(trace.devices[0].name, GetParam() == kText ? "Ascend NPU" : "Ascend910B");
  const auto cann = std::find_if(trace.properties.begin(),
                                 trace.properties.end(),
                                 [](const TraceProperty& p) { return p.name == "cann_version"; });
  ASSERT_NE(cann, trace.properties.end());
  EXPECT_EQ(cann->value, "8.5.0");
  EXPECT_FALSE(trace.diagnostics.has(Severity::DataLoss));
}

TEST_P(BothForms, OperatorsHaveShapesAndDtypes) {
  const std::string spans = reading.host_spans();
  EXPECT_EQ(lines_with(spans, "aten::linear"),
            "1700000000000001100+800 100/100 operator aten::linear [[8,1024],[16,1024],[16]] "
            "[\"float\",\"float\",\"float\"] -\n");
  EXPECT_NE(spans.find("aten::sum [[8,16],[]] [\"float\",\"None\"] -"), std::string::npos);
  EXPECT_NE(spans.find("aten::item [[]] [\"float\"] -"), std::string::npos);
}

TEST_P(BothForms, RegionsAreAnnotationsAndBackendCallsAreCalls) {
  const std::string spans = reading.host_spans();
  EXPECT_NE(spans.find("annotation ProfilerStep#3 - - -"), std::string::npos);
  EXPECT_NE(spans.find("annotation my_region - - -"), std::string::npos);
  EXPECT_EQ(spans.find("aclnnAddmm"), std::string::npos);
  EXPECT_EQ(spans.find("HcclAllreduce"), std::string::npos);
  EXPECT_NE(reading.api_calls().find("1700000000000001200+200 100/100 0 0 aclnnAddmm"),
            std::string::npos);
}

TEST_P(BothForms, ElidedTensorListsAreCounted) {
  EXPECT_EQ(reading.trace().diagnostics.times(Issue::ElidedTensorList), 1U);
}

TEST_P(BothForms, KernelsHaveWhatTheProfilerRecorded) {
  EXPECT_EQ(lines_with(reading.device_events(), "MatMulV2"),
            "1700000000000020000+500 0/2 kernel 42 0:0 24 aclnnAddmm_MatMulV2: MatMulV2 "
            "[[8,1024],[1024,16],[16]] [\"FLOAT\",\"FLOAT\",\"FLOAT\"] "
            "[\"ND\",\"FRACTAL_NZ\",\"ND\"]\n");
}

TEST_P(BothForms, AKernelWithOutputsOnlyHasNoInputs) {
  EXPECT_NE(reading.device_events().find("DSAGenBitMask [] [] -"), std::string::npos);
}

TEST_P(BothForms, ATaskOfSeveralKernelsCountsOnce) {
  EXPECT_EQ(lines_with(reading.device_events(), "1700000000000023"),
            "1700000000000023003+11 0/2 kernel 45 0:0 2 aclnnReduceSum_ReduceSum: ReduceSum "
            "[[8,16],[]] [\"FLOAT\",\"INT64\"] [\"ND\",\"ND\"]\n"
            "1700000000000023100+50 0/3 kernel 45 0:0 0 aclnnDropoutGenMaskV2_DSA: DSAGenBitMask "
            "[] [] -\n");
}

TEST_P(BothForms, CommunicationIsItsOperatorNotItsParts) {
  EXPECT_EQ(lines_with(reading.device_events(), "0/4"),
            "1700000000000022000+900 0/4 kernel 44 0:0 0 hcom_allReduce__1_0_1: hcom_allReduce_ - "
            "- -\n");
}

TEST_P(BothForms, CopiesAreEventsAndBookkeepingIsCounted) {
  EXPECT_EQ(lines_with(reading.device_events(), "memcpy"),
            "1700000000000021000+100 0/2 memcpy 43 0:0 0 MEMCPY_ASYNC: -\n");
  EXPECT_EQ(reading.device_events().find("EVENT_RECORD"), std::string::npos);
  const auto& categories = reading.trace().categories;
  EXPECT_TRUE(std::any_of(categories.begin(), categories.end(), [](const CategoryCount& count) {
    return count.category == "task EVENT_RECORD" && count.events == 1;
  }));
  EXPECT_TRUE(std::is_sorted(
      categories.begin(), categories.end(), [](const CategoryCount& a, const CategoryCount& b) {
        return a.category < b.category;
      }));
}

TEST_P(BothForms, SumsAgreeWithTheIndependentCount) {
  RawDeviceCount kernels;
  RawDeviceCount copies;
  for (const DeviceEvent& event : reading.trace().device_events) {
    RawDeviceCount& sum = event.kind == DeviceEventKind::Kernel ? kernels : copies;
    ++sum.events;
    sum.time += event.duration;
  }
  EXPECT_EQ(kernels.events, 8U);
  EXPECT_EQ(kernels.time, Nanoseconds(2061));
  EXPECT_EQ(reading.trace().raw_device[0].events, kernels.events);
  EXPECT_EQ(reading.trace().raw_device[0].time, kernels.time);
  EXPECT_EQ(reading.trace().raw_device[1].events, copies.events);
  EXPECT_EQ(reading.trace().raw_device[1].time, copies.time);
}

TEST_P(BothForms, ALaunchStandsWhereTheFrameworkAskedForIt) {
  const std::string calls = reading.api_calls();
  // kernel, copy and communication went through the queue; they stand at their backend calls
  EXPECT_EQ(lines_with(calls, " 42 "), "1700000000000001200+200 100/100 1 42 launch\n");
  EXPECT_EQ(lines_with(calls, " 43 "), "1700000000000002100+100 100/100 2 43 aclrtMemcpyAsync\n");
  EXPECT_EQ(lines_with(calls, " 44 "), "1700000000000003050+150 100/100 1 44 launch\n");
  // without the queue it is the call itself
  EXPECT_EQ(lines_with(calls, " 45 "), "1700000000000004200+50 100/100 1 45 launch\n");
  // calls that launch nothing stay on their thread
  EXPECT_EQ(lines_with(calls, " 41 "), "1700000000000001510+890 100/200 0 41 aclnnAddmm\n");
}

TEST_P(BothForms, CapturesAndGraphLaunchesAreTold) {
  const auto kind = [this](std::string_view name) {
    for (const ApiCall& call : reading.trace().api_calls) {
      if (reading.text(call.name) == name) {
        return call.kind;
      }
    }
    return ApiCallKind::Other;
  };
  EXPECT_EQ(kind("aclmdlRICaptureBegin"), ApiCallKind::BeginCapture);
  EXPECT_EQ(kind("aclmdlRICaptureEnd"), ApiCallKind::EndCapture);
  EXPECT_EQ(kind("aclmdlRIExecuteAsync"), ApiCallKind::GraphLaunch);
}

TEST_P(BothForms, ATaskOfAGraphIsTheSameNodeAtEveryReplay) {
  EXPECT_EQ(lines_with(reading.device_events(), "graph_RmsNorm"),
            "1700000000000030000+100 0/2 kernel 61 6:0 8 graph_RmsNorm: RmsNorm [[8,1024],[1024]] "
            "[\"DT_BF16\",\"DT_BF16\"] [\"ND\",\"ND\"]\n"
            "1700000000000031000+100 0/2 kernel 62 6:0 8 graph_RmsNorm: RmsNorm [[8,1024],[1024]] "
            "[\"DT_BF16\",\"DT_BF16\"] [\"ND\",\"ND\"]\n");
  EXPECT_EQ(reading.graph_nodes(),
            "6:0 <- 6:0 at 1700000000000030000: RmsNorm [[8,1024],[1024]] "
            "[\"DT_BF16\",\"DT_BF16\"] [\"ND\",\"ND\"]\n"
            "6:1 <- 6:1 at 1700000000000030000: MatMulV3 [[8,1024],[1024,4096]] "
            "[\"DT_BF16\",\"DT_BF16\"] [\"ND\",\"FRACTAL_NZ\"]\n");
}

TEST(AscendForms, GiveTheSameRows) {
  const AscendReading text = read_ascend(kText);
  const AscendReading database = read_ascend(kDatabase);
  ASSERT_FALSE(text.error || database.error);
  EXPECT_EQ(text.host_spans(), database.host_spans());
  EXPECT_EQ(text.api_calls(), database.api_calls());
  EXPECT_EQ(text.device_events(), database.device_events());
  EXPECT_EQ(text.graph_nodes(), database.graph_nodes());
  EXPECT_EQ(text.trace().cannot_tell, database.trace().cannot_tell);
}

/// A copy of the sample that a test may change.
class Copied {
 public:
  explicit Copied(const std::string& sample) {
    fs::copy(sample, path(), fs::copy_options::recursive);
  }

  [[nodiscard]] std::string path() const { return folder_ / "rank0_ascend_pt"; }

  [[nodiscard]] std::string output() const { return path() + "/ASCEND_PROFILER_OUTPUT"; }

  void write(const std::string& name, const std::string& content) const {
    static_cast<void>(folder_.write("rank0_ascend_pt/ASCEND_PROFILER_OUTPUT/" + name, content));
  }

  /// A script on the sample's database.
  void change(const std::string& sql) const {
    auto database = Database::open_for_writing(output() + "/ascend_pytorch_profiler_0.db");
    ASSERT_TRUE(database.has_value());
    const auto status = database->execute(sql);
    ASSERT_TRUE(status.has_value()) << status.error().message;
  }

 private:
  TemporaryFolder folder_;
};

TEST(AscendForms, TheDatabaseIsReadWhereBothAreThere) {
  const Copied copy(kText);
  fs::copy(kDatabase + "/ASCEND_PROFILER_OUTPUT/ascend_pytorch_profiler_0.db",
           copy.output() + "/ascend_pytorch_profiler_0.db");
  const AscendReading reading = read_ascend(copy.path());
  ASSERT_FALSE(reading.error);
  EXPECT_EQ(reading.trace().variant, "level 1, database");
  EXPECT_EQ(reading.device_events(), read_ascend(kDatabase).device_events());
}

TEST(AscendDatabase, TheStoredFileIsTheScript) {
  const Copied copy(kDatabase);
  const std::string file = copy.output() + "/ascend_pytorch_profiler_0.db";
  fs::remove(file);
  copy.write("ascend_pytorch_profiler_0.db", "");
  copy.change(read_file(kInputs + "/database.sql"));
  const AscendReading reading = read_ascend(copy.path());
  ASSERT_FALSE(reading.error) << reading.error->message;
  EXPECT_EQ(reading.device_events(), read_ascend(kDatabase).device_events());
  EXPECT_EQ(reading.api_calls(), read_ascend(kDatabase).api_calls());
}

TEST(AscendDatabase, ColumnsInTheRightOrderAreReadToo) {
  const Copied copy(kDatabase);
  copy.change("UPDATE PYTORCH_API SET inputShapes = inputDtypes, inputDtypes = inputShapes");
  EXPECT_EQ(read_ascend(copy.path()).host_spans(), read_ascend(kDatabase).host_spans());
}

TEST(AscendDatabase, NewAndForeignColumnsAndTablesAreNoMatter) {
  const Copied copy(kDatabase);
  copy.change(
      "ALTER TABLE COMPUTE_TASK_INFO RENAME COLUMN blockDim TO blockNum;"
      "ALTER TABLE COMPUTE_TASK_INFO ADD COLUMN waitNs INTEGER;"
      "ALTER TABLE PYTORCH_API DROP COLUMN callchainId;"
      "CREATE TABLE OVERLAP_ANALYSIS (id INTEGER)");
  EXPECT_EQ(read_ascend(copy.path()).device_events(), read_ascend(kDatabase).device_events());
}

TEST(AscendDatabase, KernelsThatNothingDescribesAreKept) {
  const Copied copy(kDatabase);
  copy.change(
      "INSERT INTO STRING_IDS VALUES (9000, 'KERNEL_AICPU');"
      "INSERT INTO TASK SELECT startNs + 50000, endNs + 50007, deviceId, 4294967295, 500, 1, 9000, "
      "contextId, 9, 500, 4294967295 FROM TASK WHERE globalTaskId = 0");
  const AscendReading reading = read_ascend(copy.path());
  EXPECT_EQ(lines_with(reading.device_events(), "KERNEL_AICPU"),
            "1700000000000070000+507 0/9 kernel 0 0:0 0 KERNEL_AICPU: -\n");
  EXPECT_EQ(reading.trace().raw_device[0].events, 9U);
  EXPECT_EQ(reading.trace().raw_device[0].time, Nanoseconds(2061 + 507));
}

TEST(AscendDatabase, ReplaysWithoutTheirLaunchHaveNoCorrelation) {
  const Copied copy(kDatabase);
  // as captured: every task carries a connection of its own, and the replays repeat it
  copy.change(
      "DELETE FROM CANN_API WHERE connectionId IN (60, 61);"
      "UPDATE TASK SET connectionId = 300 + taskId WHERE modelId = 5");
  EXPECT_EQ(lines_with(read_ascend(copy.path()).device_events(), "graph_MatMul").substr(0, 45),
            "1700000000000030200+200 0/2 kernel 0 6:1 24 g");
}

TEST(AscendDatabase, OddRowsAreCounted) {
  const Copied copy(kDatabase);
  copy.change(
      "UPDATE TASK SET endNs = startNs - 5 WHERE globalTaskId = 0;"
      "UPDATE TASK SET startNs = NULL WHERE globalTaskId = 3;"
      "UPDATE PYTORCH_API SET endNs = 'x' WHERE name = (SELECT id FROM STRING_IDS WHERE value = "
      "'aten::item')");
  const AscendReading reading = read_ascend(copy.path());
  ASSERT_FALSE(reading.error);
  EXPECT_EQ(reading.trace().diagnostics.times(Issue::NegativeDuration), 1U);
  EXPECT_EQ(reading.trace().diagnostics.times(Issue::BadEvent), 2U);
  EXPECT_EQ(reading.trace().raw_device[0].events, 7U);
  EXPECT_EQ(reading.trace().raw_device[0].time, Nanoseconds(2061 - 500 - 100));
}

TEST(AscendDatabase, RowsThatLieBesideItAreToldOf) {
  const Copied copy(kDatabase);
  copy.write("ascend_pytorch_profiler_0.db-wal", "");
  EXPECT_TRUE(read_ascend(copy.path()).trace().complete);
  copy.write("ascend_pytorch_profiler_0.db-wal", "rows");
  const AscendReading reading = read_ascend(copy.path());
  ASSERT_FALSE(reading.error);
  EXPECT_FALSE(reading.trace().complete);
  EXPECT_EQ(reading.trace().diagnostics.times(Issue::UnmergedLog), 1U);
}

TEST(AscendDatabase, ADamagedOneIsAnError) {
  const Copied copy(kDatabase);
  std::string content = read_file(copy.output() + "/ascend_pytorch_profiler_0.db");
  copy.write("ascend_pytorch_profiler_0.db", content.substr(0, 2000));
  const AscendReading reading = read_ascend(copy.path());
  ASSERT_TRUE(reading.error);
  EXPECT_EQ(reading.error->code, ErrorCode::Damaged);
  EXPECT_FALSE(reading.error->hint.empty());
}

TEST(AscendDatabase, OneOfAnotherProgramIsNoTrace) {
  const Copied copy(kDatabase);
  copy.change("DROP TABLE TASK");
  const AscendReading reading = read_ascend(copy.path());
  ASSERT_TRUE(reading.error);
  EXPECT_EQ(reading.error->code, ErrorCode::NotATrace);
}

TEST(AscendText, KernelDetailsAloneGivesKernelsWithoutLaunches) {
  const AscendReading reading = read_ascend(kText + "/ASCEND_PROFILER_OUTPUT/kernel_details.csv");
  ASSERT_FALSE(reading.error);
  EXPECT_EQ(reading.trace().device_events.size(), 8U);
  EXPECT_EQ(reading.trace().raw_device[0].time, Nanoseconds(2061));
  EXPECT_TRUE(reading.trace().api_calls.empty());
  const auto& gaps = reading.trace().cannot_tell;
  EXPECT_NE(std::find(gaps.begin(), gaps.end(), "operators of the framework"), gaps.end());
}

TEST(AscendText, TraceViewAloneGivesKernelsWithoutShapes) {
  const AscendReading reading = read_ascend(kText + "/ASCEND_PROFILER_OUTPUT/trace_view.json");
  ASSERT_FALSE(reading.error);
  EXPECT_EQ(lines_with(reading.device_events(), "MatMulV2"),
            "1700000000000020000+500 0/2 kernel 42 0:0 0 aclnnAddmm_MatMulV2: -\n");
  EXPECT_EQ(reading.trace().device_events.size(), 9U);
  EXPECT_EQ(reading.trace().raw_device[0].events, 8U);
  EXPECT_EQ(reading.trace().cannot_tell.at(0), "input shapes and dtypes of kernels");
}

TEST(AscendText, RowsOfOldVersionsAreRead) {  // level 0: no ids, no shapes
  const Copied copy(kText);
  copy.write("kernel_details.csv",
             "Name,Type,Accelerator Core,Start Time(us),Duration(us),Wait Time(us),Block Dim\n"
             "aclnnAddmm_MatMulV2,N/A,N/A,1700000000000020,0.51,0,0\n");
  const AscendReading reading = read_ascend(copy.path());
  // matched with trace_view.json by name and start; the CSV's duration counts
  EXPECT_EQ(lines_with(reading.device_events(), "kernel"),
            "1700000000000020000+510 0/2 kernel 42 0:0 0 aclnnAddmm_MatMulV2: -\n");
  EXPECT_EQ(reading.trace().raw_device[0].time, Nanoseconds(510));
}

TEST(AscendText, BadRowsAreCountedAndTheRestIsRead) {
  const Copied copy(kText);
  copy.write("kernel_details.csv",
             "Name,Start Time(us),Duration(us)\na,1.000\t,0.5\nb,x,1\nc,2,-1\n\nd\n");
  fs::remove(copy.output() + "/trace_view.json");
  const AscendReading reading = read_ascend(copy.path());
  ASSERT_FALSE(reading.error);
  EXPECT_EQ(reading.trace().device_events.size(), 2U);
  EXPECT_EQ(reading.trace().diagnostics.times(Issue::BadEvent), 2U);
  EXPECT_EQ(reading.trace().diagnostics.samples(Issue::BadEvent).at(0).byte_offset, 46U);
  EXPECT_EQ(reading.trace().diagnostics.times(Issue::NegativeDuration), 1U);
}

TEST(AscendText, ACutTraceViewGivesItsBeginning) {
  const Copied copy(kText);
  const std::string whole = read_file(copy.output() + "/trace_view.json");
  copy.write("trace_view.json", whole.substr(0, whole.find("aten::copy_")));
  const AscendReading reading = read_ascend(copy.path());
  ASSERT_FALSE(reading.error);
  EXPECT_FALSE(reading.trace().complete);
  EXPECT_EQ(reading.trace().diagnostics.times(Issue::TruncatedInput), 1U);
  EXPECT_EQ(reading.trace().host_spans.size(), 3U);
  EXPECT_EQ(reading.trace().device_events.size(), 8U);
}

TEST(AscendText, AnEventThatIsNoJsonIsCounted) {
  const Copied copy(kText);
  std::string content = read_file(copy.output() + "/trace_view.json");
  content.insert(1, R"({"ph": "X", "name": nonsense},)");
  copy.write("trace_view.json", content);
  const AscendReading reading = read_ascend(copy.path());
  EXPECT_EQ(reading.trace().diagnostics.times(Issue::InvalidJson), 1U);
  EXPECT_EQ(reading.host_spans(), read_ascend(kText).host_spans());
}

TEST(AscendText, LimitsAreErrors) {
  AscendOptions options;
  options.limits.max_event_bytes = 50;
  const auto event = read_ascend(kText, options);
  ASSERT_TRUE(event.error);
  EXPECT_EQ(event.error->code, ErrorCode::LimitExceeded);
  options = {};
  options.limits.max_row_bytes = 50;
  const auto row = read_ascend(kText, options);
  ASSERT_TRUE(row.error);
  EXPECT_EQ(row.error->code, ErrorCode::LimitExceeded);
  EXPECT_NE(row.error->file.find("kernel_details.csv"), std::string::npos);
}

TEST(AscendText, EmptyFilesAreErrors) {
  const TemporaryFolder folder;
  const auto csv = read_ascend(folder.write("kernel_details.csv", ""));
  ASSERT_TRUE(csv.error);
  EXPECT_EQ(csv.error->code, ErrorCode::Empty);
  const Copied copy(kText);
  copy.write("trace_view.json", "");
  const auto json = read_ascend(copy.path());
  ASSERT_TRUE(json.error);
  EXPECT_EQ(json.error->code, ErrorCode::Empty);
}

TEST(AscendFolder, TheRankIsFoundInSeveralPlaces) {
  const Copied copy(kDatabase);
  fs::remove(copy.path() + "/profiler_metadata.json");
  const auto rank = [&copy] { return read_ascend(copy.path()).trace().rank; };
  copy.change("UPDATE RANK_DEVICE_MAP SET rankId = 5");
  EXPECT_EQ(rank(), 0);  // profiler_info_0.json
  fs::rename(copy.path() + "/profiler_info_0.json", copy.path() + "/other.json");
  EXPECT_EQ(rank(), 5);
  copy.change("UPDATE RANK_DEVICE_MAP SET rankId = -1");
  fs::rename(copy.output() + "/ascend_pytorch_profiler_0.db",
             copy.output() + "/ascend_pytorch_profiler_3.db");
  EXPECT_EQ(rank(), 3);
  fs::rename(copy.output() + "/ascend_pytorch_profiler_3.db",
             copy.output() + "/ascend_pytorch_profiler.db");
  EXPECT_FALSE(rank().has_value());
}

TEST(AscendFolder, WhatWasNotParsedIsRefusedWithTheWayOut) {
  const TemporaryFolder folder;
  const std::string path = folder / "host_1_20260101000000000_ascend_pt";
  fs::create_directories(path + "/FRAMEWORK");
  EXPECT_TRUE(is_ascend_folder(path));
  const auto reading = read_ascend(path);
  ASSERT_TRUE(reading.error);
  EXPECT_EQ(reading.error->code, ErrorCode::UnsupportedFormat);
  EXPECT_EQ(reading.error->message, "the profile was collected but not parsed");
  EXPECT_NE(reading.error->hint.find("analyse(\"" + path + "\")"), std::string::npos);
}

TEST(AscendFolder, ClusterResultsAreRefusedWithTheWayOut) {
  const TemporaryFolder folder;
  fs::create_directory(folder / "cluster_analysis_output");
  EXPECT_TRUE(is_ascend_folder(folder / "cluster_analysis_output"));
  const auto reading = read_ascend(folder / "cluster_analysis_output");
  ASSERT_TRUE(reading.error);
  EXPECT_EQ(reading.error->code, ErrorCode::UnsupportedFormat);
  EXPECT_NE(reading.error->hint.find("ranks"), std::string::npos);
}

TEST(AscendFolder, MsprofsFoldersAreRead) {
  const TemporaryFolder folder;
  const std::string path = folder / "PROF_000001_20260101_ABC";
  fs::create_directories(path + "/mindstudio_profiler_output");
  EXPECT_EQ(read_ascend(path).error->code, ErrorCode::UnsupportedFormat);
  static_cast<void>(folder.write(
      "PROF_000001_20260101_ABC/mindstudio_profiler_output/op_summary_20260101.csv",
      "Device_id,Model ID,Task ID,Stream ID,Op Name,OP Type,Task Type,Task Start Time(us),"
      "Task Duration(us),Block Num,Input Shapes,Input Data Types,Input Formats\n"
      "3,4294967295,8,2,MatMul_1,MatMul,AI_CORE,\"5.000\t\",1.5,20,\"\"\"4,4;4,4\"\"\",FLOAT;"
      "FLOAT,ND;ND\n"));
  EXPECT_EQ(read_ascend(path).device_events(),
            "5000+1500 3/2 kernel 0 0:0 20 MatMul_1: MatMul [[4,4],[4,4]] [\"FLOAT\",\"FLOAT\"] "
            "[\"ND\",\"ND\"]\n");
}

TEST(AscendFolder, OtherFoldersAndFilesAreNotOurs) {
  const TemporaryFolder folder;
  EXPECT_FALSE(is_ascend_folder(folder.path().string()));
  EXPECT_FALSE(is_ascend_folder(folder / "nowhere"));
  EXPECT_FALSE(is_ascend_file(folder / "nowhere"));
  EXPECT_FALSE(is_ascend_file(folder.write("a.json", R"([{"ph": "X", "name": "a"}])")));
  EXPECT_FALSE(is_ascend_file(folder.write("b.json", R"({"traceEvents": ["CANN"]})")));
  EXPECT_FALSE(is_ascend_file(folder.write("c.csv", "Name\n")));
  EXPECT_EQ(read_ascend(folder / "nowhere").error->code, ErrorCode::NotFound);
  EXPECT_EQ(read_ascend(folder / "c.csv").error->code, ErrorCode::NotATrace);
}

TEST(AscendFolder, PartsOfARankAreToldByTheirNamesAndBeginnings) {
  EXPECT_TRUE(is_ascend_folder(kText));
  EXPECT_TRUE(is_ascend_folder(kText + "/ASCEND_PROFILER_OUTPUT/"));
  EXPECT_FALSE(is_ascend_folder(kInputs));
  EXPECT_TRUE(is_ascend_file(kText + "/ASCEND_PROFILER_OUTPUT/trace_view.json"));
  EXPECT_TRUE(is_ascend_file(kText + "/ASCEND_PROFILER_OUTPUT/kernel_details.csv"));
  EXPECT_FALSE(is_ascend_file(kText + "/profiler_info_0.json"));
  const TemporaryFolder folder;
  const std::string copy = folder / "renamed.bin";
  fs::copy(kDatabase + "/ASCEND_PROFILER_OUTPUT/ascend_pytorch_profiler_0.db", copy);
  EXPECT_TRUE(is_ascend_file(copy));
  EXPECT_EQ(read_ascend(kText + "/ASCEND_PROFILER_OUTPUT").trace().rank, 0);
}

}  // namespace
}  // namespace opcensus::import

// SPDX-License-Identifier: Apache-2.0
#include "src/import/nsys/nsys_reader.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "src/import/nsys/nsys_test_support.h"

namespace opcensus::import {
namespace {

using testing::global_id;
using testing::NsysFile;
using testing::read_sql;
using testing::with_tables;

std::uint64_t category(const Trace& trace, std::string_view name) {
  for (const CategoryCount& row : trace.categories) {
    if (row.category == name) {
      return row.events;
    }
  }
  return 0;
}

TEST(ReadNsysExport, TakesKernelsAndTheirCalls) {
  const auto reading = read_sql(with_tables(fmt::format(R"sql(
INSERT INTO META_DATA_EXPORT VALUES ('EXPORT_SCHEMA_VERSION', '3.25.0'),
  ('EXPORT_PRODUCT_VERSION', '2026.2.1.210');
INSERT INTO CUPTI_ACTIVITY_KIND_RUNTIME VALUES (100, 110, {0}, 5, 2);
INSERT INTO CUPTI_ACTIVITY_KIND_KERNEL VALUES
  (9007199254740993, 9007199254741000, 1, 1, 7, 5, {1}, 1, 4, 16, 2, 1, 128, 1, 1, NULL);
)sql",
                                                        global_id(4711, 12),
                                                        global_id(4711))));
  ASSERT_FALSE(reading.error) << reading.error->message;
  const Trace& trace = reading.trace();
  EXPECT_EQ(trace.format, "nsys_sqlite");
  EXPECT_EQ(trace.variant, "schema 3.25.0");
  EXPECT_EQ(trace.device_type, "CUDA");
  EXPECT_TRUE(trace.complete);
  EXPECT_GT(trace.bytes, 0U);
  EXPECT_EQ(reading.property("nsys_version"), "2026.2.1.210");

  ASSERT_EQ(trace.device_events.size(), 1U);
  const DeviceEvent& kernel = trace.device_events[0];
  EXPECT_EQ(kernel.start, Nanoseconds(9007199254740993));  // beyond what a double can hold
  EXPECT_EQ(kernel.duration, Nanoseconds(7));
  EXPECT_EQ(kernel.correlation, 5U);
  EXPECT_EQ(kernel.graph_node_id, 0U);
  EXPECT_EQ(reading.text(kernel.name), "void gemm<float>(float*)");
  EXPECT_EQ(reading.model.dims[kernel.dims].grid, (std::array<std::uint32_t, 3>{16, 2, 1}));
  EXPECT_EQ(reading.model.dims[kernel.dims].block, (std::array<std::uint32_t, 3>{128, 1, 1}));
  EXPECT_EQ(trace.streams[kernel.stream.index()].device, 1);
  EXPECT_EQ(trace.streams[kernel.stream.index()].stream, 7);
  EXPECT_EQ(trace.raw_device[0].events, 1U);
  EXPECT_EQ(trace.raw_device[0].time, Nanoseconds(7));

  ASSERT_EQ(trace.api_calls.size(), 1U);
  EXPECT_EQ(trace.api_calls[0].kind, ApiCallKind::LaunchKernel);
  EXPECT_EQ(trace.api_calls[0].correlation, 5U);
  EXPECT_EQ(reading.text(trace.api_calls[0].name), "cudaLaunchKernel_v7000");
  EXPECT_EQ(reading.text(trace.threads.at(0).thread), "12");
  EXPECT_EQ(category(trace, "kernel"), 1U);
  EXPECT_EQ(category(trace, "call"), 1U);
}

TEST(ReadNsysExport, NamesCopiesAndMemsetsAsKinetoDoes) {
  const auto reading = read_sql(with_tables(R"sql(
CREATE TABLE CUPTI_ACTIVITY_KIND_MEMCPY (start, end, deviceId, streamId, correlationId, globalPid,
  copyKind, srcKind, dstKind, graphNodeId);
CREATE TABLE CUPTI_ACTIVITY_KIND_MEMSET (start, end, deviceId, streamId, correlationId, memKind);
INSERT INTO CUPTI_ACTIVITY_KIND_MEMCPY VALUES (10, 12, 0, 7, 3, NULL, 1, 0, 2, NULL),
  (20, 23, 0, 7, 4, NULL, 99, NULL, NULL, NULL);
INSERT INTO CUPTI_ACTIVITY_KIND_MEMSET VALUES (30, 34, 0, 7, 5, 2);
)sql"));
  ASSERT_FALSE(reading.error);
  const Trace& trace = reading.trace();
  ASSERT_EQ(trace.device_events.size(), 3U);
  EXPECT_EQ(reading.text(trace.device_events[0].name), "Memcpy HtoD (Pageable -> Device)");
  EXPECT_EQ(reading.text(trace.device_events[1].name), "Memcpy Unknown");
  EXPECT_EQ(reading.text(trace.device_events[2].name), "Memset (Device)");
  EXPECT_EQ(trace.device_events[0].kind, DeviceEventKind::Memcpy);
  EXPECT_EQ(trace.raw_device[1].events, 2U);
  EXPECT_EQ(trace.raw_device[1].time, Nanoseconds(5));
  EXPECT_EQ(trace.raw_device[2].time, Nanoseconds(4));
}

TEST(ReadNsysExport, RangesOfPyTorchAreOperators) {
  const auto reading = read_sql(with_tables(R"sql(
INSERT INTO NVTX_EVENTS VALUES
  (100, 200, 59, NULL, 1, NULL, 5),
  (90, 300, 59, 'decode', 1, NULL, NULL),
  (110, 120, 59, 'aten::t, op_id = 8', 1, NULL, NULL),
  (95, 96, 34, 'a mark', 1, NULL, NULL),
  (50, 400, 60, 'aten::mm, op_id = 9, sizes = [[1]]', 1, 2, NULL),
  (280, NULL, 59, 'never popped', 1, NULL, NULL);
)sql"));
  ASSERT_FALSE(reading.error);
  EXPECT_EQ(reading.spans(),
            "100+100 aten::mm [[8,16],[16,4]]\n"
            "90+210 (decode)\n"
            "110+10 aten::t\n"
            "50+350 (aten::mm)\n"
            "280+120 (never popped)\n");
  EXPECT_EQ(reading.trace().record_shapes, true);
  EXPECT_EQ(reading.trace().diagnostics.times(Issue::RangesAsOperators), 0U);
  EXPECT_EQ(reading.trace().cannot_tell, std::vector<std::string>{"input dtypes of operators"});
  EXPECT_EQ(category(reading.trace(), "operator"), 2U);
  EXPECT_EQ(category(reading.trace(), "annotation"), 3U);
}

TEST(ReadNsysExport, WithoutPyTorchTheInnermostRangeOfALaunchIsItsOperator) {
  const auto reading = read_sql(with_tables(R"sql(
INSERT INTO NVTX_EVENTS VALUES
  (0, 100, 59, 'step', 1, NULL, NULL),
  (10, 40, 59, '{''Module'': ''mlp'', ''Inputs'': [[8, 16]]}', 1, NULL, NULL),
  (15, 20, 59, 'idle', 1, NULL, NULL),
  (50, 60, 59, '{''Module'': ''mlp'', ''Inputs'': [[4, 16]]}', 1, NULL, NULL),
  (20, 30, 59, 'other thread', 2, NULL, NULL),
  (1, 99, 60, 'start and end', 1, 1, NULL);
INSERT INTO CUPTI_ACTIVITY_KIND_RUNTIME VALUES
  (25, 26, 1, 5, 2), (55, 56, 1, 6, 2), (70, 71, 1, 7, 3);
)sql"));
  ASSERT_FALSE(reading.error);
  EXPECT_EQ(reading.spans(),
            "0+100 (step)\n"
            "10+30 (mlp)\n"
            "15+5 (idle)\n"
            "50+10 (mlp)\n"
            "20+10 (other thread)\n"
            "1+98 (start and end)\n"
            "10+30 mlp [[8,16]]\n"
            "50+10 mlp [[4,16]]\n");
  EXPECT_EQ(reading.trace().diagnostics.times(Issue::RangesAsOperators), 1U);
  EXPECT_EQ(reading.trace().cannot_tell.at(0), "operators (PyTorch's ranges were not recorded)");
}

TEST(ReadNsysExport, KeepsProcessesWithEqualCorrelationApart) {
  const auto reading = read_sql(with_tables(fmt::format(R"sql(
CREATE TABLE PROCESSES (globalPid INTEGER, pid INTEGER, name TEXT);
INSERT INTO PROCESSES VALUES ({0}, 47, 'python3'), ({1}, 4711, 'python3');
INSERT INTO CUPTI_ACTIVITY_KIND_RUNTIME VALUES (1, 2, {0} + 9, 5, 2), (1, 2, {1} + 9, 5, 2);
INSERT INTO CUPTI_ACTIVITY_KIND_KERNEL (start, end, deviceId, streamId, correlationId, globalPid)
  VALUES (10, 20, 0, 7, 5, {0}), (10, 20, 0, 7, 5, {1});
)sql",
                                                        global_id(47),
                                                        global_id(4711))));
  ASSERT_FALSE(reading.error);
  const Trace& trace = reading.trace();
  ASSERT_EQ(trace.streams.size(), 2U);
  ASSERT_EQ(trace.threads.size(), 2U);
  EXPECT_EQ(reading.text(trace.threads[0].process), "47: python3");
  EXPECT_EQ(reading.text(trace.threads[1].process), "4711: python3");
  EXPECT_EQ(reading.text(trace.streams[0].process_group), "47:");
  EXPECT_EQ(reading.text(trace.streams[1].process_group), "4711:");
}

TEST(ReadNsysExport, TellsEqualProcessIdsOfTwoMachinesApart) {
  const std::int64_t elsewhere = global_id(47) + (std::int64_t{1} << 48);
  const auto reading = read_sql(with_tables(fmt::format(R"sql(
INSERT INTO CUPTI_ACTIVITY_KIND_RUNTIME VALUES (1, 2, {0}, 5, 2), (1, 2, {1}, 5, 2);
)sql",
                                                        global_id(47, 9),
                                                        elsewhere)));
  ASSERT_FALSE(reading.error);
  EXPECT_EQ(reading.text(reading.trace().threads.at(0).process), "47:");
  EXPECT_NE(reading.text(reading.trace().threads.at(1).process), "47:");
}

TEST(ReadNsysExport, TakesDevicesAsTheProcessNumbersThem) {
  const auto reading = read_sql(with_tables(fmt::format(R"sql(
CREATE TABLE TARGET_INFO_GPU (id INTEGER, name TEXT);
CREATE TABLE TARGET_INFO_CUDA_DEVICE (gpuId INTEGER, cudaId INTEGER, pid INTEGER);
INSERT INTO TARGET_INFO_GPU VALUES (0, 'NVIDIA H200'), (3, 'NVIDIA H200');
INSERT INTO TARGET_INFO_CUDA_DEVICE VALUES (3, 0, 47);
INSERT INTO CUPTI_ACTIVITY_KIND_KERNEL (start, end, deviceId, streamId, globalPid)
  VALUES (10, 20, 0, 7, {0}), (10, 20, 1, 7, {0});
)sql",
                                                        global_id(47))));
  ASSERT_FALSE(reading.error);
  ASSERT_EQ(reading.trace().devices.size(), 2U);
  EXPECT_EQ(reading.trace().devices[1].id, 3);
  EXPECT_EQ(reading.trace().devices[1].name, "NVIDIA H200");
  EXPECT_EQ(reading.trace().streams.at(0).device, 3);
  EXPECT_EQ(reading.trace().streams.at(1).device, 1);
  EXPECT_TRUE(reading.trace().streams[0].process_group.is_none());  // one process only
}

TEST(ReadNsysExport, ReadsTheRankFromTheEnvironmentAndKeepsNothingElseOfIt) {
  const std::string sql = with_tables(fmt::format(R"sql(
CREATE TABLE META_DATA_CAPTURE (name TEXT, value TEXT);
INSERT INTO META_DATA_CAPTURE VALUES ('PROCESS_0:ENVIRONMENT_VARIABLE', 'RANK="3"'),
  ('PROCESS_0:ENVIRONMENT_VARIABLE', 'WORLD_SIZE=8'),
  ('PROCESS_0:ENVIRONMENT_VARIABLE', 'RANKING="9"'),
  ('PROCESS_0:ENVIRONMENT_VARIABLE', 'API_TOKEN="secret"'),
  ('PROFILING_SESSION_UUID', '017c8386'), ('CUDA_GRAPH_TRACE_OPTIONS:MODE', 'Node');
INSERT INTO CUPTI_ACTIVITY_KIND_KERNEL (start, end, globalPid) VALUES (10, 20, {});
)sql",
                                                  global_id(47)));
  const auto reading = read_sql(sql);
  ASSERT_FALSE(reading.error);
  EXPECT_EQ(reading.trace().rank, 3);
  EXPECT_EQ(reading.trace().world_size, 8);
  EXPECT_EQ(reading.trace().trace_id, "017c8386-10");
  EXPECT_EQ(reading.property("cuda_graph_trace"), "Node");
  EXPECT_EQ(reading.trace().properties.size(), 1U);

  const auto two = read_sql(sql + fmt::format("INSERT INTO CUPTI_ACTIVITY_KIND_KERNEL (start, end, "
                                              "globalPid) VALUES (10, 20, {})",
                                              global_id(48)));
  EXPECT_EQ(two.trace().rank, std::nullopt);
}

TEST(ReadNsysExport, CountsWhatItLeavesOut) {
  const auto reading = read_sql(with_tables(R"sql(
CREATE TABLE DIAGNOSTIC_EVENT (timestamp, severity, text);
INSERT INTO DIAGNOSTIC_EVENT VALUES (1, 2, '12 CUDA events were dropped'),
  (1, 1, 'Number of dropped events: 0'),
  (1, 2, 'Not all CUDA events might have been collected.');
INSERT INTO CUPTI_ACTIVITY_KIND_KERNEL (start, end) VALUES (10, NULL), (NULL, 10),
  (10, 9223372036854775807), (20, 15), ('30', '31'), ('x', 40);
)sql"));
  ASSERT_FALSE(reading.error);
  const Trace& trace = reading.trace();
  EXPECT_EQ(trace.diagnostics.times(Issue::RecordsDropped), 1U);
  EXPECT_EQ(trace.diagnostics.times(Issue::BadEvent), 3U);
  EXPECT_EQ(trace.diagnostics.times(Issue::TimeOutOfRange), 1U);
  EXPECT_EQ(trace.diagnostics.times(Issue::NegativeDuration), 1U);
  ASSERT_EQ(trace.device_events.size(), 2U);
  EXPECT_EQ(trace.raw_device[0].events, 2U);
  EXPECT_EQ(trace.device_events[1].start, Nanoseconds(30));
  EXPECT_EQ(trace.cannot_tell.back(),
            "whether every event was collected (nsys warns that some may be missing)");
}

TEST(ReadNsysExport, ToleratesMissingTablesAndColumns) {
  const auto reading = read_sql(R"sql(
CREATE TABLE META_DATA_EXPORT (name TEXT, value TEXT);
CREATE TABLE CUPTI_ACTIVITY_KIND_KERNEL (start, end, name);
CREATE TABLE NVTX_EVENTS_V3 (start, end, text);
INSERT INTO CUPTI_ACTIVITY_KIND_KERNEL VALUES (1, 3, 'gemm');
INSERT INTO NVTX_EVENTS_V3 VALUES (0, 9, 'aten::mm');
)sql");
  ASSERT_FALSE(reading.error) << reading.error->message;
  EXPECT_EQ(reading.text(reading.trace().device_events.at(0).name), "gemm");
  EXPECT_EQ(reading.spans(), "0+9 aten::mm\n");
}

TEST(ReadNsysExport, TakesEachRowOnceWhereTextsHaveEqualIds) {
  const auto reading = read_sql(R"sql(
CREATE TABLE StringIds (id INTEGER, value TEXT);
CREATE TABLE CUPTI_ACTIVITY_KIND_KERNEL (start, end, shortName);
INSERT INTO StringIds VALUES (1, 'gemm'), (1, 'gemm'), (2, 'copy');
INSERT INTO CUPTI_ACTIVITY_KIND_KERNEL VALUES (1, 3, 1), (4, 6, 2), (7, 9, 99), (10, 12, NULL);
)sql");
  ASSERT_FALSE(reading.error) << reading.error->message;
  const Trace& trace = reading.trace();
  ASSERT_EQ(trace.device_events.size(), 4U);
  EXPECT_EQ(reading.text(trace.device_events[0].name), "gemm");
  EXPECT_EQ(reading.text(trace.device_events[1].name), "copy");
  EXPECT_EQ(reading.text(trace.device_events[2].name), "");
}

TEST(ReadNsysExport, LimitsTexts) {
  NsysOptions options;
  options.limits.max_string_bytes = 10;
  const std::string sql =
      with_tables("INSERT INTO NVTX_EVENTS (start, end, text) VALUES (1, 2, 'more than 10 bytes')");
  const auto reading = read_sql(sql, options);
  ASSERT_TRUE(reading.error);
  EXPECT_EQ(reading.error->code, ErrorCode::LimitExceeded);
  EXPECT_FALSE(reading.error->file.empty());
  EXPECT_FALSE(read_sql(sql).error);
}

TEST(IsNsysExport, LooksAtTheTables) {
  EXPECT_TRUE(is_nsys_export(NsysFile(with_tables("")).path()));
  EXPECT_FALSE(is_nsys_export(NsysFile("CREATE TABLE StringIds (id, value)").path()));
  // nvprof
  EXPECT_FALSE(is_nsys_export(NsysFile("CREATE TABLE CUPTI_ACTIVITY_KIND_KERNEL (start);"
                                       "CREATE TABLE StringTable (_id_, value)")
                                  .path()));
  EXPECT_FALSE(is_nsys_export("no such file"));
}

TEST(IsNsysReport, LooksAtTheName) {
  EXPECT_TRUE(is_nsys_report("run/report1.nsys-rep"));
  EXPECT_TRUE(is_nsys_report("OLD.QDREP"));
  EXPECT_FALSE(is_nsys_report("report1.sqlite"));
  EXPECT_FALSE(is_nsys_report("rep"));
  const Error error = nsys_report_error("a.nsys-rep");
  EXPECT_EQ(error.code, ErrorCode::UnsupportedFormat);
  EXPECT_NE(error.hint.find("nsys export --type sqlite"), std::string::npos);
}

}  // namespace
}  // namespace opcensus::import

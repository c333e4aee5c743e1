// SPDX-License-Identifier: Apache-2.0
#include <string>
#include <string_view>

#include <gtest/gtest.h>

#include "src/import/ascend/csv_rows.h"
#include "src/import/ascend/host_row_use.h"
#include "src/import/ascend/input_lists.h"
#include "src/import/ascend/json_events.h"
#include "src/import/ascend/profile_info.h"
#include "src/import/ascend/task_kind.h"

namespace opcensus::import::ascend {
namespace {

/// Cells as "a|b|c", one row a line; "!" and the message for an Error.
std::string rows_of(std::string_view content, std::size_t max_row_bytes = 100) {
  const auto source = bytes_in_memory(content);
  CsvRows csv(*source, max_row_bytes);
  std::string out;
  while (true) {
    const auto row = csv.next();
    if (!row) {
      return out + "!" + row.error().message;
    }
    if (!*row) {
      return out + (csv.ends_in_quotes() ? "cut" : "");
    }
    for (const std::string& cell : csv.cells()) {
      out += cell + "|";
    }
    out += "\n";
  }
}

TEST(CsvRows, CellsAreCutAtCommas) {
  EXPECT_EQ(rows_of("a,b\r\n1,,2\n,\n"), "a|b|\n1||2|\n||\n");
}

TEST(CsvRows, QuotedCellsHoldCommasLinesAndQuotes) {
  EXPECT_EQ(rows_of("\"a,\"\"b\"\"\r\nc\",d\n"), "a,\"b\"\r\nc|d|\n");
  EXPECT_EQ(rows_of("\"\"\"8,4\"\"\"\n"), "\"8,4\"|\n");
  EXPECT_EQ(rows_of("\"\",x\n"), "|x|\n");
}

TEST(CsvRows, TheLastLineNeedsNoEnd) {
  EXPECT_EQ(rows_of("a\nb"), "a|\nb|\n");
  EXPECT_EQ(rows_of(""), "");
  EXPECT_EQ(rows_of("\"a"), "a|\ncut");
}

TEST(CsvRows, ALongRowIsAnError) {
  EXPECT_EQ(rows_of("12345\n", 5), "12345|\n");
  EXPECT_EQ(rows_of("123456\n", 5), "!a row is longer than 5 bytes");
  EXPECT_EQ(rows_of(",,,,,,\n", 5), "!a row is longer than 5 bytes");
  EXPECT_EQ(rows_of("\"123456\"\n", 5), "!a row is longer than 5 bytes");
}

TEST(CsvHeader, NamesAreFoundWithoutMarkAndSpace) {
  const CsvHeader header({"\xEF\xBB\xBFName", " Type "});
  EXPECT_EQ(header.find("Name"), 0U);
  EXPECT_EQ(header.find("Type"), 1U);
  EXPECT_EQ(header.find("Other"), std::nullopt);
}

/// Objects one a line; "!" and the message for an Error; "cut" where the array has no end.
std::string events_of(std::string_view content, std::size_t max_event_bytes = 100) {
  const auto source = bytes_in_memory(content);
  JsonEvents events(*source, max_event_bytes);
  std::string out;
  while (true) {
    const auto event = events.next();
    if (!event) {
      return out + "!" + event.error().message;
    }
    if (event->empty()) {
      return out + (events.is_closed() ? "" : "cut");
    }
    out += std::string(*event) + "\n";
  }
}

TEST(JsonEvents, ObjectsAreCutOutOfTheArray) {
  EXPECT_EQ(events_of(R"( [{"a":{"b":[1]}} , {}] )"), "{\"a\":{\"b\":[1]}}\n{}\n");
  EXPECT_EQ(events_of(R"([{"a":"}\"]{\\"},{"b":1}])"), "{\"a\":\"}\\\"]{\\\\\"}\n{\"b\":1}\n");
}

TEST(JsonEvents, WhatIsCutOffIsTold) {
  EXPECT_EQ(events_of("[{},{\"a\":"), "{}\ncut");
  EXPECT_EQ(events_of("[{}"), "{}\ncut");
  EXPECT_EQ(events_of(""), "cut");
}

TEST(JsonEvents, OtherFilesAndLongEventsAreErrors) {
  EXPECT_EQ(events_of("{}"), "!the file is no JSON array");
  EXPECT_EQ(events_of("[{\"abc\":1}]", 9), "{\"abc\":1}\n");
  EXPECT_EQ(events_of("[{\"abc\":1}]", 8), "!an event is longer than 8 bytes");
}

TEST(InputLists, HostShapesAndDtypes) {
  const InputLists lists = host_input_lists("8,1024;\r\n;\r\n4", "float;\r\nScalar;\r\nlong int");
  EXPECT_EQ(lists.shapes, "[[8,1024],[],[4]]");
  EXPECT_EQ(lists.dtypes, R"(["float","Scalar","long int"])");
  EXPECT_FALSE(lists.has_elided_list);
}

TEST(InputLists, ExchangedColumnsAreTold) {
  const InputLists lists = host_input_lists("float;\r\nScalar", "8;\r\n");
  EXPECT_EQ(lists.shapes, "[[8],[]]");
  EXPECT_EQ(lists.dtypes, R"(["float","Scalar"])");
  EXPECT_EQ(host_input_lists("float", "").shapes, "[[]]");
  EXPECT_EQ(host_input_lists("float", "").dtypes, R"(["float"])");
}

TEST(InputLists, WithoutOneTheOtherIsKept) {
  EXPECT_EQ(host_input_lists("", "float;\r\nfloat").shapes, "[[],[]]");
  EXPECT_EQ(host_input_lists("4;\r\n2", "").shapes, "[[4],[2]]");
  EXPECT_EQ(host_input_lists("4;\r\n2", "").dtypes, "");
  EXPECT_EQ(host_input_lists("", "").shapes, "");
  EXPECT_EQ(host_input_lists("", "").dtypes, "");
}

TEST(InputLists, WhatIsNoShapeIsNotRecorded) {
  EXPECT_EQ(host_input_lists("4,;\r\n2", "float;\r\nfloat").shapes, "");
  EXPECT_EQ(host_input_lists("[4];\r\n2", "float;\r\nfloat").shapes, "");
  EXPECT_EQ(host_input_lists("[4];\r\n2", "float;\r\nfloat").dtypes, R"(["float","float"])");
}

TEST(InputLists, NamesAreJson) {
  EXPECT_EQ(host_input_lists("", "a\"\\\x01").dtypes, R"(["a\"\\\u0001"])");
}

TEST(InputLists, DeviceShapes) {
  EXPECT_EQ(device_shapes(R"("32,1000;32;1000")"), "[[32,1000],[32],[1000]]");
  EXPECT_EQ(device_shapes(R"("32,1000;")"), "[[32,1000],[]]");
  EXPECT_EQ(device_shapes(R"(";")"), "[[],[]]");
  EXPECT_EQ(device_shapes("4,4"), "[[4,4]]");
  EXPECT_EQ(device_shapes("N/A"), "");
  EXPECT_EQ(device_shapes(""), "");
  EXPECT_EQ(device_shapes("\"x\""), "");
  EXPECT_EQ(device_names("NC1HWC0:1;ND"), R"(["NC1HWC0:1","ND"])");
  EXPECT_EQ(device_names("N/A"), "");
}

TEST(HostRowUse, OperatorsBackendCallsAndAnnotations) {
  HostInputs none;
  HostInputs some;
  some.dtypes = StringId(0);
  EXPECT_EQ(use_of_host_row("aten::mm", some, false), HostRowUse::Operator);
  EXPECT_EQ(use_of_host_row("aten::mm", none, true), HostRowUse::Operator);
  EXPECT_EQ(use_of_host_row("AddmmBackward0", none, true), HostRowUse::Operator);
  EXPECT_EQ(use_of_host_row("HcclAllreduce", some, false), HostRowUse::Operator);
  EXPECT_EQ(use_of_host_row("HcclAllreduce", none, false), HostRowUse::Backend);
  EXPECT_EQ(use_of_host_row("aclnnThresholdBackward", none, false), HostRowUse::Backend);
  EXPECT_EQ(use_of_host_row("record_event", none, false), HostRowUse::Backend);
  EXPECT_EQ(use_of_host_row("Conv2D", none, true), HostRowUse::Backend);
  EXPECT_EQ(use_of_host_row("my_region", none, false), HostRowUse::Annotation);
  EXPECT_EQ(use_of_host_row("ProfilerStep#7", none, true), HostRowUse::Annotation);
  EXPECT_EQ(use_of_host_row("Optimizer.step#SGD.step", none, false), HostRowUse::Annotation);
}

TEST(TaskKind, ByType) {
  EXPECT_EQ(kind_of_task_type("KERNEL_AIVEC"), DeviceEventKind::Kernel);
  EXPECT_EQ(kind_of_task_type("MIX_AIC"), DeviceEventKind::Kernel);
  EXPECT_EQ(kind_of_task_type("MEMCPY_ASYNC"), DeviceEventKind::Memcpy);
  EXPECT_EQ(kind_of_task_type("MEMSET_ASYNC"), DeviceEventKind::Memset);
  EXPECT_EQ(kind_of_task_type("EVENT_RECORD"), std::nullopt);
  EXPECT_EQ(kind_of_task_type("SDMA"), std::nullopt);
  EXPECT_TRUE(is_task_type_name("EVENT_WAIT"));
  EXPECT_TRUE(is_task_type_name("Notify Wait"));
  EXPECT_FALSE(is_task_type_name("MatMulV2"));
}

TEST(ProfileInfo, RanksInFileNames) {
  EXPECT_EQ(rank_of_file_name("a/ascend_pytorch_profiler_12.db"), 12);
  EXPECT_EQ(rank_of_file_name("profiler_info_0.json"), 0);
  EXPECT_EQ(rank_of_file_name("ascend_pytorch_profiler.db"), std::nullopt);
  EXPECT_EQ(rank_of_file_name("msprof_20260101000000.db"), std::nullopt);
}

}  // namespace
}  // namespace opcensus::import::ascend

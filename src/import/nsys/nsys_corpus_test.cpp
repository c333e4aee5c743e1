// SPDX-License-Identifier: Apache-2.0
//
// Exports that are not part of the project. OPCENSUS_CORPUS names the folder; without it these
// tests are skipped.
#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <string>

#include <gtest/gtest.h>

#include "src/import/nsys/nsys_test_support.h"

namespace opcensus::import {
namespace {

using testing::read_file;

class NsysCorpus : public ::testing::Test {
 protected:
  void SetUp() override {
    const char* corpus =
        std::getenv("OPCENSUS_CORPUS");  // NOLINT(concurrency-mt-unsafe): one thread
    folder_ = corpus == nullptr ? "" : std::string(corpus) + "/GindaChen+nsys-ai/tests/fixtures";
    if (folder_.empty() || !std::filesystem::is_directory(folder_)) {
      GTEST_SKIP() << "OPCENSUS_CORPUS does not name a folder with exports of nsys";
    }
  }

  std::filesystem::path folder_;
};

/// Rows and nanoseconds of a table, as SQLite adds them up.
RawDeviceCount sum_of(const std::string& path, const std::string& table) {
  auto database = Database::open_read_only(path, ErrorCode::Damaged);
  auto sum = database->prepare("SELECT COUNT(*), SUM(\"end\" - start) FROM " + table);
  if (!sum || !sum->step()) {
    return {};
  }
  const std::uint64_t events = sum->count();
  return {events, Nanoseconds(sum->optional_integer().value_or(0))};
}

void expect_sums(const Trace& trace, DeviceEventKind kind, const std::string& table) {
  const RawDeviceCount expected = sum_of(trace.path, table);
  ASSERT_GT(expected.events, 0U) << table;
  RawDeviceCount found;
  for (const DeviceEvent& event : trace.device_events) {
    if (event.kind == kind) {
      ++found.events;
      found.time += event.duration;
    }
  }
  const RawDeviceCount& raw = trace.raw_device.at(static_cast<std::size_t>(kind));
  EXPECT_EQ(found.events, expected.events) << table;
  EXPECT_EQ(found.time, expected.time) << table;
  EXPECT_EQ(raw.events, expected.events) << table;
  EXPECT_EQ(raw.time, expected.time) << table;
}

TEST_F(NsysCorpus, SumsAgreeWithThoseOfSqlite) {
  for (const char* name :
       {"h100_2gpu_1s.sqlite", "mfu_2gpu_before.sqlite", "mfu_2gpu_after.sqlite"}) {
    const auto reading = read_file((folder_ / name).string());
    ASSERT_FALSE(reading.error) << name;
    const Trace& trace = reading.trace();
    expect_sums(trace, DeviceEventKind::Kernel, "CUPTI_ACTIVITY_KIND_KERNEL");
    expect_sums(trace, DeviceEventKind::Memcpy, "CUPTI_ACTIVITY_KIND_MEMCPY");
    expect_sums(trace, DeviceEventKind::Memset, "CUPTI_ACTIVITY_KIND_MEMSET");
    EXPECT_EQ(trace.api_calls.size(), sum_of(trace.path, "CUPTI_ACTIVITY_KIND_RUNTIME").events);
    EXPECT_FALSE(trace.diagnostics.has(Severity::DataLoss)) << name;
  }
}

TEST_F(NsysCorpus, RangesOfPyTorchAreOperators) {
  const auto reading = read_file((folder_ / "h100_2gpu_1s.sqlite").string());
  ASSERT_FALSE(reading.error);
  const Trace& trace = reading.trace();
  EXPECT_EQ(trace.variant, "schema 3.25.0");
  EXPECT_EQ(trace.host_spans.size(), 16782U);
  const auto name_is = [&reading](std::string_view name) {
    return [&reading, name](const HostSpan& span) {
      return span.kind == HostSpanKind::Operator && reading.text(span.signature) == name;
    };
  };
  EXPECT_EQ(std::count_if(trace.host_spans.begin(), trace.host_spans.end(), name_is("aten::mm")),
            280);
  EXPECT_EQ(trace.record_shapes, false);
  EXPECT_EQ(trace.streams.size(),
            static_cast<std::size_t>(
                std::count_if(trace.streams.begin(), trace.streams.end(), [](const Stream& stream) {
                  return stream.process_group.has_value();
                })));
}

TEST_F(NsysCorpus, EveryExportGivesATrace) {
  std::size_t files = 0;
  for (const auto& entry : std::filesystem::directory_iterator(folder_)) {
    if (entry.path().extension() != ".sqlite") {
      continue;
    }
    ++files;
    EXPECT_TRUE(is_nsys_export(entry.path().string())) << entry.path();
    const auto reading = read_file(entry.path().string());
    ASSERT_FALSE(reading.error) << entry.path() << reading.error->message;
    EXPECT_FALSE(reading.trace().device_events.empty()) << entry.path();
    EXPECT_FALSE(reading.trace().variant.empty()) << entry.path();
  }
  EXPECT_EQ(files, 6U);
}

}  // namespace
}  // namespace opcensus::import

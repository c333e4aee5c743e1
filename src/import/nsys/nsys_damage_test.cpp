// SPDX-License-Identifier: Apache-2.0
//
// A database that is cut off or changed ends in an Error or in a trace whose device events agree
// with their independent count.
#include <fstream>
#include <sstream>

#include <gtest/gtest.h>

#include "src/import/nsys/nsys_test_support.h"

namespace opcensus::import {
namespace {

using testing::NsysFile;
using testing::read_file;
using testing::read_sql;
using testing::with_tables;

constexpr std::string_view kManyRows = R"sql(
WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 600)
INSERT INTO CUPTI_ACTIVITY_KIND_KERNEL (start, end, deviceId, streamId, correlationId, globalPid,
  demangledName) SELECT i * 10, i * 10 + 5, 0, 7, i, 1, 1 FROM n;
INSERT INTO NVTX_EVENTS SELECT start, end, 59, 'aten::mm, op_id = ' || start, 1, NULL, NULL
  FROM CUPTI_ACTIVITY_KIND_KERNEL;
)sql";

std::string content_of(const std::string& path) {
  std::ostringstream out;
  out << std::ifstream(path, std::ios::binary).rdbuf();
  return out.str();
}

TEST(DamagedExport, ATruncatedDatabaseIsAnError) {
  const NsysFile file(with_tables(kManyRows));
  const std::string whole = content_of(file.path());
  ASSERT_FALSE(read_file(file.path()).error);
  for (std::size_t size = 512; size < whole.size(); size += 997) {
    file.write(std::string_view(whole).substr(0, size));
    const auto reading = read_file(file.path());
    ASSERT_TRUE(reading.error) << size;
    EXPECT_TRUE(reading.model.traces.empty());
    EXPECT_EQ(reading.error->file, file.path());
    EXPECT_EQ(reading.error->code, ErrorCode::Damaged) << size;
  }
}

TEST(DamagedExport, ChangedBytesNeverLoseEventsSilently) {
  const NsysFile file(with_tables(kManyRows));
  const std::string whole = content_of(file.path());
  std::size_t errors = 0;
  for (std::size_t at = 16; at < whole.size(); at += 211) {
    std::string changed = whole;
    changed[at] = static_cast<char>(~changed[at]);
    file.write(changed);
    const auto reading = read_file(file.path());
    if (reading.error) {
      ++errors;
      continue;
    }
    std::uint64_t events = 0;
    for (const RawDeviceCount& raw : reading.trace().raw_device) {
      events += raw.events;
    }
    EXPECT_EQ(events, reading.trace().device_events.size()) << at;
  }
  EXPECT_GT(errors, 0U);
}

TEST(DamagedExport, OtherFilesAreNoExports) {
  EXPECT_EQ(read_file("no such file").error->code, ErrorCode::Damaged);
  EXPECT_EQ(read_sql("CREATE TABLE a (b)").error->code, ErrorCode::NotATrace);
  const NsysFile file;
  file.write("SQLite format 3, or so they say");
  EXPECT_EQ(read_file(file.path()).error->code, ErrorCode::Damaged);
}

TEST(DamagedExport, AViewIsNoTable) {
  // A view can run for ever; nsys writes none.
  const auto reading = read_sql(R"sql(
CREATE TABLE META_DATA_EXPORT (name TEXT, value TEXT);
CREATE VIEW CUPTI_ACTIVITY_KIND_KERNEL AS
  WITH RECURSIVE n(start) AS (SELECT 1 UNION ALL SELECT start + 1 FROM n)
  SELECT start, start AS end FROM n;
)sql");
  ASSERT_FALSE(reading.error);
  EXPECT_TRUE(reading.trace().device_events.empty());
}

}  // namespace
}  // namespace opcensus::import

// SPDX-License-Identifier: Apache-2.0
#include "src/census/census_file.h"

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <stdlib.h>  // mkdtemp

#include "src/census/census_schema.h"
#include "src/census/random_census.h"
#include "src/io/sqlite.h"

namespace opcensus {
namespace {

using testing::Random;
using testing::random_census;

namespace fs = std::filesystem;

class CensusFile : public ::testing::Test {
 protected:
  void SetUp() override {
    std::string name = (fs::temp_directory_path() / "opcensus_census_XXXXXX").string();
    ASSERT_NE(::mkdtemp(name.data()), nullptr);
    folder_ = name;
  }

  void TearDown() override { fs::remove_all(folder_); }

  [[nodiscard]] std::string path(const std::string& name = "a.census") const {
    return (folder_ / name).string();
  }

  [[nodiscard]] std::size_t count_files() const {
    return static_cast<std::size_t>(
        std::distance(fs::directory_iterator(folder_), fs::directory_iterator()));
  }

  /// A sound census with one thing changed by hand.
  Result<Census> read_after(const std::string& sql) {
    EXPECT_TRUE(write_census(random_census(3, "a"), path()).has_value());
    Result<Database> database = Database::open_for_writing(path());
    EXPECT_TRUE(database.has_value());
    const Status status = database->execute("PRAGMA ignore_check_constraints = 1;" + sql);
    EXPECT_TRUE(status.has_value()) << sql << ": " << (status ? "" : status.error().message);
    EXPECT_TRUE(database->close().has_value());
    return read_census(path());
  }

  void expect_refused(const std::string& sql) {
    const Result<Census> census = read_after(sql);
    ASSERT_FALSE(census.has_value()) << sql;
    EXPECT_EQ(census.error().code, ErrorCode::BadCensus) << sql;
    EXPECT_FALSE(census.error().message.empty()) << sql;
    EXPECT_EQ(census.error().file, path()) << sql;
  }

 private:
  fs::path folder_;
};

std::string read_bytes(const std::string& path) {
  std::ifstream stream(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), std::istreambuf_iterator<char>()};
}

void write_bytes(const std::string& path, std::string_view bytes) {
  std::ofstream(path, std::ios::binary | std::ios::trunc) << bytes;
}

TEST_F(CensusFile, ReadsBackWhatWasWritten) {
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    const Census census = random_census(seed, "a");
    ASSERT_TRUE(write_census(census, path()).has_value());
    const Result<Census> read = read_census(path());
    ASSERT_TRUE(read.has_value()) << read.error().message;
    EXPECT_EQ(*read, census) << "seed " << seed;
  }
  EXPECT_EQ(count_files(), 1U);  // no temporary and no journal
}

TEST_F(CensusFile, KeepsAnyTextAndAnyNumber) {
  Census census;
  census.tool_version = "0.1.0";
  census.texts = {
      "", std::string("nul\0inside", 10), "\xff\xfe not UTF-8", "'; DROP TABLE texts; --"};
  census.inputs.push_back(
      {"a\nb%20?.json", "kineto_json", "runtime", -1, INT64_MAX, 0, false, "\x1b[31m"});
  census.raw_counts = {{-1, 0, 1, INT64_MAX, Nanoseconds(INT64_MIN)}};
  census.steps = {{0, StepKind::Other, -1, 0, 0}};
  CensusGraph graph;  // without a batch size
  graph.number = kNoIndex - 1;
  census.graphs = {graph};
  census.checks = {{"a", false}, {"b", true}};
  ASSERT_TRUE(write_census(census, path()).has_value());
  const Result<Census> read = read_census(path());
  ASSERT_TRUE(read.has_value()) << read.error().message;
  EXPECT_EQ(*read, census);
}

TEST_F(CensusFile, IsReadUnderAnyName) {
  const Census census = random_census(1, "a");
  for (const std::string name : {"a b?c#d%41&e=\xc3\xa4.census", "'quoted'", ":memory:"}) {
    ASSERT_TRUE(write_census(census, path(name)).has_value()) << name;
    const Result<Census> read = read_census(path(name));
    ASSERT_TRUE(read.has_value()) << name << ": " << read.error().message;
    EXPECT_EQ(*read, census);
  }
}

TEST_F(CensusFile, EqualContentIsEqualBytes) {
  const Census census = random_census(1, "a");
  ASSERT_TRUE(write_census(census, path("a")).has_value());
  ASSERT_TRUE(write_census(census, path("b")).has_value());
  EXPECT_EQ(read_bytes(path("a")), read_bytes(path("b")));
}

TEST_F(CensusFile, IsRecognisedByItsFirstBytes) {
  ASSERT_TRUE(write_census(Census{}, path()).has_value());
  const std::string bytes = read_bytes(path());
  EXPECT_TRUE(looks_like_census(bytes));
  EXPECT_TRUE(looks_like_census(std::string_view(bytes).substr(0, kCensusHeaderBytes)));
  EXPECT_FALSE(looks_like_census(std::string_view(bytes).substr(0, kCensusHeaderBytes - 1)));
  EXPECT_FALSE(looks_like_census(""));
  EXPECT_FALSE(looks_like_census("{\"traceEvents\": []}"));
  std::string other = bytes;
  other[68] = '\0';
  EXPECT_FALSE(looks_like_census(other));
}

TEST_F(CensusFile, SchemaAndLibraryAgreeOnTheVersion) {
  EXPECT_NE(kCensusSchemaSql.find("PRAGMA user_version = " + std::to_string(kCensusSchemaVersion)),
            std::string_view::npos);
}

std::vector<std::vector<std::string>> select_texts(const std::string& path,
                                                   const std::string& sql,
                                                   std::size_t columns) {
  std::vector<std::vector<std::string>> rows;
  Result<Database> database = Database::open_read_only(path, ErrorCode::BadCensus);
  Result<Statement> statement = database->prepare(sql);
  EXPECT_TRUE(statement.has_value()) << sql << ": " << statement.error().message;
  for (Result<bool> row = statement->step(); row && *row; row = statement->step()) {
    std::vector<std::string>& values = rows.emplace_back();
    for (std::size_t i = 0; i < columns; ++i) {
      values.push_back(statement->text());
    }
  }
  EXPECT_TRUE(statement->status().has_value()) << sql;
  return rows;
}

TEST_F(CensusFile, ViewsShowNames) {
  Census census;
  census.texts = {"", "gemm", "kernel", "[8,1,1]"};
  census.inputs.push_back({"t.json", "kineto_json", "runtime", 0, 1, 1, true, ""});
  census.signatures = {{"aten::mm", "[[8,8]]", "[\"float\"]", "shape_and_dtype"}};
  DeviceTime row;
  row.phase = Phase::Replay;
  row.tier = Tier::Aligned;
  row.signature = 0;
  row.graph = 0;
  row.kernel = 1;
  row.kind = 2;
  row.events = 3;
  row.time = Nanoseconds(40);
  census.device_times.push_back(row);
  row.stream = 9;
  census.device_times.push_back(row);
  census.raw_counts = {{0, 0, 2, 7, Nanoseconds(85)}};
  CensusGraph graph;
  graph.label = "capture_8";
  census.graphs = {graph};
  CensusGraphNode node;
  node.kernel = 1;
  node.kind = 2;
  node.grid = 3;
  node.signature = 0;
  census.graph_nodes = {node};
  census.operator_calls = {{0, Phase::Replay, 0, 0, 6, Nanoseconds(0), Nanoseconds(0)}};
  ASSERT_TRUE(write_census(census, path()).has_value());

  using Rows = std::vector<std::vector<std::string>>;
  EXPECT_EQ(select_texts(path(),
                         "SELECT operator, input_shapes, kernel_name, phase, attribution, "
                         "device_events || '', device_time_ns || '' FROM operator_census",
                         7),
            (Rows{{"aten::mm", "[[8,8]]", "gemm", "replay", "aligned", "6", "80"}}));
  EXPECT_EQ(select_texts(path(),
                         "SELECT phase, attribution, device_events || '', device_time_ns || '' "
                         "FROM ledger",
                         4),
            (Rows{{"replay", "aligned", "6", "80"}}));
  EXPECT_EQ(select_texts(path(),
                         "SELECT path, kind, events_difference || '', "
                         "device_time_difference_ns || '' FROM ledger_check",
                         4),
            (Rows{{"t.json", "kernel", "1", "5"}}));
  EXPECT_EQ(
      select_texts(path(), "SELECT operator, graph_label, calls || '' FROM operator_counts", 3),
      (Rows{{"aten::mm", "capture_8", "6"}}));
  EXPECT_EQ(select_texts(path(), "SELECT operator, kernel_name, grid, block FROM graph_plan", 4),
            (Rows{{"aten::mm", "gemm", "[8,1,1]", ""}}));
  EXPECT_TRUE(select_texts(path(), "SELECT reason FROM unattributed", 1).empty());
}

// Refused files

TEST_F(CensusFile, MissingFileIsNotFound) {
  const Result<Census> census = read_census(path("none"));
  ASSERT_FALSE(census.has_value());
  EXPECT_EQ(census.error().code, ErrorCode::NotFound);
  EXPECT_EQ(census.error().file, path("none"));
}

TEST_F(CensusFile, FolderIsUnreadable) {
  fs::create_directory(path("folder"));
  const Result<Census> census = read_census(path("folder"));
  ASSERT_FALSE(census.has_value());
  EXPECT_EQ(census.error().code, ErrorCode::Unreadable);
}

TEST_F(CensusFile, RefusesWhatIsNoDatabase) {
  for (const std::string& bytes : {std::string(), std::string("{}"), std::string(5000, 'x')}) {
    write_bytes(path(), bytes);
    const Result<Census> census = read_census(path());
    ASSERT_FALSE(census.has_value());
    EXPECT_EQ(census.error().code, ErrorCode::BadCensus);
    EXPECT_EQ(census.error().message, "it is not a census");
    EXPECT_FALSE(census.error().hint.empty());
  }
}

TEST_F(CensusFile, RefusesADatabaseOfOthers) {
  write_bytes(path(), "");
  {
    Result<Database> database = Database::open_for_writing(path());
    ASSERT_TRUE(database.has_value());
    ASSERT_TRUE(database->execute("CREATE TABLE texts (id, text)").has_value());
  }
  const Result<Census> census = read_census(path());
  ASSERT_FALSE(census.has_value());
  EXPECT_EQ(census.error().code, ErrorCode::BadCensus);
  EXPECT_EQ(census.error().message, "it is a SQLite database, but not a census");
}

TEST_F(CensusFile, RefusesAnotherVersion) {
  const Result<Census> newer = read_after("PRAGMA user_version = 2");
  ASSERT_FALSE(newer.has_value());
  EXPECT_EQ(newer.error().code, ErrorCode::BadCensus);
  EXPECT_EQ(newer.error().message,
            "the census has schema version 2, and this opcensus reads version 1");
  EXPECT_EQ(newer.error().hint, "read it with a newer opcensus");
  const Result<Census> older = read_after("PRAGMA user_version = 0");
  ASSERT_FALSE(older.has_value());
  EXPECT_EQ(older.error().hint, "make the census again from its traces");
}

TEST_F(CensusFile, RefusesEveryTruncation) {
  ASSERT_TRUE(write_census(random_census(3, "a"), path()).has_value());
  const std::string bytes = read_bytes(path());
  std::vector<std::size_t> lengths{0, 1, 15, 16, 71, 72, 99, 100, 101, bytes.size() - 1};
  for (std::size_t length = 512; length < bytes.size(); length += 1536) {
    lengths.push_back(length);
  }
  for (const std::size_t length : lengths) {
    write_bytes(path("cut"), std::string_view(bytes).substr(0, length));
    const Result<Census> census = read_census(path("cut"));
    ASSERT_FALSE(census.has_value()) << length;
    EXPECT_EQ(census.error().code, ErrorCode::BadCensus) << length;
  }
}

TEST_F(CensusFile, SaysWhereItIsCutOff) {
  ASSERT_TRUE(write_census(Census{}, path()).has_value());
  const std::string bytes = read_bytes(path());
  write_bytes(path("cut"), std::string_view(bytes).substr(0, 4096));
  const Result<Census> census = read_census(path("cut"));
  ASSERT_FALSE(census.has_value());
  EXPECT_EQ(census.error().byte_offset, 4096U);
}

TEST_F(CensusFile, SurvivesDamagedBytes) {
  const Census original = random_census(3, "a");
  ASSERT_TRUE(write_census(original, path()).has_value());
  const std::string bytes = read_bytes(path());
  Random random(7);
  std::size_t refused = 0;
  for (int round = 0; round < 300; ++round) {
    std::string damaged = bytes;
    for (int i = 0; i < 8; ++i) {
      damaged[random.below(damaged.size())] = static_cast<char>(random.below(256));
    }
    write_bytes(path("damaged"), damaged);
    const Result<Census> census = read_census(path("damaged"));
    if (!census) {
      ++refused;
      EXPECT_EQ(census.error().code, ErrorCode::BadCensus);
    } else {
      EXPECT_FALSE(compute_checks(*census).empty());  // every index can be followed
    }
  }
  EXPECT_GT(refused, 0U);
}

TEST_F(CensusFile, RefusesIndicesOutOfRange) {
  expect_refused("UPDATE device_times SET signature = 99999 WHERE rowid = 1");
  expect_refused("UPDATE device_times SET signature = -1 WHERE rowid = 1");
  expect_refused("UPDATE device_times SET signature = 4294967295 WHERE rowid = 1");
  expect_refused("UPDATE device_times SET signature = 4294967296 WHERE rowid = 1");
  expect_refused("UPDATE device_times SET graph = 99999 WHERE rowid = 1");
  expect_refused("UPDATE device_times SET kernel = 99999 WHERE rowid = 1");
  expect_refused("UPDATE device_times SET input = 99999 WHERE rowid = 1");
  expect_refused("UPDATE operator_calls SET signature = 99999 WHERE rowid = 1");
  expect_refused("UPDATE raw_counts SET input = 99999 WHERE rowid = 1");
  expect_refused("UPDATE raw_counts SET kind = -5 WHERE rowid = 1");
  expect_refused("INSERT INTO graph_nodes VALUES (999, 0, 0, NULL, 0, 0, 0, 0, 'exact', 0, 0)");
  expect_refused("DELETE FROM texts WHERE id = 1");
  expect_refused("UPDATE texts SET text = 'not empty' WHERE id = 0");
}

TEST_F(CensusFile, RefusesWrongValues) {
  expect_refused("UPDATE device_times SET phase = 'later' WHERE rowid = 1");
  expect_refused("UPDATE device_times SET tier = 'guessed' WHERE rowid = 1");
  expect_refused("UPDATE device_times SET reason = 'bad luck' WHERE rowid = 1");
  expect_refused("UPDATE device_times SET events = -1 WHERE rowid = 1");
  expect_refused("UPDATE device_times SET events = 1.5 WHERE rowid = 1");
  expect_refused("UPDATE device_times SET device_time_ns = 'long' WHERE rowid = 1");
  expect_refused("UPDATE texts SET text = x'00' WHERE id = 1");
  expect_refused("UPDATE inputs SET complete = 2 WHERE id = 0");
  expect_refused("UPDATE steps SET kind = 'walk' WHERE rowid = 1");
  expect_refused("DELETE FROM meta");
}

TEST_F(CensusFile, RefusesAnotherSchema) {
  expect_refused("DROP TABLE steps");
  expect_refused("ALTER TABLE steps DROP COLUMN tokens");
  expect_refused(
      "ALTER TABLE steps RENAME TO other; CREATE VIEW steps AS SELECT *, 0 AS more FROM other");
}

TEST_F(CensusFile, ToleratesWhatUsersAdd) {
  EXPECT_TRUE(read_after("CREATE INDEX mine ON device_times (kernel); CREATE TABLE notes (note)")
                  .has_value());
}

// Writing

TEST_F(CensusFile, ReplacesTheOldFile) {
  const Census census = random_census(1, "a");
  write_bytes(path(), "old content");
  ASSERT_TRUE(write_census(census, path()).has_value());
  EXPECT_EQ(*read_census(path()), census);
  EXPECT_EQ(count_files(), 1U);
}

TEST_F(CensusFile, LeavesNothingWhereItCannotWrite) {
  write_bytes(path("file"), "in the place of a folder");  // refuses root as well
  for (const std::string& target : {path("file/a.census"), path("no/such/folder/a.census")}) {
    const Status status = write_census(random_census(1, "a"), target);
    ASSERT_FALSE(status.has_value());
    EXPECT_EQ(status.error().code, ErrorCode::Unwritable);
    EXPECT_EQ(status.error().file, target);
  }
  EXPECT_EQ(count_files(), 1U);
}

TEST_F(CensusFile, LeavesNothingWhenTheTargetCannotBeReplaced) {
  fs::create_directories(path("folder/inside"));
  const Status status = write_census(random_census(1, "a"), path("folder"));
  ASSERT_FALSE(status.has_value());
  EXPECT_EQ(status.error().code, ErrorCode::Unwritable);
  EXPECT_EQ(count_files(), 1U);
}

TEST_F(CensusFile, KeepsTheOldFileWhenTheCensusCannotBeWritten) {
  write_bytes(path(), "old content");
  Census invalid = random_census(1, "a");
  invalid.device_times[0].signature = 9999;
  const Status status = write_census(invalid, path());
  ASSERT_FALSE(status.has_value());
  EXPECT_EQ(status.error().code, ErrorCode::BadCensus);

  Census too_large = random_census(1, "a");
  too_large.raw_counts[0].events = UINT64_MAX;  // SQLite's integers are signed
  const Status limit = write_census(too_large, path());
  ASSERT_FALSE(limit.has_value());
  EXPECT_EQ(limit.error().code, ErrorCode::Unwritable);

  EXPECT_EQ(read_bytes(path()), "old content");
  EXPECT_EQ(count_files(), 1U);
}

}  // namespace
}  // namespace opcensus

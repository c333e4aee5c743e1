// SPDX-License-Identifier: Apache-2.0
#include "src/io/sqlite.h"

#include <cstdio>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace opcensus {
namespace {

class SqliteTest : public testing::Test {
 protected:
  void SetUp() override {
    path_ = testing::TempDir() + "sqlite_test.db";
    std::ofstream(path_, std::ios::binary | std::ios::trunc).flush();
    auto writing = Database::open_for_writing(path_);
    ASSERT_TRUE(writing);
    ASSERT_TRUE(
        writing->execute("CREATE TABLE b (id INTEGER, time TEXT, size REAL);"
                         "CREATE TABLE a (x);"
                         "INSERT INTO b VALUES (7, '1736408883704643212', 1.5);"
                         "INSERT INTO b VALUES (NULL, '12us', NULL)"));
    ASSERT_TRUE(writing->close());
  }

  void TearDown() override { std::remove(path_.c_str()); }

  std::string path_;
};

TEST_F(SqliteTest, TablesAndColumnsAreNamed) {
  auto database = Database::open_read_only(path_, ErrorCode::Damaged);
  ASSERT_TRUE(database);
  EXPECT_EQ(database->tables().value(), (std::vector<std::string>{"a", "b"}));
  EXPECT_EQ(database->columns("b").value(), (std::vector<std::string>{"id", "time", "size"}));
  EXPECT_TRUE(database->columns("no such table").value().empty());
}

TEST_F(SqliteTest, LenientColumnsTakeWhatOtherToolsWrite) {
  auto database = Database::open_read_only(path_, ErrorCode::Damaged);
  ASSERT_TRUE(database);
  auto rows = database->prepare("SELECT id, time, size, id FROM b");
  ASSERT_TRUE(rows);
  ASSERT_TRUE(rows->step().value());
  EXPECT_EQ(rows->lenient_integer(), 7);
  EXPECT_EQ(rows->lenient_integer(), 1736408883704643212);
  EXPECT_EQ(rows->lenient_integer(), std::nullopt);  // 1.5
  EXPECT_EQ(rows->lenient_text(), "7");
  ASSERT_TRUE(rows->step().value());
  EXPECT_EQ(rows->lenient_integer(), std::nullopt);  // NULL
  EXPECT_EQ(rows->lenient_integer(), std::nullopt);  // "12us"
  EXPECT_EQ(rows->lenient_text(), "");
  EXPECT_FALSE(rows->step().value());
  EXPECT_TRUE(rows->status());
}

TEST_F(SqliteTest, AnErrorHasTheCodeOfItsReader) {
  std::ofstream(path_, std::ios::binary | std::ios::trunc) << "SQLite format 3, or so";
  auto database = Database::open_read_only(path_, ErrorCode::Damaged);
  const ErrorCode code = database ? database->tables().error().code : database.error().code;
  EXPECT_EQ(code, ErrorCode::Damaged);
}

TEST_F(SqliteTest, AFileThatWasCutOffSaysWhere) {
  std::ifstream file(path_, std::ios::binary);
  const std::string bytes((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
  EXPECT_EQ(database_bytes(bytes), bytes.size());
  std::ofstream(path_, std::ios::binary | std::ios::trunc) << bytes.substr(0, bytes.size() - 1);
  const auto database = Database::open_read_only(path_, ErrorCode::Damaged);
  ASSERT_FALSE(database);
  EXPECT_EQ(database.error().byte_offset, bytes.size() - 1);
}

TEST(Sqlite, IsToldByItsMagic) {
  EXPECT_TRUE(looks_like_sqlite(std::string_view("SQLite format 3\0 and more", 25)));
  EXPECT_FALSE(looks_like_sqlite("SQLite format 3"));
  EXPECT_FALSE(looks_like_sqlite(""));
}

}  // namespace
}  // namespace opcensus

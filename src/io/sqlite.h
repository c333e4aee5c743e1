// SPDX-License-Identifier: Apache-2.0
//
// A thin owner of one SQLite connection and its statements. Failures become an Error with the
// code that the connection was opened for.
// Thread rule: one thread at a time.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "opcensus/result.h"

struct sqlite3;
struct sqlite3_stmt;

namespace opcensus {

/// A prepared statement. Parameters are bound, and columns are read, from left to right; the
/// first failure of either is kept and returned by run(), step() or status().
/// Must not outlive its Database.
class Statement {
 public:
  Statement(sqlite3_stmt* handle, ErrorCode failure) : handle_(handle), failure_(failure) {}

  Statement& bind_integer(std::int64_t value);
  Statement& bind_count(std::uint64_t value);  ///< fails above 2^63 - 1
  Statement& bind_text(std::string_view value);
  Statement& bind_null();

  /// Executes a statement without rows and makes it ready for the next parameters.
  Status run();

  /// True: there is a row.
  Result<bool> step();

  // A column of another type gives 0 or "" and is a failure.
  std::int64_t integer();
  std::uint64_t count();  ///< not negative
  std::optional<std::int64_t> optional_integer();
  std::string text();

  // The same for databases of other tools, which change types between versions.
  std::optional<std::int64_t> lenient_integer();  ///< an integer or its text; nullopt for the rest
  std::string lenient_text();                     ///< any value as text; "" for NULL

  /// The caller's own verdict on the row's values; kept like other failures.
  void reject(std::string_view message);

  [[nodiscard]] Status status() const;

 private:
  struct Finalizer {
    void operator()(sqlite3_stmt* handle) const noexcept;
  };

  void fail(std::string_view message);
  void keep_bind_result(int code);
  bool expect_type(int column, int type);

  std::unique_ptr<sqlite3_stmt, Finalizer> handle_;
  ErrorCode failure_;
  int next_parameter_ = 1;
  int next_column_ = 0;
  std::optional<Error> error_;
};

/// Whether a file that begins so is a SQLite database. 16 bytes are enough.
[[nodiscard]] bool looks_like_sqlite(std::string_view beginning);

inline constexpr std::size_t kDatabaseHeaderBytes = 100;

/// How many bytes the file must have, by its header; 0 where that is too short to tell.
[[nodiscard]] std::uint64_t database_bytes(std::string_view header);

class Database {
 public:
  /// Reads an unchanging file: no locks and no side files, so a read-only folder will do. What is
  /// wrong with its content, also that it was cut off, becomes an Error with the code `failure`.
  [[nodiscard]] static Result<Database> open_read_only(const std::string& path, ErrorCode failure);

  /// Opens an existing file, which may be empty, for one writer that replaces or deletes the file
  /// when it fails: no journal, no syncing.
  [[nodiscard]] static Result<Database> open_for_writing(const std::string& path);

  /// Any number of statements; rows are ignored.
  Status execute(const std::string& script);

  [[nodiscard]] Result<Statement> prepare(std::string_view sql);

  /// The names of all tables, sorted by name.
  [[nodiscard]] Result<std::vector<std::string>> tables();

  /// The names of a table's columns, in their order; empty if there is no such table.
  [[nodiscard]] Result<std::vector<std::string>> columns(std::string_view table);

  /// Ends the connection; all statements must be gone.
  Status close();

 private:
  struct Closer {
    void operator()(sqlite3* handle) const noexcept;
  };

  Database(sqlite3* handle, ErrorCode failure) : handle_(handle), failure_(failure) {}

  static Result<Database> open(const std::string& name, int flags, ErrorCode failure);

  [[nodiscard]] Error last_error() const;

  std::unique_ptr<sqlite3, Closer> handle_;
  ErrorCode failure_;
};

}  // namespace opcensus

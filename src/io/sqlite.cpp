// SPDX-License-Identifier: Apache-2.0
#include "src/io/sqlite.h"

#include <cctype>
#include <charconv>
#include <filesystem>
#include <limits>
#include <system_error>
#include <utility>

#include <fmt/format.h>
#include <sqlite3.h>

#include "src/io/first_bytes.h"

namespace opcensus {
namespace {

// https://www.sqlite.org/fileformat2.html#the_database_header
constexpr std::size_t kPageSizeOffset = 16;
constexpr std::size_t kPageCountOffset = 28;

constexpr int kMaxValueBytes = 64 << 20;

Error make_error(ErrorCode code, std::string_view reason) {
  const std::string_view what = code == ErrorCode::Unwritable ? "cannot be written" : "is damaged";
  return Error{code, fmt::format("the database {}: {}", what, reason), {}, std::nullopt, {}};
}

bool is_plain_in_uri(char byte) {
  return std::isalnum(static_cast<unsigned char>(byte)) != 0 ||
         std::string_view("/-_.~").find(byte) != std::string_view::npos;
}

/// So that no beginning of a name means something to SQLite ("file:", ":memory:", a URI's host).
std::string absolute_path(const std::string& path) {
  std::error_code error;
  const std::filesystem::path absolute = std::filesystem::absolute(path, error);
  return error ? path : absolute.string();
}

/// Every byte that a URI could take for something else is escaped.
std::string immutable_uri(const std::string& path) {
  std::string uri = "file://";
  for (const char byte : absolute_path(path)) {
    if (is_plain_in_uri(byte)) {
      uri += byte;
    } else {
      uri += fmt::format("%{:02X}", static_cast<unsigned char>(byte));
    }
  }
  return uri + "?immutable=1";
}

std::string to_string(const unsigned char* bytes, int size) {
  if (bytes == nullptr) {
    return {};
  }
  // NOLINTNEXTLINE(cppcoreguidelines-pro-type-reinterpret-cast): SQLite's text is unsigned char
  return {reinterpret_cast<const char*>(bytes), static_cast<std::size_t>(size)};
}

std::uint64_t big_endian(std::string_view bytes) {
  std::uint64_t number = 0;
  for (const char byte : bytes) {
    number = number << 8U | static_cast<unsigned char>(byte);
  }
  return number;
}

/// SQLite finds missing pages only when it reads them, and fills a cut one with zeros.
Status check_size(const std::string& path, ErrorCode failure) {
  const std::uint64_t expected = database_bytes(first_bytes(path, kDatabaseHeaderBytes));
  std::error_code error;
  const std::uintmax_t size = std::filesystem::file_size(path, error);
  if (error || size >= expected) {
    return Done{};
  }
  Error cut_off =
      make_error(failure, fmt::format("the file is cut off: {} of {} bytes", size, expected));
  cut_off.byte_offset = size;
  return cut_off;
}

Result<std::vector<std::string>> texts_of(Statement& statement) {
  std::vector<std::string> texts;
  while (true) {
    OPCENSUS_TRY(const bool has_row, statement.step());
    if (!has_row) {
      return texts;
    }
    texts.push_back(statement.lenient_text());
  }
}

}  // namespace

// Statement

void Statement::Finalizer::operator()(sqlite3_stmt* handle) const noexcept {
  sqlite3_finalize(handle);
}

void Statement::fail(std::string_view message) {
  if (!error_) {
    error_ = make_error(failure_, message);
  }
}

void Statement::keep_bind_result(int code) {
  if (code != SQLITE_OK) {
    fail(sqlite3_errstr(code));
  }
}

Statement& Statement::bind_integer(std::int64_t value) {
  keep_bind_result(sqlite3_bind_int64(handle_.get(), next_parameter_++, value));
  return *this;
}

Statement& Statement::bind_count(std::uint64_t value) {
  if (value > static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max())) {
    fail(fmt::format("the count {} is too large", value));
  }
  return bind_integer(static_cast<std::int64_t>(value));
}

Statement& Statement::bind_text(std::string_view value) {
  // A null pointer would bind NULL. SQLITE_TRANSIENT (a copy) is an old-style cast; the text
  // outlives run(), which is all that SQLITE_STATIC asks for.
  const char* bytes = value.empty() ? "" : value.data();
  keep_bind_result(sqlite3_bind_text64(
      handle_.get(), next_parameter_++, bytes, value.size(), nullptr, SQLITE_UTF8));
  return *this;
}

Statement& Statement::bind_null() {
  keep_bind_result(sqlite3_bind_null(handle_.get(), next_parameter_++));
  return *this;
}

Status Statement::run() {
  OPCENSUS_TRY(const bool has_row, step());
  if (has_row) {
    fail("a statement returned rows where none were expected");
  }
  keep_bind_result(sqlite3_reset(handle_.get()));
  next_parameter_ = 1;
  return status();
}

Result<bool> Statement::step() {
  OPCENSUS_CHECK_OK(status());
  next_column_ = 0;
  const int code = sqlite3_step(handle_.get());
  if (code != SQLITE_ROW && code != SQLITE_DONE) {
    fail(sqlite3_errmsg(sqlite3_db_handle(handle_.get())));
    return *error_;
  }
  return code == SQLITE_ROW;
}

bool Statement::expect_type(int column, int type) {
  if (sqlite3_column_type(handle_.get(), column) == type) {
    return true;
  }
  fail(fmt::format("the column {} has a value of the wrong type",
                   sqlite3_column_name(handle_.get(), column)));
  return false;
}

std::int64_t Statement::integer() {
  const int column = next_column_++;
  return expect_type(column, SQLITE_INTEGER) ? sqlite3_column_int64(handle_.get(), column) : 0;
}

std::uint64_t Statement::count() {
  const std::int64_t value = integer();
  if (value < 0) {
    fail(fmt::format("the column {} has a negative count",
                     sqlite3_column_name(handle_.get(), next_column_ - 1)));
    return 0;
  }
  return static_cast<std::uint64_t>(value);
}

std::optional<std::int64_t> Statement::optional_integer() {
  if (sqlite3_column_type(handle_.get(), next_column_) == SQLITE_NULL) {
    ++next_column_;
    return std::nullopt;
  }
  return integer();
}

std::string Statement::text() {
  const int column = next_column_++;
  if (!expect_type(column, SQLITE_TEXT)) {
    return {};
  }
  const unsigned char* bytes = sqlite3_column_text(handle_.get(), column);
  const int size = sqlite3_column_bytes(handle_.get(), column);
  return to_string(bytes, size);
}

std::optional<std::int64_t> Statement::lenient_integer() {
  const int type = sqlite3_column_type(handle_.get(), next_column_);
  if (type == SQLITE_INTEGER) {
    return integer();
  }
  const std::string value = lenient_text();
  std::int64_t number = 0;
  const auto [end, error] = std::from_chars(value.data(), value.data() + value.size(), number);
  if (type != SQLITE_TEXT || error != std::errc() || end != value.data() + value.size()) {
    return std::nullopt;
  }
  return number;
}

std::string Statement::lenient_text() {
  const int column = next_column_++;
  const unsigned char* bytes = sqlite3_column_text(handle_.get(), column);
  const int size = sqlite3_column_bytes(handle_.get(), column);
  return to_string(bytes, size);
}

void Statement::reject(std::string_view message) {
  fail(std::string(message));
}

Status Statement::status() const {
  if (error_) {
    return *error_;
  }
  return Done{};
}

// Database

std::uint64_t database_bytes(std::string_view header) {
  if (header.size() < kDatabaseHeaderBytes || !looks_like_sqlite(header)) {
    return 0;
  }
  const std::uint64_t page_size = big_endian(header.substr(kPageSizeOffset, 2));
  return big_endian(header.substr(kPageCountOffset, 4)) * (page_size == 1 ? 65536 : page_size);
}

bool looks_like_sqlite(std::string_view beginning) {
  constexpr std::string_view kMagic("SQLite format 3\0", 16);
  return beginning.substr(0, kMagic.size()) == kMagic;
}

void Database::Closer::operator()(sqlite3* handle) const noexcept {
  sqlite3_close_v2(handle);
}

Result<Database> Database::open(const std::string& name, int flags, ErrorCode failure) {
  sqlite3* handle = nullptr;
  const int code = sqlite3_open_v2(name.c_str(), &handle, flags, nullptr);
  Database database(handle, failure);  // owns the handle, also after a failure
  if (code != SQLITE_OK) {
    return make_error(failure, sqlite3_errstr(code));
  }
  return database;
}

Result<Database> Database::open_read_only(const std::string& path, ErrorCode failure) {
  OPCENSUS_CHECK_OK(check_size(path, failure));
  OPCENSUS_TRY(Database database,
               open(immutable_uri(path),
                    SQLITE_OPEN_READONLY | SQLITE_OPEN_URI | SQLITE_OPEN_NOMUTEX,
                    failure));
  // The file may come from anywhere: its schema must not call functions, its pages are checked
  // before rows are read from them, and no value of it is larger than any that a tool writes.
  sqlite3_limit(database.handle_.get(), SQLITE_LIMIT_LENGTH, kMaxValueBytes);
  OPCENSUS_CHECK_OK(database.execute("PRAGMA trusted_schema = OFF; PRAGMA cell_size_check = ON"));
  return database;
}

Result<Database> Database::open_for_writing(const std::string& path) {
  OPCENSUS_TRY(Database database,
               open(absolute_path(path), SQLITE_OPEN_READWRITE, ErrorCode::Unwritable));
  OPCENSUS_CHECK_OK(database.execute("PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF"));
  return database;
}

Status Database::execute(const std::string& script) {
  if (sqlite3_exec(handle_.get(), script.c_str(), nullptr, nullptr, nullptr) != SQLITE_OK) {
    return last_error();
  }
  return Done{};
}

Result<Statement> Database::prepare(std::string_view sql) {
  sqlite3_stmt* handle = nullptr;
  const int code =
      sqlite3_prepare_v2(handle_.get(), sql.data(), static_cast<int>(sql.size()), &handle, nullptr);
  if (code != SQLITE_OK) {
    return last_error();
  }
  return Statement(handle, failure_);
}

Result<std::vector<std::string>> Database::tables() {
  OPCENSUS_TRY(Statement statement,
               prepare("SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY name"));
  return texts_of(statement);
}

Result<std::vector<std::string>> Database::columns(std::string_view table) {
  OPCENSUS_TRY(Statement statement, prepare("SELECT name FROM pragma_table_info(?) ORDER BY cid"));
  statement.bind_text(table);
  return texts_of(statement);
}

Status Database::close() {
  const int code = sqlite3_close(handle_.get());
  if (code != SQLITE_OK) {
    return last_error();
  }
  static_cast<void>(handle_.release());
  return Done{};
}

Error Database::last_error() const {
  return make_error(failure_, sqlite3_errmsg(handle_.get()));
}

}  // namespace opcensus

// SPDX-License-Identifier: Apache-2.0
#include "src/census/census_file.h"

#include <array>
#include <cerrno>
#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <optional>
#include <system_error>
#include <utility>

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include "src/census/census_schema.h"
#include "src/census/census_tables.h"
#include "src/census/validate.h"
#include "src/io/sqlite.h"

namespace opcensus {
namespace {

// The first 100 bytes of a database, all numbers big-endian ("The Database Header" in SQLite's file
// format document).
constexpr std::size_t kHeaderBytes = 100;
constexpr std::size_t kUserVersionOffset = 60;
constexpr std::size_t kApplicationIdOffset = 68;
constexpr std::string_view kApplicationId = "opcs";  // PRAGMA application_id in census.sql

Error bad_census(std::string message, std::string hint) {
  return Error{ErrorCode::BadCensus, std::move(message), {}, std::nullopt, std::move(hint)};
}

Error damaged(std::string message) {
  return bad_census(std::move(message), "make the census again from its traces");
}

Error system_error(ErrorCode code, std::string_view what, int number) {
  return Error{code,
               fmt::format("{}: {}", what, std::generic_category().message(number)),
               {},
               std::nullopt,
               {}};
}

std::uint64_t big_endian(std::string_view bytes) {
  std::uint64_t value = 0;
  for (const char byte : bytes) {
    value = value << 8U | static_cast<unsigned char>(byte);
  }
  return value;
}

Result<std::string> read_header(const std::string& path) {
  std::error_code error;
  const std::filesystem::file_status status = std::filesystem::status(path, error);
  if (status.type() == std::filesystem::file_type::not_found) {
    return Error{ErrorCode::NotFound, "there is no such file", {}, std::nullopt, {}};
  }
  if (error || status.type() != std::filesystem::file_type::regular) {
    return Error{ErrorCode::Unreadable, "it is not a readable file", {}, std::nullopt, {}};
  }
  std::ifstream stream(path, std::ios::binary);
  if (!stream) {
    return Error{ErrorCode::Unreadable, "it cannot be opened", {}, std::nullopt, {}};
  }
  std::string header(kHeaderBytes, '\0');
  stream.read(header.data(), static_cast<std::streamsize>(header.size()));
  header.resize(static_cast<std::size_t>(stream.gcount()));
  return header;
}

Status check_header(std::string_view header) {
  constexpr std::string_view kHint = "`opcensus census PATH -o FILE.census` makes one from traces";
  if (!looks_like_sqlite(header)) {
    return bad_census("it is not a census", std::string(kHint));
  }
  if (header.size() < kHeaderBytes) {
    return damaged("the file is cut off within its header");
  }
  if (!looks_like_census(header)) {
    return bad_census("it is a SQLite database, but not a census", std::string(kHint));
  }
  const std::uint64_t version = big_endian(header.substr(kUserVersionOffset, 4));
  if (version != static_cast<std::uint64_t>(kCensusSchemaVersion)) {
    return bad_census(
        fmt::format("the census has schema version {}, and this opcensus reads version {}",
                    version,
                    kCensusSchemaVersion),
        version > static_cast<std::uint64_t>(kCensusSchemaVersion)
            ? "read it with a newer opcensus"
            : "make the census again from its traces");
  }
  return Done{};
}

/// A file that was cut at the end of a page would be found only when that page is read.
Status check_size(std::string_view header, const std::string& path) {
  const std::uint64_t expected = database_bytes(header);
  std::error_code error;
  const std::uintmax_t size = std::filesystem::file_size(path, error);
  if (error || size >= expected) {
    return Done{};
  }
  Error cut_off = damaged(fmt::format("the file is cut off: {} of {} bytes", size, expected));
  cut_off.byte_offset = size;
  return cut_off;
}

/// A view or a virtual table in the place of a table could compute for ever.
Status check_tables(Database& database) {
  constexpr std::array<std::string_view, 14> kTables{"meta",
                                                     "texts",
                                                     "inputs",
                                                     "ranks",
                                                     "signatures",
                                                     "graphs",
                                                     "graph_nodes",
                                                     "operator_calls",
                                                     "operator_arguments",
                                                     "device_times",
                                                     "steps",
                                                     "raw_counts",
                                                     "diagnostics",
                                                     "checks"};
  for (const std::string_view table : kTables) {
    OPCENSUS_TRY(Statement statement,
                 database.prepare("SELECT name FROM sqlite_master WHERE type = 'table' AND "
                                  "name = ? AND sql LIKE 'CREATE TABLE%'"));
    statement.bind_text(table);
    OPCENSUS_TRY(const bool is_there, statement.step());
    if (!is_there) {
      return damaged(fmt::format("the table {} is missing", table));
    }
  }
  return Done{};
}

/// The structure of every page, and the CHECK constraints of every row.
Status check_pages(Database& database) {
  OPCENSUS_TRY(Statement statement, database.prepare("PRAGMA quick_check(1)"));
  OPCENSUS_TRY(const bool has_row, statement.step());
  const std::string verdict = has_row ? statement.text() : std::string();
  if (verdict != "ok") {
    return damaged("the database is damaged: " + verdict);
  }
  return Done{};
}

Result<Census> read_database(const std::string& path) {
  OPCENSUS_TRY(Database database, Database::open_read_only(path, ErrorCode::BadCensus));
  OPCENSUS_CHECK_OK(check_pages(database));
  OPCENSUS_CHECK_OK(check_tables(database));
  OPCENSUS_TRY(Census census, select_census(database));
  OPCENSUS_CHECK_OK(validate(census));
  return census;
}

Result<Census> read_checked(const std::string& path) {
  OPCENSUS_TRY(const std::string header, read_header(path));
  OPCENSUS_CHECK_OK(check_header(header));
  OPCENSUS_CHECK_OK(check_size(header, path));
  return read_database(path);
}

/// The file under its temporary name; deleted unless it was renamed.
class TemporaryFile {
 public:
  explicit TemporaryFile(const std::string& target)
      : path_(fmt::format("{}.tmp-{}", target, ::getpid())) {}

  TemporaryFile(const TemporaryFile&) = delete;
  TemporaryFile& operator=(const TemporaryFile&) = delete;

  ~TemporaryFile() {
    if (exists_) {
      ::unlink(path_.c_str());
    }
  }

  [[nodiscard]] const std::string& path() const { return path_; }

  /// Exclusive, so that a link laid in its place is not followed. A file of that name is what a
  /// dead process with our id left.
  Status create() {
    int number = try_create();
    if (number == EEXIST) {
      ::unlink(path_.c_str());
      number = try_create();
    }
    if (number != 0) {
      return system_error(ErrorCode::Unwritable, "the file cannot be created", number);
    }
    exists_ = true;
    return Done{};
  }

  Status rename_to(const std::string& target) {
    if (std::rename(path_.c_str(), target.c_str()) != 0) {
      return system_error(ErrorCode::Unwritable, "the file cannot be replaced", errno);
    }
    exists_ = false;
    return Done{};
  }

 private:
  [[nodiscard]] int try_create() const {
    const int file = ::open(path_.c_str(), O_CREAT | O_EXCL | O_RDWR | O_CLOEXEC, 0666);
    if (file < 0) {
      return errno;
    }
    ::close(file);
    return 0;
  }

  std::string path_;
  bool exists_ = false;
};

/// 0, or errno.
int sync_path(const std::string& path, int flags) {
  const int file = ::open(path.c_str(), flags | O_CLOEXEC);
  if (file < 0) {
    return errno;
  }
  const int number = ::fsync(file) == 0 ? 0 : errno;
  ::close(file);
  return number;
}

Status sync_file(const std::string& path) {
  const int number = sync_path(path, O_RDWR);
  if (number != 0) {
    return system_error(ErrorCode::Unwritable, "the file cannot be written", number);
  }
  return Done{};
}

/// Makes the rename last. The file is complete either way, so a failure is not one of ours.
void sync_folder_of(const std::string& path) {
  const std::filesystem::path folder = std::filesystem::path(path).parent_path();
  static_cast<void>(sync_path(folder.empty() ? "." : folder.string(), O_RDONLY | O_DIRECTORY));
}

Status write_database(const Census& census, const std::string& path) {
  OPCENSUS_TRY(Database database, Database::open_for_writing(path));
  OPCENSUS_CHECK_OK(database.execute("BEGIN"));
  OPCENSUS_CHECK_OK(database.execute(std::string(kCensusSchemaSql)));
  OPCENSUS_CHECK_OK(insert_census(database, census));
  OPCENSUS_CHECK_OK(database.execute("COMMIT"));
  return database.close();
}

Status write_checked(const Census& census, const std::string& path) {
  OPCENSUS_CHECK_OK(validate(census));
  TemporaryFile temporary(path);
  OPCENSUS_CHECK_OK(temporary.create());
  OPCENSUS_CHECK_OK(write_database(census, temporary.path()));
  OPCENSUS_CHECK_OK(sync_file(temporary.path()));
  OPCENSUS_CHECK_OK(temporary.rename_to(path));
  sync_folder_of(path);
  return Done{};
}

}  // namespace

bool looks_like_census(std::string_view first_bytes) {
  return first_bytes.size() >= kCensusHeaderBytes && looks_like_sqlite(first_bytes) &&
         first_bytes.substr(kApplicationIdOffset, kApplicationId.size()) == kApplicationId;
}

Status write_census(const Census& census, const std::string& path) {
  Status status = write_checked(census, path);
  if (!status) {
    return std::move(status).error().in_file(path);
  }
  return status;
}

Result<Census> read_census(const std::string& path) {
  Result<Census> census = read_checked(path);
  if (!census) {
    return std::move(census).error().in_file(path);
  }
  return census;
}

}  // namespace opcensus

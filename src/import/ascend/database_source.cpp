// SPDX-License-Identifier: Apache-2.0
#include "src/import/ascend/database_source.h"

#include <algorithm>
#include <optional>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "src/import/ascend/database_tables.h"
#include "src/import/ascend/database_tasks.h"
#include "src/import/ascend/host_row_use.h"
#include "src/import/ascend/input_lists.h"

namespace opcensus::import::ascend {
namespace {

// ENUM_API_TYPE; fixed numbers of the schema.
constexpr std::int64_t kRuntimeApi = 5000;
constexpr std::int64_t kHcclApi = 5500;
constexpr std::int64_t kNodeApi = 10000;
constexpr std::int64_t kModelApi = 15000;
constexpr std::int64_t kAclApi = 20000;
constexpr std::int64_t kQueueRow = 50002;
constexpr std::int64_t kPythonRow = 50003;
constexpr std::int64_t kRangeRow = 50004;

CannLevel level_of(std::int64_t type) {
  switch (type) {
    case kRuntimeApi:
      return CannLevel::Runtime;
    case kHcclApi:
      return CannLevel::Hccl;
    case kNodeApi:
      return CannLevel::Node;
    case kModelApi:
      return CannLevel::Model;
    case kAclApi:
      return CannLevel::Acl;
    default:
      return CannLevel::Other;
  }
}

std::string_view name_of(CannLevel level) {
  switch (level) {
    case CannLevel::Runtime:
      return "cann_runtime";
    case CannLevel::Hccl:
      return "cann_hccl";
    case CannLevel::Node:
      return "cann_node";
    case CannLevel::Model:
      return "cann_model";
    case CannLevel::Acl:
      return "cann_acl";
    case CannLevel::Other:
      break;
  }
  return "cann_other";
}

/// globalTid is the process in the upper half and the thread in the lower.
HostThread thread_of(std::optional<std::int64_t> global) {
  const auto bits = static_cast<std::uint64_t>(global.value_or(0));
  return {static_cast<std::int64_t>(bits >> 32U), static_cast<std::int64_t>(bits & 0xffffffffU)};
}

class DatabaseReading {
 public:
  DatabaseReading(const std::string& path,
                  Database& database,
                  const DatabaseTexts& texts,
                  StringTable& strings,
                  ProfileRows& rows)
      : path_(path), database_(database), texts_(texts), strings_(strings), rows_(rows) {}

  Status run() {
    OPCENSUS_CHECK_OK(read_device_tables(path_, database_, texts_, strings_, rows_));
    OPCENSUS_CHECK_OK(read_connections());
    OPCENSUS_CHECK_OK(read_framework_rows());
    OPCENSUS_CHECK_OK(read_ranges());
    OPCENSUS_CHECK_OK(read_cann_calls());
    OPCENSUS_CHECK_OK(read_devices());
    OPCENSUS_CHECK_OK(read_rank());
    return read_properties();
  }

 private:
  Status read_connections() {
    OPCENSUS_TRY(auto rows, select_rows(database_, "CONNECTION_IDS", {"id", "connectionId"}));
    while (rows) {
      OPCENSUS_TRY(const bool has_row, rows->step());
      if (!has_row) {
        break;
      }
      const auto id = rows->lenient_integer();
      const auto connection = rows->lenient_integer();
      if (id && connection && *connection >= 0) {
        connections_[*id].push_back(static_cast<std::uint64_t>(*connection));
      }
    }
    return Done{};
  }

  Status read_framework_rows() {
    OPCENSUS_TRY(auto rows,
                 select_rows(database_,
                             "PYTORCH_API",
                             {"startNs",
                              "endNs",
                              "type",
                              "globalTid",
                              "name",
                              "connectionId",
                              "inputShapes",
                              "inputDtypes"}));
    while (rows) {
      OPCENSUS_TRY(const bool has_row, rows->step());
      if (!has_row) {
        break;
      }
      const auto start = rows->lenient_integer();
      const auto end = rows->lenient_integer();
      const std::int64_t type = rows->lenient_integer().value_or(0);
      HostRow row;
      row.thread = thread_of(rows->lenient_integer());
      const auto name = rows->lenient_integer();
      const auto connection = rows->lenient_integer();
      const auto shapes = rows->lenient_integer();
      const auto dtypes = rows->lenient_integer();
      if (type == kPythonRow) {
        ++rows_.categories["python_function"];
      } else if (set_times(start, end, "PYTORCH_API", row.start, row.duration)) {
        row.name = strings_.intern(texts_.text(name));
        take_framework_row(row, type, connection, texts_.text(shapes), texts_.text(dtypes));
      }
    }
    return Done{};
  }

  void take_framework_row(HostRow row,
                          std::int64_t type,
                          std::optional<std::int64_t> connection,
                          std::string_view shapes,
                          std::string_view dtypes) {
    const auto found = connection ? connections_.find(*connection) : connections_.end();
    if (type == kQueueRow) {
      const bool is_enqueue = texts_view(row.name) == "Enqueue";
      ++rows_.categories[is_enqueue ? "enqueue" : "dequeue"];
      row.kind = is_enqueue ? HostRowKind::Enqueue : HostRowKind::Dequeue;
      row.queue_id = found == connections_.end() ? 0 : found->second.front();
      rows_.host.push_back(row);
      return;
    }
    if (type == kRangeRow) {
      ++rows_.categories["mstx"];
      row.kind = HostRowKind::Range;
      rows_.host.push_back(row);
      return;
    }
    ++rows_.categories["cpu_op"];
    const InputLists lists = host_input_lists(shapes, dtypes);
    row.inputs.shapes = lists.shapes.empty() ? StringId::none() : strings_.intern(lists.shapes);
    row.inputs.dtypes = lists.dtypes.empty() ? StringId::none() : strings_.intern(lists.dtypes);
    row.inputs.has_elided_list = lists.has_elided_list;
    // Operators have connections of another kind (forward to backward), from the same numbers.
    if (found != connections_.end() && may_be_backend_call(texts_view(row.name), row.inputs)) {
      for (const std::uint64_t id : found->second) {
        rows_.links.push_back({id, row.thread, row.start});
      }
    }
    rows_.host.push_back(row);
  }

  Status read_ranges() {
    OPCENSUS_TRY(
        auto rows,
        select_rows(database_, "MSTX_EVENTS", {"startNs", "endNs", "globalTid", "message"}));
    while (rows) {
      OPCENSUS_TRY(const bool has_row, rows->step());
      if (!has_row) {
        break;
      }
      HostRow row;
      row.kind = HostRowKind::Range;
      const auto start = rows->lenient_integer();
      const auto end = rows->lenient_integer();
      row.thread = thread_of(rows->lenient_integer());
      row.name = strings_.intern(texts_.text(rows->lenient_integer()));
      ++rows_.categories["mstx"];
      // A mark without an end is a moment.
      if (set_times(start, end ? end : start, "MSTX_EVENTS", row.start, row.duration)) {
        rows_.host.push_back(row);
      }
    }
    return Done{};
  }

  Status read_cann_calls() {
    OPCENSUS_TRY(auto rows,
                 select_rows(database_,
                             "CANN_API",
                             {"startNs", "endNs", "type", "globalTid", "connectionId", "name"}));
    while (rows) {
      OPCENSUS_TRY(const bool has_row, rows->step());
      if (!has_row) {
        break;
      }
      CannCall call;
      const auto start = rows->lenient_integer();
      const auto end = rows->lenient_integer();
      call.level = level_of(rows->lenient_integer().value_or(0));
      call.thread = thread_of(rows->lenient_integer());
      const auto connection = rows->lenient_integer();
      call.connection =
          connection && *connection >= 0 ? static_cast<std::uint64_t>(*connection) : kNoId;
      call.name = strings_.intern(texts_.text(rows->lenient_integer()));
      ++rows_.categories[std::string(name_of(call.level))];
      if (set_times(start, end, "CANN_API", call.start, call.duration)) {
        rows_.cann.push_back(call);
      }
    }
    return Done{};
  }

  bool set_times(std::optional<std::int64_t> start_ns,
                 std::optional<std::int64_t> end_ns,
                 std::string_view table,
                 Nanoseconds& start,
                 Nanoseconds& duration) {
    if (!start_ns || !end_ns) {
      rows_.diagnostics.count(Issue::BadEvent, {path_, {}, "no time in " + std::string(table)});
      return false;
    }
    start = Nanoseconds(*start_ns);
    duration = std::max(Nanoseconds(*end_ns) - start, Nanoseconds());
    if (*end_ns < *start_ns) {
      rows_.diagnostics.count(Issue::NegativeDuration, {path_, {}, std::string(table)});
    }
    return true;
  }

  Status read_devices() {
    OPCENSUS_TRY(auto rows, select_rows(database_, "NPU_INFO", {"id", "name"}, "id"));
    while (rows) {
      OPCENSUS_TRY(const bool has_row, rows->step());
      if (!has_row) {
        break;
      }
      const std::int64_t id = rows->lenient_integer().value_or(0);
      rows_.devices.push_back({id, rows->lenient_text()});
    }
    return Done{};
  }

  Status read_rank() {
    OPCENSUS_TRY(auto rows, select_rows(database_, "RANK_DEVICE_MAP", {"rankId"}));
    if (rows) {
      OPCENSUS_TRY(const bool has_row, rows->step());
      const auto rank = has_row ? rows->lenient_integer() : std::nullopt;
      rows_.rank = rank && *rank >= 0 ? rank : std::nullopt;
    }
    return Done{};
  }

  Status read_properties() {
    OPCENSUS_TRY(auto rows, select_rows(database_, "META_DATA", {"name", "value"}));
    while (rows) {
      OPCENSUS_TRY(const bool has_row, rows->step());
      if (!has_row) {
        break;
      }
      if (rows->lenient_text() == "SCHEMA_VERSION") {
        rows_.properties.push_back({"schema_version", rows->lenient_text()});
      }
    }
    return Done{};
  }

  [[nodiscard]] std::string_view texts_view(StringId id) const { return strings_.view(id); }

  const std::string& path_;
  Database& database_;
  const DatabaseTexts& texts_;
  StringTable& strings_;
  ProfileRows& rows_;
  std::unordered_map<std::int64_t, std::vector<std::uint64_t>> connections_;
};

Result<ProfileRows> read_database(const std::string& path, StringTable& strings) {
  OPCENSUS_TRY(Database database, Database::open_read_only(path, ErrorCode::Damaged));
  OPCENSUS_TRY(
      const bool has_tasks,
      has_columns(
          database,
          "TASK",
          {"startNs", "endNs", "deviceId", "streamId", "taskId", "globalTaskId", "taskType"}));
  OPCENSUS_TRY(const bool has_texts, has_columns(database, "STRING_IDS", {"id", "value"}));
  if (!has_tasks || !has_texts) {
    return Error{ErrorCode::NotATrace,
                 "the database lacks the tables TASK and STRING_IDS of an Ascend profile",
                 path,
                 {},
                 "give ascend_pytorch_profiler*.db or msprof_*.db as the profiler wrote it"};
  }
  ProfileRows rows;
  OPCENSUS_TRY(const DatabaseTexts texts, DatabaseTexts::read(database, strings));
  OPCENSUS_CHECK_OK(DatabaseReading(path, database, texts, strings, rows).run());
  return rows;
}

}  // namespace

Result<ProfileRows> read_database_source(const std::string& path, StringTable& strings) {
  auto rows = read_database(path, strings);
  if (rows) {
    return rows;
  }
  Error error = std::move(rows).error().in_file(path);
  if (error.hint.empty()) {
    error.hint = "copy the database again, after the profiler has finished writing it";
  }
  return error;
}

}  // namespace opcensus::import::ascend

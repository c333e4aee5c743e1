// SPDX-License-Identifier: Apache-2.0
#include "src/import/ascend/database_tasks.h"

#include <optional>
#include <set>
#include <string_view>
#include <tuple>
#include <unordered_map>
#include <utility>
#include <vector>

#include "src/import/ascend/independent_count.h"
#include "src/import/ascend/kernel_details.h"
#include "src/import/ascend/task_kind.h"

namespace opcensus::import::ascend {
namespace {

struct ComputeInfo {
  StringId name;
  Signature recorded;
  std::uint32_t blocks = 0;
};

/// A row of TASK.
struct TaskRow {
  Nanoseconds start;
  Nanoseconds duration;
  std::int64_t device = 0;
  std::int64_t stream = 0;
  std::int64_t global_id = -1;
  std::uint64_t task = kNoId;
  std::uint64_t context = kNoId;
  std::uint64_t model = kNoId;
  std::uint64_t connection = kNoId;
  std::string_view type;

  [[nodiscard]] auto place() const { return std::tuple(device, stream, task); }
};

std::uint64_t id_or_none(std::optional<std::int64_t> value) {
  return value && *value >= 0 ? static_cast<std::uint64_t>(*value) : kNoId;
}

class DeviceTables {
 public:
  DeviceTables(const std::string& path,
               Database& database,
               const DatabaseTexts& texts,
               StringTable& strings,
               ProfileRows& rows)
      : path_(path), database_(database), texts_(texts), strings_(strings), rows_(rows) {}

  Status run() {
    OPCENSUS_CHECK_OK(read_compute_info());
    OPCENSUS_CHECK_OK(read_communication_parts());
    OPCENSUS_CHECK_OK(read_tasks());
    for (const TaskRow& task : tasks_) {
      note_described(task);
    }
    for (const TaskRow& task : tasks_) {
      take(task);
    }
    return read_communication_ops();
  }

 private:
  Status read_compute_info() {
    OPCENSUS_TRY(const bool is_old,
                 has_columns(database_, "COMPUTE_TASK_INFO", {std::string_view("blockDim")}));
    OPCENSUS_TRY(auto rows,
                 select_rows(database_,
                             "COMPUTE_TASK_INFO",
                             {"globalTaskId",
                              "name",
                              is_old ? "blockDim" : "blockNum",
                              "opType",
                              "inputShapes",
                              "inputDataTypes",
                              "inputFormats",
                              "outputShapes"}));
    while (rows) {
      OPCENSUS_TRY(const bool has_row, rows->step());
      if (!has_row) {
        break;
      }
      const std::int64_t id = rows->lenient_integer().value_or(-1);
      ComputeInfo info;
      info.name = texts_.intern(rows->lenient_integer());
      info.blocks = static_cast<std::uint32_t>(rows->lenient_integer().value_or(0));
      const std::string_view type = texts_.text(rows->lenient_integer());
      const std::string_view shapes = texts_.text(rows->lenient_integer());
      const std::string_view dtypes = texts_.text(rows->lenient_integer());
      const std::string_view formats = texts_.text(rows->lenient_integer());
      const std::string_view outputs = texts_.text(rows->lenient_integer());
      info.recorded = recorded_signature(type, shapes, dtypes, formats, outputs, strings_);
      compute_.insert_or_assign(id, info);
    }
    return Done{};
  }

  Status read_communication_parts() {
    OPCENSUS_TRY(auto rows,
                 select_rows(database_, "COMMUNICATION_TASK_INFO", {"globalTaskId", "opId"}));
    while (rows) {
      OPCENSUS_TRY(const bool has_row, rows->step());
      if (!has_row) {
        break;
      }
      const std::int64_t id = rows->lenient_integer().value_or(-1);
      op_of_part_.insert_or_assign(id, rows->lenient_integer().value_or(-1));
    }
    return Done{};
  }

  Status read_tasks() {
    OPCENSUS_TRY(auto rows,
                 select_rows(database_,
                             "TASK",
                             {"startNs",
                              "endNs",
                              "deviceId",
                              "streamId",
                              "globalTaskId",
                              "taskId",
                              "contextId",
                              "modelId",
                              "connectionId",
                              "taskType"},
                             "startNs"));
    while (rows) {
      OPCENSUS_TRY(const bool has_row, rows->step());
      if (!has_row) {
        break;
      }
      TaskRow task;
      const auto start = rows->lenient_integer();
      const auto end = rows->lenient_integer();
      task.device = rows->lenient_integer().value_or(0);
      task.stream = rows->lenient_integer().value_or(0);
      task.global_id = rows->lenient_integer().value_or(-1);
      task.task = id_or_none(rows->lenient_integer());
      task.context = id_or_none(rows->lenient_integer());
      task.model = id_or_none(rows->lenient_integer());
      task.connection = id_or_none(rows->lenient_integer());
      task.type = texts_.text(rows->lenient_integer());
      if (set_times(start, end, "TASK", task.start, task.duration)) {
        tasks_.push_back(task);
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
    duration = Nanoseconds(*end_ns) - start;
    if (duration < Nanoseconds()) {
      rows_.diagnostics.count(Issue::NegativeDuration, {path_, {}, std::string(table)});
      duration = Nanoseconds();
    }
    return true;
  }

  [[nodiscard]] bool is_part(const TaskRow& task) const {
    return op_of_part_.count(task.global_id) > 0;
  }

  /// What is described by the other two tables, by its place on the device.
  void note_described(const TaskRow& task) {
    const auto part = op_of_part_.find(task.global_id);
    if (part != op_of_part_.end()) {
      first_part_.try_emplace(part->second, task);  // tasks are in order of their start
    }
    if (part != op_of_part_.end() || compute_.count(task.global_id) > 0) {
      described_.insert(task.place());
    }
  }

  void take(const TaskRow& row) {
    const auto info = compute_.find(row.global_id);
    if (is_part(row)) {
      ++rows_.categories["part of communication"];  // its operator is what counts
      return;
    }
    if (info != compute_.end()) {
      DeviceTask task = device_task(row, DeviceEventKind::Kernel);
      task.name = info->second.name.has_value() ? info->second.name : strings_.intern(row.type);
      task.recorded = info->second.recorded;
      task.blocks = info->second.blocks;
      add(task);
      return;
    }
    const auto kind = kind_of_task_type(row.type);
    // Of a task of several kernels, the whole has a row, too, which nothing describes.
    const bool is_whole = kind == DeviceEventKind::Kernel && described_.count(row.place()) > 0;
    if (!kind || is_whole) {
      ++rows_.categories["task " + std::string(row.type)];
      return;
    }
    DeviceTask task = device_task(row, *kind);
    task.name = strings_.intern(row.type);
    add(task);
  }

  static DeviceTask device_task(const TaskRow& row, DeviceEventKind kind) {
    DeviceTask task;
    task.start = row.start;
    task.duration = row.duration;
    task.device = row.device;
    task.stream = row.stream;
    task.task = row.task;
    task.context = row.context;
    task.model = row.model;
    task.connection = row.connection;
    task.kind = kind;
    return task;
  }

  void add(const DeviceTask& task) {
    ++rows_.categories[std::string(device_event_kind_name(task.kind))];
    rows_.tasks.push_back(task);
  }

  Status read_communication_ops() {
    OPCENSUS_TRY(auto rows,
                 select_rows(database_,
                             "COMMUNICATION_OP",
                             {"startNs", "endNs", "opId", "connectionId", "opName", "opType"},
                             "startNs"));
    while (rows) {
      OPCENSUS_TRY(const bool has_row, rows->step());
      if (!has_row) {
        break;
      }
      DeviceTask task;
      const auto start = rows->lenient_integer();
      const auto end = rows->lenient_integer();
      const std::int64_t id = rows->lenient_integer().value_or(-1);
      const auto first = first_part_.find(id);
      if (first != first_part_.end()) {
        task = device_task(first->second, DeviceEventKind::Kernel);
      } else {
        task.stream = kUnknownStream;
      }
      task.connection = id_or_none(rows->lenient_integer());
      task.name = texts_.intern(rows->lenient_integer());
      task.recorded =
          recorded_signature(texts_.text(rows->lenient_integer()), "", "", "", "", strings_);
      if (set_times(start, end, "COMMUNICATION_OP", task.start, task.duration)) {
        add(task);
      }
    }
    return Done{};
  }

  const std::string& path_;
  Database& database_;
  const DatabaseTexts& texts_;
  StringTable& strings_;
  ProfileRows& rows_;
  std::unordered_map<std::int64_t, ComputeInfo> compute_;      // by globalTaskId
  std::unordered_map<std::int64_t, std::int64_t> op_of_part_;  // globalTaskId -> opId
  std::vector<TaskRow> tasks_;
  std::unordered_map<std::int64_t, TaskRow> first_part_;  // by opId
  std::set<std::tuple<std::int64_t, std::int64_t, std::uint64_t>> described_;
};

}  // namespace

Status read_device_tables(const std::string& path,
                          Database& database,
                          const DatabaseTexts& texts,
                          StringTable& strings,
                          ProfileRows& rows) {
  OPCENSUS_CHECK_OK(count_device_tables(database, rows.raw_device));
  return DeviceTables(path, database, texts, strings, rows).run();
}

}  // namespace opcensus::import::ascend

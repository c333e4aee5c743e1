// SPDX-License-Identifier: Apache-2.0
#include "src/import/ascend/independent_count.h"

#include <string>
#include <string_view>
#include <vector>

#include "src/import/ascend/database_tables.h"
#include "src/import/ascend/task_kind.h"

namespace opcensus::import::ascend {
namespace {

using RawDevice = std::array<RawDeviceCount, 4>;

class IndependentCount {
 public:
  IndependentCount(Database& database, RawDevice& raw_device)
      : database_(database), raw_device_(raw_device) {}

  Status run() {
    OPCENSUS_TRY(compute_, ids_of("COMPUTE_TASK_INFO"));
    OPCENSUS_TRY(parts_, ids_of("COMMUNICATION_TASK_INFO"));
    OPCENSUS_CHECK_OK(count_described());
    OPCENSUS_CHECK_OK(count_others());
    return count_communication();
  }

 private:
  static constexpr std::string_view kSums =
      "COUNT(*), SUM(MAX(endNs - startNs, 0)) FROM TASK "
      "WHERE startNs IS NOT NULL AND endNs IS NOT NULL AND COALESCE(globalTaskId, -1)";

  Result<std::string> ids_of(std::string_view table) {
    const std::vector<std::string_view> column{"globalTaskId"};
    OPCENSUS_TRY(const bool is_there, has_columns(database_, table, column));
    return is_there ? "(SELECT COALESCE(globalTaskId, -1) FROM " + std::string(table) + ")"
                    : std::string("(SELECT 0 WHERE 0)");
  }

  void add(DeviceEventKind kind, Statement& row) {
    RawDeviceCount& raw = raw_device_.at(static_cast<std::size_t>(kind));
    raw.events += static_cast<std::uint64_t>(row.lenient_integer().value_or(0));
    raw.time += Nanoseconds(row.lenient_integer().value_or(0));
  }

  Status count_described() {
    const std::string sql = "SELECT " + std::string(kSums) + " IN " + compute_ +
                            " AND COALESCE(globalTaskId, -1) NOT IN " + parts_;
    OPCENSUS_TRY(Statement row, database_.prepare(sql));
    OPCENSUS_TRY(const bool has_row, row.step());
    if (has_row) {
      add(DeviceEventKind::Kernel, row);
    }
    return Done{};
  }

  Status count_others() {
    const std::string place =
        "(COALESCE(deviceId, 0), COALESCE(streamId, 0), COALESCE(taskId, -1))";
    const std::string described = "(SELECT " + place.substr(1, place.size() - 2) +
                                  " FROM TASK WHERE COALESCE(globalTaskId, -1) IN " + compute_ +
                                  " OR COALESCE(globalTaskId, -1) IN " + parts_ + ")";
    const std::string sql = "SELECT (SELECT value FROM STRING_IDS WHERE id = taskType), " + place +
                            " IN " + described + " AS is_described, " + std::string(kSums) +
                            " NOT IN " + compute_ + " AND COALESCE(globalTaskId, -1) NOT IN " +
                            parts_ + " GROUP BY taskType, is_described";
    OPCENSUS_TRY(Statement row, database_.prepare(sql));
    while (true) {
      OPCENSUS_TRY(const bool has_row, row.step());
      if (!has_row) {
        return Done{};
      }
      const auto kind = kind_of_task_type(row.lenient_text());
      const bool is_described = row.lenient_integer().value_or(0) != 0;
      if (kind && !(*kind == DeviceEventKind::Kernel && is_described)) {
        add(*kind, row);
      }
    }
  }

  Status count_communication() {
    const std::vector<std::string_view> columns{"startNs", "endNs"};
    OPCENSUS_TRY(const bool is_there, has_columns(database_, "COMMUNICATION_OP", columns));
    if (!is_there) {
      return Done{};
    }
    OPCENSUS_TRY(Statement row,
                 database_.prepare("SELECT COUNT(*), SUM(MAX(endNs - startNs, 0)) "
                                   "FROM COMMUNICATION_OP "
                                   "WHERE startNs IS NOT NULL AND endNs IS NOT NULL"));
    OPCENSUS_TRY(const bool has_row, row.step());
    if (has_row) {
      add(DeviceEventKind::Kernel, row);
    }
    return Done{};
  }

  Database& database_;
  RawDevice& raw_device_;
  std::string compute_;
  std::string parts_;
};

}  // namespace

Status count_device_tables(Database& database, std::array<RawDeviceCount, 4>& raw_device) {
  return IndependentCount(database, raw_device).run();
}

}  // namespace opcensus::import::ascend

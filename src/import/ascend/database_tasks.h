// SPDX-License-Identifier: Apache-2.0
//
// The device side of a database: TASK, COMPUTE_TASK_INFO, COMMUNICATION_OP and
// COMMUNICATION_TASK_INFO.
#pragma once

#include <string>

#include "opcensus/result.h"

#include "src/base/string_table.h"
#include "src/import/ascend/database_tables.h"
#include "src/import/ascend/profile_rows.h"

namespace opcensus::import::ascend {

/// Fills in rows.tasks, raw_device, and the categories of tasks. raw_device is counted by SQL.
[[nodiscard]] Status read_device_tables(const std::string& path,
                                        Database& database,
                                        const DatabaseTexts& texts,
                                        StringTable& strings,
                                        ProfileRows& rows);

}  // namespace opcensus::import::ascend

// SPDX-License-Identifier: Apache-2.0
//
// What the tables of a database hold, counted in SQL before any row is built: the other side of
// the ledger's check. The rules are database_tasks', said another way.
#pragma once

#include <array>

#include "opcensus/result.h"

#include "src/io/sqlite.h"
#include "src/model/trace.h"

namespace opcensus::import::ascend {

/// Adds to `raw_device`, by DeviceEventKind. Wants TASK and STRING_IDS; the rest may be missing.
[[nodiscard]] Status count_device_tables(Database& database,
                                         std::array<RawDeviceCount, 4>& raw_device);

}  // namespace opcensus::import::ascend

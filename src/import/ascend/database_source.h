// SPDX-License-Identifier: Apache-2.0
//
// The database form: ascend_pytorch_profiler*.db (torch_npu) and msprof_*.db (msprof). Schema
// 1.0.0; tables and columns are selected by the names that are there, so that older and newer
// files, and those that a viewer has added to, are read all the same.
#pragma once

#include <string>

#include "opcensus/result.h"

#include "src/base/string_table.h"
#include "src/import/ascend/profile_rows.h"

namespace opcensus::import::ascend {

/// Errors: NotATrace (no TASK table), Damaged, Unreadable, NotFound.
[[nodiscard]] Result<ProfileRows> read_database_source(const std::string& path,
                                                       StringTable& strings);

}  // namespace opcensus::import::ascend

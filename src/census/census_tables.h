// SPDX-License-Identifier: Apache-2.0
//
// Census <-> the tables of schema/census.sql, row for row: what is read equals what was written.
#pragma once

#include "opcensus/result.h"

#include "src/census/census.h"
#include "src/io/sqlite.h"

namespace opcensus {

/// Fills the empty tables. The census is valid.
Status insert_census(Database& database, const Census& census);

/// Checks the type of every value; indices are only checked for their width (see validate.h).
[[nodiscard]] Result<Census> select_census(Database& database);

}  // namespace opcensus

// SPDX-License-Identifier: Apache-2.0
//
// The .census file: a SQLite database with the tables of schema/census.sql. Written whole or not
// at all; read back equal to what was written. A file from anywhere may be read: what is not a
// sound census is an Error (BadCensus).
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "opcensus/result.h"

#include "src/census/census.h"

namespace opcensus {

/// As many bytes as looks_like_census() needs to say yes.
inline constexpr std::size_t kCensusHeaderBytes = 72;

/// True for a SQLite database with our application id, whatever its schema version.
[[nodiscard]] bool looks_like_census(std::string_view first_bytes);

/// Writes PATH.tmp-<process id> beside the target and renames it, so that a reader sees the old
/// file or the new one. On an Error (Unwritable; BadCensus for indices out of range) the old file
/// is as before and nothing is left behind.
Status write_census(const Census& census, const std::string& path);

/// Every index of the result is in range. Needs no write access to the file or its folder.
[[nodiscard]] Result<Census> read_census(const std::string& path);

}  // namespace opcensus

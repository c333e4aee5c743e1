// SPDX-License-Identifier: Apache-2.0
//
// Help with databases whose tables change between versions: a SELECT made of the columns that are
// there, and the texts that ids stand for.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "opcensus/result.h"

#include "src/base/string_table.h"
#include "src/io/sqlite.h"

namespace opcensus::import::ascend {

/// All rows of a table in the given order; a column that is not there reads as NULL. nullopt if
/// there is no such table. `order` is left out where its column is missing.
[[nodiscard]] Result<std::optional<Statement>> select_rows(
    Database& database,
    std::string_view table,
    const std::vector<std::string_view>& columns,
    std::string_view order = {});

[[nodiscard]] Result<bool> has_columns(Database& database,
                                       std::string_view table,
                                       const std::vector<std::string_view>& columns);

/// STRING_IDS.
class DatabaseTexts {
 public:
  [[nodiscard]] static Result<DatabaseTexts> read(Database& database, StringTable& strings);

  /// "" for an id without a text.
  [[nodiscard]] std::string_view text(std::optional<std::int64_t> id) const;

  /// The text in the Model's table; none() where text() is empty.
  [[nodiscard]] StringId intern(std::optional<std::int64_t> id) const;

 private:
  explicit DatabaseTexts(StringTable& strings) : strings_(&strings) {}

  StringTable* strings_;
  std::unordered_map<std::int64_t, std::string> texts_;
};

}  // namespace opcensus::import::ascend

// SPDX-License-Identifier: Apache-2.0
#include "src/import/ascend/database_tables.h"

#include <algorithm>
#include <utility>

namespace opcensus::import::ascend {
namespace {

constexpr std::string_view kSelect = "SELECT ";

bool contains(const std::vector<std::string>& names, std::string_view wanted) {
  return std::find(names.begin(), names.end(), wanted) != names.end();
}

}  // namespace

Result<std::optional<Statement>> select_rows(Database& database,
                                             std::string_view table,
                                             const std::vector<std::string_view>& columns,
                                             std::string_view order) {
  OPCENSUS_TRY(const std::vector<std::string> present, database.columns(table));
  if (present.empty()) {
    return std::optional<Statement>();
  }
  std::string sql(kSelect);
  for (const std::string_view column : columns) {
    sql += sql.size() == kSelect.size() ? "" : ", ";
    sql += contains(present, column) ? column : "NULL";
  }
  sql += " FROM ";
  sql += table;
  if (contains(present, order)) {
    sql += " ORDER BY ";
    sql += order;
  }
  OPCENSUS_TRY(Statement statement, database.prepare(sql));
  return std::optional<Statement>(std::move(statement));
}

Result<bool> has_columns(Database& database,
                         std::string_view table,
                         const std::vector<std::string_view>& columns) {
  OPCENSUS_TRY(const std::vector<std::string> present, database.columns(table));
  return std::all_of(columns.begin(), columns.end(), [&present](std::string_view column) {
    return contains(present, column);
  });
}

Result<DatabaseTexts> DatabaseTexts::read(Database& database, StringTable& strings) {
  DatabaseTexts texts(strings);
  OPCENSUS_TRY(auto rows, select_rows(database, "STRING_IDS", {"id", "value"}));
  while (rows) {
    OPCENSUS_TRY(const bool has_row, rows->step());
    if (!has_row) {
      break;
    }
    const auto id = rows->lenient_integer();
    if (id) {
      texts.texts_.insert_or_assign(*id, rows->lenient_text());
    }
  }
  return texts;
}

std::string_view DatabaseTexts::text(std::optional<std::int64_t> id) const {
  const auto found = id ? texts_.find(*id) : texts_.end();
  return found == texts_.end() ? std::string_view() : std::string_view(found->second);
}

StringId DatabaseTexts::intern(std::optional<std::int64_t> id) const {
  const std::string_view value = text(id);
  return value.empty() ? StringId::none() : strings_->intern(value);
}

}  // namespace opcensus::import::ascend

// SPDX-License-Identifier: Apache-2.0
#include "src/import/nsys/nsys_tables.h"

#include <algorithm>

#include <fmt/format.h>

namespace opcensus::import {
namespace {

/// As a SQL name; names come from this folder and from the file.
std::string quoted(std::string_view name) {
  std::string text = "\"";
  for (const char byte : name) {
    text += byte == '"' ? "\"\"" : std::string(1, byte);
  }
  return text + '"';
}

bool contains(const std::vector<std::string>& names, std::string_view name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

std::string column_of(const std::vector<std::string>& present, std::string_view name) {
  return contains(present, name) ? "e." + quoted(name) : "NULL";
}

/// The first of the columns that is not NULL. COALESCE wants two arguments.
std::string first_of(const std::vector<std::string>& present,
                     const std::vector<std::string_view>& names,
                     std::string_view last) {
  std::string list = "NULL";
  for (const std::string_view name : names) {
    list += ", " + column_of(present, name);
  }
  return fmt::format("COALESCE({}, {})", list, last);
}

/// Joining must not multiply rows: where nothing keeps the ids apart, each is taken once.
Result<std::string> find_string_source(Database& database) {
  OPCENSUS_TRY(const auto columns, database.columns("StringIds"));
  if (!contains(columns, "id") || !contains(columns, "value")) {
    return std::string();
  }
  OPCENSUS_TRY(Statement key,
               database.prepare("SELECT pk FROM pragma_table_info('StringIds') WHERE name = 'id'"));
  OPCENSUS_TRY(const bool has_row, key.step());
  const bool is_key = has_row && key.lenient_integer().value_or(0) == 1;
  return std::string(is_key ? "StringIds"
                            : "(SELECT id, MIN(value) AS value FROM StringIds GROUP BY id)");
}

}  // namespace

Result<NsysTables> NsysTables::open(Database& database) {
  NsysTables tables(database);
  OPCENSUS_TRY(tables.tables_, database.tables());
  OPCENSUS_TRY(tables.string_source_, find_string_source(database));
  return tables;
}

bool NsysTables::are_of_nsys() const {
  // nvprof's databases have tables of CUPTI's kinds, too, and neither of these.
  const bool has_frame = has("StringIds") || has("META_DATA_EXPORT");
  return has_frame && std::any_of(tables_.begin(), tables_.end(), [](const std::string& name) {
           return name.starts_with("CUPTI_ACTIVITY_KIND_") || name.starts_with("NVTX_EVENTS") ||
                  name.starts_with("META_DATA_") || name.starts_with("TARGET_INFO_");
         });
}

std::string_view NsysTables::actual_name(std::string_view table) const {
  if (std::binary_search(tables_.begin(), tables_.end(), table)) {
    return table;
  }
  for (char version = '9'; version >= '2'; --version) {
    const std::string name = fmt::format("{}_V{}", table, version);
    const auto found = std::lower_bound(tables_.begin(), tables_.end(), name);
    if (found != tables_.end() && *found == name) {
      return *found;
    }
  }
  return {};
}

Result<std::optional<Statement>> NsysTables::select(const TableQuery& query) const {
  const std::string_view table = actual_name(query.table);
  if (table.empty()) {
    return std::optional<Statement>();
  }
  OPCENSUS_TRY(const auto present, database_->columns(table));
  std::string list;
  for (const std::string_view column : query.columns) {
    list += (list.empty() ? "" : ", ") + column_of(present, column);
  }
  std::string source = fmt::format("{} AS e", quoted(table));
  if (!query.text_ids.empty() || !query.texts.empty()) {
    const std::string id = first_of(present, query.text_ids, "NULL");
    const bool joins = !string_source_.empty() && !query.text_ids.empty();
    list += fmt::format(", {}, {}", id, first_of(present, query.texts, joins ? "s.value" : "NULL"));
    if (joins) {
      source += fmt::format(" LEFT JOIN {} AS s ON s.id = {}", string_source_, id);
    }
  }
  OPCENSUS_TRY(Statement statement,
               database_->prepare(fmt::format("SELECT {} FROM {}", list, source)));
  return std::optional<Statement>(std::move(statement));
}

}  // namespace opcensus::import

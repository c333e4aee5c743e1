// SPDX-License-Identifier: Apache-2.0
//
// NsysTables: queries over an export whose tables and columns differ between versions.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "opcensus/result.h"

#include "src/io/sqlite.h"

namespace opcensus::import {

struct TableQuery {
  std::string_view table;
  std::vector<std::string_view> columns;
  /// Columns with an id of StringIds, and columns with a text; the first that is not NULL counts.
  /// Where one is named, each row ends with the id (NULL if none) and the text.
  std::vector<std::string_view> text_ids = {};
  std::vector<std::string_view> texts = {};
};

class NsysTables {
 public:
  [[nodiscard]] static Result<NsysTables> open(Database& database);

  /// Whether these are the tables of an export of Nsight Systems.
  [[nodiscard]] bool are_of_nsys() const;

  [[nodiscard]] bool has(std::string_view table) const { return !actual_name(table).empty(); }

  /// A row has every column of the query in its order; columns that the table lacks are NULL.
  /// nullopt if there is no such table.
  [[nodiscard]] Result<std::optional<Statement>> select(const TableQuery& query) const;

 private:
  explicit NsysTables(Database& database) : database_(&database) {}

  /// The name itself, or with the latest of the suffixes _V2, _V3 …; empty if there is neither.
  [[nodiscard]] std::string_view actual_name(std::string_view table) const;

  Database* database_;
  std::vector<std::string> tables_;  // sorted
  std::string string_source_;        // what to join for StringIds; empty if there is no such table
};

}  // namespace opcensus::import

// SPDX-License-Identifier: Apache-2.0
//
// RowIntake: what the readers of the single tables share: the Trace that they fill, its texts,
// threads and streams, and the checks of times.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string_view>
#include <unordered_map>
#include <utility>

#include "opcensus/result.h"

#include "src/import/nsys/nsys_reader.h"
#include "src/import/nsys/nsys_tables.h"
#include "src/import/nsys/processes.h"
#include "src/model/model.h"

namespace opcensus::import {

struct RowTimes {
  Nanoseconds start;
  Nanoseconds duration;
};

class RowIntake {
 public:
  RowIntake(const NsysTables& tables, const NsysLimits& limits, Model& model, Trace& trace)
      : tables_(tables),
        limits_(limits),
        model_(model),
        trace_(trace),
        processes_(model.strings, trace) {}

  [[nodiscard]] const NsysTables& tables() const { return tables_; }

  [[nodiscard]] Model& model() { return model_; }

  [[nodiscard]] Trace& trace() { return trace_; }

  [[nodiscard]] Processes& processes() { return processes_; }

  /// Calls take(row) for every row of the table, if there is one. take returns a Status.
  template <class Take>
  [[nodiscard]] Status for_each_row(const TableQuery& query, Take&& take);

  /// Reads the two last columns of a query with texts. The text of an id is read once.
  [[nodiscard]] Result<StringId> text_of(Statement& row);

  /// LimitExceeded if the text is too long, or there are too many.
  [[nodiscard]] Result<StringId> intern(std::string_view text);

  /// nullopt, and counted, if one is missing or does not fit; an end before the start counts as
  /// no duration.
  [[nodiscard]] std::optional<RowTimes> times(std::optional<std::int64_t> start,
                                              std::optional<std::int64_t> end,
                                              std::string_view what);

  void count(Issue issue, std::string_view detail);

  void count_category(std::string_view name) { ++categories_[name]; }  // a literal

  /// The end of the last row so far; zero if there was none.
  [[nodiscard]] Nanoseconds last_time() const { return last_time_; }

  void finish();

 private:
  const NsysTables& tables_;
  const NsysLimits& limits_;
  Model& model_;
  Trace& trace_;
  Processes processes_;
  std::unordered_map<std::int64_t, StringId> text_of_id_;
  std::map<std::string_view, std::uint64_t> categories_;
  Nanoseconds last_time_;
};

template <class Take>
Status RowIntake::for_each_row(const TableQuery& query, Take&& take) {
  OPCENSUS_TRY(auto rows, tables_.select(query));
  while (rows) {
    OPCENSUS_TRY(const bool has_row, rows->step());
    if (!has_row) {
      break;
    }
    OPCENSUS_CHECK_OK(take(*rows));
  }
  return Done{};
}

}  // namespace opcensus::import

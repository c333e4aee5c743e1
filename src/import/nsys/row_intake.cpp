// SPDX-License-Identifier: Apache-2.0
#include "src/import/nsys/row_intake.h"

#include <algorithm>
#include <string>

#include "src/base/decimal.h"

namespace opcensus::import {
namespace {

bool fits(std::int64_t time_ns) {
  return time_ns >= -kDecimalLimit && time_ns <= kDecimalLimit;
}

Error limit_error(const char* message) {
  return Error{ErrorCode::LimitExceeded,
               message,
               {},
               std::nullopt,
               "nsys writes nothing like this: look at the database with sqlite3"};
}

}  // namespace

Result<StringId> RowIntake::text_of(Statement& row) {
  const auto id = row.lenient_integer();
  if (!id) {
    return intern(row.lenient_text());
  }
  const auto known = text_of_id_.find(*id);
  if (known != text_of_id_.end()) {
    return known->second;
  }
  OPCENSUS_TRY(const StringId text, intern(row.lenient_text()));
  text_of_id_.emplace(*id, text);
  return text;
}

Result<StringId> RowIntake::intern(std::string_view text) {
  if (text.size() > limits_.max_string_bytes) {
    return limit_error("a text is longer than max_string_bytes");
  }
  if (model_.strings.size() >= limits_.max_distinct_strings) {
    return limit_error("there are more texts than max_distinct_strings");
  }
  return model_.strings.intern(text);
}

std::optional<RowTimes> RowIntake::times(std::optional<std::int64_t> start,
                                         std::optional<std::int64_t> end,
                                         std::string_view what) {
  if (!start || !end) {
    count(Issue::BadEvent, what);
    return std::nullopt;
  }
  if (!fits(*start) || !fits(*end)) {
    count(Issue::TimeOutOfRange, what);
    return std::nullopt;
  }
  RowTimes times{Nanoseconds(*start), Nanoseconds(*end) - Nanoseconds(*start)};
  if (times.duration < Nanoseconds(0)) {
    count(Issue::NegativeDuration, what);
    times.duration = Nanoseconds(0);
  }
  last_time_ = std::max(last_time_, times.start + times.duration);
  return times;
}

void RowIntake::count(Issue issue, std::string_view detail) {
  trace_.diagnostics.count(issue, {trace_.path, std::nullopt, std::string(detail)});
}

void RowIntake::finish() {
  processes_.finish();
  for (const auto& [name, events] : categories_) {
    trace_.categories.push_back({std::string(name), events});
  }
}

}  // namespace opcensus::import

// SPDX-License-Identifier: Apache-2.0
#include "src/import/ascend/csv_rows.h"

#include <utility>

namespace opcensus::import::ascend {
namespace {

constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";

}  // namespace

CsvRows::CsvRows(ByteSource& source, std::size_t max_row_bytes)
    : source_(source), max_row_bytes_(max_row_bytes), buffer_(kReadBytes) {}

Result<std::optional<char>> CsvRows::take() {
  if (pushed_back_) {
    return std::exchange(pushed_back_, std::nullopt);
  }
  if (at_ == filled_) {
    OPCENSUS_TRY(filled_, source_.read(buffer_));
    at_ = 0;
    if (filled_ == 0) {
      return std::optional<char>();
    }
  }
  ++position_;
  return std::optional<char>(buffer_[at_++]);
}

Status CsvRows::append(char c) {
  if (++row_bytes_ > max_row_bytes_) {
    return Error{ErrorCode::LimitExceeded,
                 "a row is longer than " + std::to_string(max_row_bytes_) + " bytes",
                 "",
                 row_offset_,
                 "no profiler writes such rows: look at the file at that byte"};
  }
  cells_.back() += c;
  return Done{};
}

Status CsvRows::read_quoted() {
  while (true) {
    OPCENSUS_TRY(const std::optional<char> c, take());
    if (!c) {
      ends_in_quotes_ = true;
      return Done{};
    }
    if (*c != '"') {
      OPCENSUS_CHECK_OK(append(*c));
      continue;
    }
    OPCENSUS_TRY(const std::optional<char> after, take());
    if (after != '"') {
      pushed_back_ = after;
      return Done{};
    }
    OPCENSUS_CHECK_OK(append('"'));
  }
}

Result<bool> CsvRows::next() {
  cells_.assign(1, {});
  row_offset_ = position_ - (pushed_back_ ? 1 : 0);
  row_bytes_ = 0;
  bool is_empty = true;
  while (true) {
    OPCENSUS_TRY(const std::optional<char> c, take());
    if (!c) {
      return !is_empty;
    }
    if (*c == '\n') {
      return true;
    }
    is_empty = false;
    if (*c == '"' && cells_.back().empty()) {
      OPCENSUS_CHECK_OK(read_quoted());
    } else if (*c == ',') {
      OPCENSUS_CHECK_OK(append(','));  // counts towards the row's size
      cells_.back().pop_back();
      cells_.emplace_back();
    } else if (*c != '\r') {
      OPCENSUS_CHECK_OK(append(*c));
    }
  }
}

CsvHeader::CsvHeader(const std::vector<std::string>& cells) {
  for (const std::string& cell : cells) {
    std::string_view name = cell;
    if (names_.empty() && name.starts_with(kByteOrderMark)) {
      name.remove_prefix(kByteOrderMark.size());
    }
    names_.emplace_back(trimmed_cell(name));
  }
}

std::optional<std::size_t> CsvHeader::find(std::string_view name) const {
  for (std::size_t i = 0; i < names_.size(); ++i) {
    if (names_[i] == name) {
      return i;
    }
  }
  return std::nullopt;
}

std::string_view trimmed_cell(std::string_view text) {
  constexpr std::string_view kSpace = " \t\r\n";
  const std::size_t first = text.find_first_not_of(kSpace);
  if (first == std::string_view::npos) {
    return {};
  }
  return text.substr(first, text.find_last_not_of(kSpace) + 1 - first);
}

}  // namespace opcensus::import::ascend

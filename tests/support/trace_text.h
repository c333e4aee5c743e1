// SPDX-License-Identifier: Apache-2.0
//
// TraceText: a Kineto trace as rows, and the many JSON texts that mean the same. For tests that
// need whole files instead of models.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace opcensus::testing {

/// A key and its value as JSON text.
using JsonField = std::pair<std::string, std::string>;

/// One event with a duration (ph X). Times are nanoseconds.
struct TraceRow {
  std::string category;
  std::string name;
  std::int64_t process = 0;
  std::int64_t thread = 0;
  std::int64_t start = 0;
  std::int64_t duration = 0;
  std::vector<JsonField> args;
};

struct TraceText {
  std::vector<JsonField> header;
  std::vector<TraceRow> rows;
};

/// What may differ between two texts of one trace. No two rows of a trace may be ties (equal
/// start, duration and thread) if they are to be shuffled.
struct Layout {
  bool pretty = false;
  bool reverse_keys = false;
  bool header_last = false;
  bool text_ids = false;      ///< pid and tid as strings
  bool text_times = false;    ///< ts and dur as strings
  std::uint64_t shuffle = 0;  ///< seed; 0: file order
};

[[nodiscard]] std::string quote_json(std::string_view text);

[[nodiscard]] std::string render(const TraceText& trace, const Layout& layout = {});

}  // namespace opcensus::testing

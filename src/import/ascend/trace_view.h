// SPDX-License-Identifier: Apache-2.0
//
// trace_view.json: the rows of all lanes, and the arrows between them. What a row without a
// category is, only its process's name tells, which may come after it: text_source decides.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "opcensus/result.h"

#include "src/base/string_table.h"
#include "src/import/ascend/ascend_reader.h"
#include "src/import/ascend/profile_rows.h"

namespace opcensus::import::ascend {

enum class Lane : std::uint8_t { Other, Python, Cann, Hardware, Communication };

/// A row of CANN, of the hardware, or of communication.
struct LaneRow {
  Nanoseconds start;
  Nanoseconds duration;
  std::int64_t pid = 0;
  std::int64_t thread = 0;  ///< CANN
  StringId name;
  StringId type;  ///< hardware: of the task
  std::optional<std::uint64_t> stream;
  std::uint64_t task = kNoId;
  std::uint64_t context = kNoId;
  std::uint64_t model = kNoId;
  std::uint64_t connection = kNoId;
  CannLevel level = CannLevel::Other;

  [[nodiscard]] Nanoseconds end() const { return start + duration; }
};

struct HostPlace {
  HostThread thread;
  Nanoseconds start;
};

struct TraceView {
  std::vector<LaneRow> rows;
  std::map<std::int64_t, Lane> lanes;                    ///< by pid
  std::unordered_map<std::int64_t, HostPlace> launched;  ///< by a task's start in nanoseconds

  [[nodiscard]] Lane lane_of(std::int64_t pid) const;
};

/// Adds the file's rows to `view`, its framework rows to rows.host. Errors: the source's, Empty,
/// NotATrace, LimitExceeded.
[[nodiscard]] Status read_trace_view(const std::string& path,
                                     const AscendOptions& options,
                                     StringTable& strings,
                                     TraceView& view,
                                     ProfileRows& rows);

}  // namespace opcensus::import::ascend

// SPDX-License-Identifier: Apache-2.0
//
// StoredSegments: stored rows, cut by time into segments of about equal size.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "src/model/segments.h"
#include "src/model/trace.h"
#include "src/segments/stored_rows.h"

namespace opcensus {

class StoredSegments final : public SegmentSource {
 public:
  /// `samples`: how many samples a segment has.
  StoredSegments(StoredRows rows, Nanoseconds base_time, std::size_t samples);

  [[nodiscard]] std::size_t count() const override { return cuts_.size() + 1; }

  Status load_next(Trace& trace) override;

  Status load_all(Trace& trace) override;

 private:
  Status load_host_rows(Trace& trace, Nanoseconds from, Nanoseconds to) const;
  Status load_events(Trace& trace, Nanoseconds from, Nanoseconds to);
  Status borrow_operators(Trace& trace) const;

  StoredRows rows_;
  Nanoseconds base_time_;
  std::vector<Nanoseconds> cuts_;  ///< ascending, without base time; between the segments
  std::size_t next_ = 0;
  std::vector<HostSpan> open_;                ///< at the end of the last segment, with base time
  std::vector<std::uint64_t> last_launched_;  ///< its calls' correlations, sorted
};

}  // namespace opcensus

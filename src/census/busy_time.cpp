// SPDX-License-Identifier: Apache-2.0
#include "src/census/busy_time.h"

#include <algorithm>

namespace opcensus {

Nanoseconds busy_time(std::vector<std::pair<Nanoseconds, Nanoseconds>> intervals) {
  std::sort(intervals.begin(), intervals.end());
  Nanoseconds busy;
  bool is_first = true;
  Nanoseconds covered;  // everything before this is counted
  for (const auto& [start, end] : intervals) {
    const Nanoseconds from = is_first ? start : std::max(start, covered);
    if (end > from) {
      busy += end - from;
    }
    covered = is_first ? end : std::max(covered, end);
    is_first = false;
  }
  return busy;
}

}  // namespace opcensus

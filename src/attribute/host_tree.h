// SPDX-License-Identifier: Apache-2.0
//
// HostTree: which operator or annotation encloses which, per thread, and which one encloses each
// runtime call. The proof of a direct attribution is enclosure in time on the same thread.
//
// Spans that overlap without nesting (times rounded to microseconds by old profilers) stay open
// side by side; a call belongs to the one that started last and still holds the call's start.
// Cost: O(n log n) in the spans and calls of the trace.
#pragma once

#include <cstdint>
#include <vector>

#include "src/base/ids.h"
#include "src/model/trace.h"

namespace opcensus {

struct HostTree {
  std::vector<SpanId> parent;     ///< by SpanId: the enclosing span of either kind
  std::vector<SpanId> call_span;  ///< by CallId: the innermost enclosing span of either kind
  std::uint64_t overlaps = 0;     ///< spans that stick out of an earlier one

  /// The innermost operator at or above `span`; none() if there is no operator.
  [[nodiscard]] SpanId innermost_operator(const Trace& trace, SpanId span) const;

  /// The outermost operator at or above `span`.
  [[nodiscard]] SpanId outermost_operator(const Trace& trace, SpanId span) const;
};

[[nodiscard]] HostTree build_host_tree(const Trace& trace);

}  // namespace opcensus

// SPDX-License-Identifier: Apache-2.0
//
// HostMoments: what a host thread was doing at a moment that is no row of the trace.
// Cost: O(n log n) once, O(log n + nesting) a look-up.
#pragma once

#include <cstdint>
#include <vector>

#include "src/attribute/host_tree.h"
#include "src/base/ids.h"
#include "src/model/trace.h"

namespace opcensus {

class HostMoments {
 public:
  HostMoments(const Trace& trace, const HostTree& tree);

  /// The innermost span of either kind that encloses the moment; none() if there is none.
  [[nodiscard]] SpanId span_at(ThreadId thread, Nanoseconds time) const;

  /// The last call that began by then on the thread; none() if there is none.
  [[nodiscard]] CallId last_call(ThreadId thread, Nanoseconds time) const;

 private:
  const Trace& trace_;
  const HostTree& tree_;
  std::vector<std::uint32_t> spans_;  // by (thread, start), parents before children
  std::vector<std::uint32_t> calls_;  // by (thread, start)
};

}  // namespace opcensus

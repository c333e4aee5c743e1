// SPDX-License-Identifier: Apache-2.0
//
// HostPlaces: where in the framework a call of CANN comes from. With the task queue, torch_npu
// hands its work to a thread of its own: the call is made there, long after the operator went on,
// so that what encloses the call is not what asked for it. The way back, best first:
//
//   connection ──link──> backend call                              (recorded by torch_npu)
//   call ──in time──> Dequeue ──queue id──> Enqueue ──in time──> backend call, or the Enqueue
//
// Cost: O(n log n) once, O(log n) a look-up.
#pragma once

#include <cstdint>
#include <optional>
#include <unordered_map>
#include <vector>

#include "src/import/ascend/host_row_use.h"
#include "src/import/ascend/profile_rows.h"

namespace opcensus::import::ascend {

/// A stretch of time on a host thread.
struct HostStretch {
  HostThread thread;
  Nanoseconds start;
  Nanoseconds duration;
};

class HostPlaces {
 public:
  /// `uses` is by index of rows.host.
  HostPlaces(const ProfileRows& rows, const std::vector<HostRowUse>& uses);

  /// By what torch_npu recorded.
  [[nodiscard]] std::optional<HostStretch> linked(std::uint64_t connection) const;

  /// By the task queue.
  [[nodiscard]] std::optional<HostStretch> queued(const CannCall& call) const;

 private:
  using Order = std::vector<const HostRow*>;  // by (thread, start)

  /// The last row that starts by then and does not end before it.
  [[nodiscard]] static const HostRow* enclosing(const Order& order,
                                                HostThread thread,
                                                Nanoseconds time);

  Order backends_;
  Order dequeues_;
  std::unordered_map<std::uint64_t, const HostRow*> enqueues_;  // by queue id
  std::unordered_map<std::uint64_t, HostLink> links_;           // by connection
};

}  // namespace opcensus::import::ascend

// SPDX-License-Identifier: Apache-2.0
//
// LaunchIndex: from a device event to the call that launched it. The join is equal correlation
// within one process; correlation 0 joins nothing. Cost: O(n log n) once, O(log n) a look-up.
#pragma once

#include <cstdint>
#include <vector>

#include "src/base/ids.h"
#include "src/model/model.h"

namespace opcensus {

struct LaunchMatch {
  CallId call;  ///< none() if no call, or no single call, fits
  bool ambiguous = false;
};

class LaunchIndex {
 public:
  LaunchIndex(const Model& model, const Trace& trace);

  [[nodiscard]] LaunchMatch find(const DeviceEvent& event) const;

  /// Device events in order of (launching call, stream, start): the events of one launch are
  /// adjacent. Events without a launch come last.
  [[nodiscard]] std::vector<EventId> events_by_launch(const std::vector<CallId>& launch_of) const;

 private:
  struct Entry {
    std::uint64_t correlation;
    CallId call;
  };

  /// By StreamId: its place by number. Ids are in file order, which must not show in the result.
  [[nodiscard]] std::vector<std::uint32_t> place_of_streams() const;

  [[nodiscard]] bool same_process_group(const ApiCall& call, const DeviceEvent& event) const;

  const Model& model_;
  const Trace& trace_;
  std::vector<Entry> entries_;  // sorted by (correlation, launches first, file order)
};

}  // namespace opcensus

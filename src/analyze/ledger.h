// SPDX-License-Identifier: Apache-2.0
//
// The ledger: total = direct + exact + aligned + unattributed, in events and in integer
// nanoseconds, for a set of phases.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "src/analyze/enum_set.h"
#include "src/base/nanoseconds.h"
#include "src/census/census.h"

namespace opcensus {

/// A number of device events and the sum of their durations.
struct EventSum {
  std::uint64_t events = 0;
  Nanoseconds time;

  EventSum& operator+=(const EventSum& other) {
    events += other.events;
    time += other.time;
    return *this;
  }

  friend bool operator==(const EventSum&, const EventSum&) = default;
};

/// Events of one tier that have no signature, or only a part of it, for one reason.
struct ReasonSum {
  Tier tier = Tier::Unattributed;
  Reason reason = Reason::None;
  EventSum sum;
};

struct TierLedger {
  std::array<EventSum, kTiers.size()> tiers{};
  EventSum total;
  std::vector<ReasonSum> reasons;  ///< by tier, then reason; Reason::None only if unattributed

  [[nodiscard]] const EventSum& of(Tier tier) const {
    return tiers[static_cast<std::size_t>(tier)];
  }

  /// direct + exact + aligned
  [[nodiscard]] EventSum attributed() const;
};

[[nodiscard]] TierLedger compute_ledger(const Census& census, PhaseSet phases);

/// What the importers counted before anything was derived: the denominator of every coverage.
[[nodiscard]] EventSum sum_raw_counts(const Census& census);

}  // namespace opcensus

// SPDX-License-Identifier: Apache-2.0
#include "src/analyze/ledger.h"

#include <map>
#include <utility>

namespace opcensus {

EventSum TierLedger::attributed() const {
  EventSum sum = of(Tier::Direct);
  sum += of(Tier::Exact);
  sum += of(Tier::Aligned);
  return sum;
}

TierLedger compute_ledger(const Census& census, PhaseSet phases) {
  TierLedger ledger;
  std::map<std::pair<Tier, Reason>, EventSum> reasons;
  for (const DeviceTime& row : census.device_times) {
    if (!phases.contains(row.phase)) {
      continue;
    }
    const EventSum sum{row.events, row.time};
    ledger.tiers[static_cast<std::size_t>(row.tier)] += sum;
    ledger.total += sum;
    if (row.reason != Reason::None || row.tier == Tier::Unattributed) {
      reasons[{row.tier, row.reason}] += sum;
    }
  }
  for (const auto& [key, sum] : reasons) {
    ledger.reasons.push_back({key.first, key.second, sum});
  }
  return ledger;
}

EventSum sum_raw_counts(const Census& census) {
  EventSum total;
  for (const RawCount& row : census.raw_counts) {
    total += EventSum{row.events, row.time};
  }
  return total;
}

}  // namespace opcensus

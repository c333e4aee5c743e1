// SPDX-License-Identifier: Apache-2.0
//
// DirectRule: the operator of an ordinary launch is the innermost operator that encloses the
// launching call on its thread. The External id confirms it and is no proof by itself: in old
// traces it is the correlation number. Only where the launch itself is missing, or stands outside
// every operator, is an id accepted that names exactly one operator and is not the correlation.
#pragma once

#include <cstdint>
#include <vector>

#include "src/attribute/attribution.h"

namespace opcensus {

class DirectRule {
 public:
  DirectRule(const Trace& trace, const HostTree& tree);

  /// Sets tier, reason, signature and op. `call` is none() if the event's launch is not in the
  /// trace.
  void apply(const DeviceEvent& event, CallId call, EventAttribution& out);

  /// Events whose External id named another operator than the enclosing one.
  [[nodiscard]] std::uint64_t mismatches() const { return mismatches_; }

 private:
  struct IdEntry {
    std::uint64_t external_id;
    SpanId span;
  };

  [[nodiscard]] SpanId unique_operator(std::uint64_t external_id) const;
  [[nodiscard]] SpanId enclosing_operator(const DeviceEvent& event, CallId call);

  const Trace& trace_;
  const HostTree& tree_;
  std::vector<IdEntry> operators_by_id_;  // sorted
  std::uint64_t mismatches_ = 0;
};

}  // namespace opcensus

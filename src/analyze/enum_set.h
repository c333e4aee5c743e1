// SPDX-License-Identifier: Apache-2.0
//
// EnumSet: a set of enumerators of a small enum (fewer than 32), as bits.
#pragma once

#include <cstdint>
#include <initializer_list>

#include "src/census/census.h"

namespace opcensus {

template <class Enum>
class EnumSet {
 public:
  constexpr EnumSet() = default;

  constexpr EnumSet(std::initializer_list<Enum> members) {
    for (const Enum member : members) {
      insert(member);
    }
  }

  constexpr void insert(Enum member) { bits_ |= bit(member); }

  [[nodiscard]] constexpr bool contains(Enum member) const { return (bits_ & bit(member)) != 0; }

  [[nodiscard]] constexpr bool empty() const { return bits_ == 0; }

  friend constexpr bool operator==(EnumSet, EnumSet) = default;

 private:
  static constexpr std::uint32_t bit(Enum member) {
    return std::uint32_t{1} << static_cast<std::uint32_t>(member);
  }

  std::uint32_t bits_ = 0;
};

using PhaseSet = EnumSet<Phase>;
using TierSet = EnumSet<Tier>;

/// What served requests. Warm-up and capture are never added to it.
inline constexpr PhaseSet kRuntimePhases{Phase::Eager, Phase::Replay};

inline constexpr PhaseSet kEveryPhase{Phase::Warmup, Phase::Capture, Phase::Eager, Phase::Replay};

}  // namespace opcensus

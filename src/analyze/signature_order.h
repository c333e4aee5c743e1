// SPDX-License-Identifier: Apache-2.0
//
// The order of signatures by content, which every deterministic row order ends with.
#pragma once

#include <compare>
#include <cstdint>
#include <string>
#include <tuple>

#include "src/census/census.h"

namespace opcensus {

/// Operator, shapes, dtypes, status, formats, bytewise. kNoIndex comes first.
[[nodiscard]] inline std::strong_ordering compare_signatures(const Census& census,
                                                             std::uint32_t a,
                                                             std::uint32_t b) {
  if (a == b) {
    return std::strong_ordering::equal;
  }
  if (a == kNoIndex || b == kNoIndex) {
    return a == kNoIndex ? std::strong_ordering::less : std::strong_ordering::greater;
  }
  const auto key = [](const CensusSignature& s) {
    return std::tie(
        s.operator_name, s.input_shapes, s.input_dtypes, s.metadata_status, s.input_formats);
  };
  return key(census.signatures[a]) <=> key(census.signatures[b]);
}

}  // namespace opcensus

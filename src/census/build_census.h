// SPDX-License-Identifier: Apache-2.0
//
// build_census(): the attributed traces of one rank, added up. Every device event lands in exactly
// one DeviceTime row; captured, warm-up, eager and replayed calls stay apart.
//
// Replay calls: the host does not run operators at replay, so a call is counted for each operator
// call of the capture that owns at least one executed node. Operators that launched nothing
// (views, wrappers) have no replay calls.
#pragma once

#include <cstdint>

#include "src/attribute/attribution.h"
#include "src/census/census.h"
#include "src/model/model.h"

namespace opcensus {

/// Inputs get role and rank here. The result is canonical, with its checks computed.
[[nodiscard]] Census build_census(const Model& model,
                                  const Attribution& attribution,
                                  std::int64_t rank);

}  // namespace opcensus

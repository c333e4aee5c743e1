// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "src/census/census.h"

#include "apps/opcensus/streams.h"

namespace opcensus::cli {

/// kExitFailed if a conservation check failed; kExitStrict if `strict` and anything was lost.
/// Says on streams.err what is wrong where the result on streams.out does not.
[[nodiscard]] int judge_census(const Census& census, bool strict, Streams& streams);

}  // namespace opcensus::cli

// SPDX-License-Identifier: Apache-2.0
//
// One rank of a census, as a census. Diagnostics and checks are those of the whole: they prove
// the whole.
#pragma once

#include <cstdint>

#include "src/census/census.h"

namespace opcensus {

[[nodiscard]] Census select_rank(const Census& census, std::int64_t rank);

}  // namespace opcensus

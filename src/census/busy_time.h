// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <utility>
#include <vector>

#include "src/base/nanoseconds.h"

namespace opcensus {

/// The length of the union of [start, end) intervals: time in which at least one was running.
[[nodiscard]] Nanoseconds busy_time(std::vector<std::pair<Nanoseconds, Nanoseconds>> intervals);

}  // namespace opcensus

// SPDX-License-Identifier: Apache-2.0
//
// What must hold before the tables of a census may be followed: every index is in range, every
// enumerator is a known one, graphs and their nodes are numbered uniquely. Says nothing about
// the numbers: that is compute_checks().
#pragma once

#include "opcensus/result.h"

#include "src/census/census.h"

namespace opcensus {

/// BadCensus with the first offence.
[[nodiscard]] Status validate(const Census& census);

}  // namespace opcensus

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "src/model/model.h"

namespace opcensus {

/// Moves the traces of `from` to the end of `into`; their ids are rewritten to the tables of
/// `into`. Cost: O(distinct values) look-ups and O(rows) rewrites; nothing where `into` is empty.
void append_traces(Model& into, Model&& from);

}  // namespace opcensus

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "src/attribute/attribution.h"

namespace opcensus {

/// Sets the plan's label, label_span and batch_size: from the innermost annotation at or above
/// `span` (where the capture began) that names a capture, else from any annotation there, else
/// from the file's name.
void label_plan(
    const Model& model, const Trace& trace, const HostTree& tree, SpanId span, Plan& plan);

}  // namespace opcensus

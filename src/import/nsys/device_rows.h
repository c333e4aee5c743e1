// SPDX-License-Identifier: Apache-2.0
//
// What ran on the device: kernels, copies, memsets, and graphs that were recorded as a whole.
#pragma once

#include "opcensus/result.h"

#include "src/import/nsys/row_intake.h"

namespace opcensus::import {

/// Fills trace.devices, device_events and raw_device. Node ids are as the file has them: they count
/// per process (graph_nodes.h).
[[nodiscard]] Status read_device_rows(RowIntake& intake);

}  // namespace opcensus::import

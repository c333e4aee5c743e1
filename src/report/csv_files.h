// SPDX-License-Identifier: Apache-2.0
//
// The CSV files of --out: RFC 4180, UTF-8, CRLF line ends, a header line, base units. Shapes
// and dtypes are compact JSON as in the trace. The order of rows is part of each contract.
#pragma once

#include <string>

#include "src/census/census.h"

namespace opcensus {

/// One row per signature seen in any phase. Calls are given per phase; device events, device
/// time, self CPU time and attribution are those of the runtime phases (eager + replay).
/// device_time_pct: of all device time in the runtime phases, unattributed included.
/// Order: device_time_ns descending, then operator, shapes, dtypes, status.
[[nodiscard]] std::string render_operators_csv(const Census& census);

/// Operators inside the capture windows: one pass per graph.
/// Order: call_count descending, then operator, shapes, dtypes, status.
[[nodiscard]] std::string render_capture_operators_csv(const Census& census);

/// One row per signature and runtime phase; device_time_pct as above.
/// Order: device_time_ns descending, then operator, shapes, dtypes, status, phase.
[[nodiscard]] std::string render_runtime_operators_csv(const Census& census);

/// Order: rank, graph (the order of capture).
[[nodiscard]] std::string render_graphs_csv(const Census& census);

/// Order: rank, graph, node (the order of capture). A node that never ran has no attribution.
[[nodiscard]] std::string render_graph_nodes_csv(const Census& census);

/// Every device event of every phase, attributed or not.
/// The device_… columns are what the profiler itself says of the kernel (Ascend: the operator of
/// the device library, with shapes, dtypes and formats); empty elsewhere.
/// Order: device_time_ns descending, then kernel, operator, shapes, dtypes, device operator,
/// phase, attribution, reason.
[[nodiscard]] std::string render_kernels_csv(const Census& census);

/// Strides, scalar arguments and shared tensors of operator calls, where the trace recorded them.
/// Order: operator, shapes, dtypes, phase, calls descending, strides, concrete inputs, tensors.
[[nodiscard]] std::string render_arguments_csv(const Census& census);

}  // namespace opcensus

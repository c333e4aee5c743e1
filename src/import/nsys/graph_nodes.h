// SPDX-License-Identifier: Apache-2.0
//
// Graph nodes: CUDA_GRAPH_NODE_EVENTS has a row for each node that is made. Capture makes a node;
// instantiating, cloning and updating a graph makes copies of nodes, whose rows name the node they
// come from. Device events carry the copy. The chain of copies ends at the captured node, whose
// row has the time and the thread of the capture.
#pragma once

#include "opcensus/result.h"

#include "src/import/nsys/row_intake.h"

namespace opcensus::import {

/// Fills trace.graph_nodes, with the nodes that device events carry. Where several processes have
/// nodes, their graphs get new numbers, so that ids are unique in the trace. After the device rows.
[[nodiscard]] Status read_graph_nodes(RowIntake& intake);

}  // namespace opcensus::import

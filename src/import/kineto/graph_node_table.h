// SPDX-License-Identifier: Apache-2.0
//
// GraphNodeTable: graph nodes that their own kernels describe. Cambricon's profiler remembers
// which operator ran when a node was captured, and writes its name and External id into every
// replay of it, even if the capture was before the trace. A node gets a row of Trace::graph_nodes,
// with the operator's whole signature if the operator is in the trace, and with its name if not.
#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <map>
#include <vector>

#include "src/base/ids.h"
#include "src/import/kineto/raw_event.h"
#include "src/model/model.h"

namespace opcensus::import {

class GraphNodeTable {
 public:
  /// The id of the node that a device event is, in the numbering of GraphNodeRow: graphs and nodes
  /// count from 1 in the order of the file, for Cambricon's own numbers may need all 64 bits.
  [[nodiscard]] std::uint64_t add(const RawGraphNode& raw,
                                  StringId operator_name,
                                  std::size_t event);

  [[nodiscard]] bool empty() const { return nodes_.empty(); }

  /// One row a node, sorted. Reads the columns of the trace, whose times have their base.
  [[nodiscard]] std::vector<GraphNodeRow> rows(Model& model, const Trace& trace) const;

 private:
  /// A node number that is used again for another operator is another node.
  struct Key {
    std::uint64_t graph = 0;
    std::uint64_t node = 0;
    std::uint64_t external_id = 0;
    StringId operator_name;

    friend auto operator<=>(const Key&, const Key&) = default;
  };

  struct Node {
    std::uint64_t id = 0;
    std::size_t first_event = 0;
  };

  struct Graph {
    std::uint64_t number = 0;
    std::uint64_t nodes = 0;
  };

  std::map<Key, Node> nodes_;
  std::map<std::uint64_t, Graph> graphs_;
};

}  // namespace opcensus::import

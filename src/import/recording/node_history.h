// SPDX-License-Identifier: Apache-2.0
//
// NodeHistory: from what CUPTI told about graph nodes to what each node of an executable graph
// runs. The rules were measured on CUDA 13.0:
//
//  - capture makes nodes (Created) of a template graph; instantiating makes a copy of each in the
//    executable graph (Created, then Cloned): the chain of Cloned rows leads to the captured node.
//    A node of an executable graph that was Created and not Cloned is the driver's own.
//  - bodies of child graphs and conditionals are cloned into graphs of their own while the graph of
//    their owner is instantiated, on the same thread: the nodes of a body just before the node that
//    owns it, and the id of a graph is lower than those of its bodies. In device events the n nodes
//    of the executable graph keep their numbers; the bodies follow from n on, breadth first in the
//    order of owners.
//  - Updated gives a node of an executable graph to another captured node, from its time on.
//
// Ids are never reused, so that templates and copies may be gone long before their nodes run.
#pragma once

#include <cstdint>
#include <unordered_map>
#include <vector>

#include "agent/wire.h"

namespace opcensus::import {

/// What a node of an executable graph runs, from a time on.
struct ResolvedNode {
  std::uint64_t node = 0;       ///< as device events name it
  wire::NodeRecord captured{};  ///< its Created record; node 0 = that was not recorded
  std::uint64_t valid_from_ns = 0;
  wire::NodeKind kind = wire::NodeKind::Other;
};

class NodeHistory {
 public:
  void add(const wire::NodeRecord& record) { records_.push_back(record); }

  /// The kernel of a captured node. The first that comes for a node holds.
  void add_name(const wire::NodeNameRecord& record) {
    names_.try_emplace(record.node, record.name);
  }

  /// The name of the kernel that was captured into `node`; 0 = not told.
  [[nodiscard]] std::uint32_t name_of(std::uint64_t node) const {
    const auto found = names_.find(node);
    return found == names_.end() ? 0 : found->second;
  }

  /// Nodes of every executable graph that are kernels, copies or memsets; sorted by (node, time).
  [[nodiscard]] std::vector<ResolvedNode> resolve() const;

 private:
  std::unordered_map<std::uint64_t, std::uint32_t> names_;
  std::vector<wire::NodeRecord> records_;  // in file order, which is the order of each thread
};

}  // namespace opcensus::import

// SPDX-License-Identifier: Apache-2.0
//
// NodeHistory: from what CUPTI told about graph nodes to what each node of an executable graph
// runs. The rules were measured on CUDA 13.0:
//
//  - capture makes nodes (Created) of a template graph; instantiating makes a copy of each in the
//    executable graph (Created, then Cloned): the chain of Cloned rows leads to the captured node.
//    A node of an executable graph that was Created and not Cloned is the driver's own.
//  - a child graph's or conditional's body is cloned into a graph of its own while its parent is
//    instantiated, on the same thread. Device events number the nodes of body and parent in one
//    sequence: node k of the body of node c is node c + 1 + k.
//  - Updated gives a node of an executable graph to another captured node, from its time on.
//
// Ids are never reused, so that templates and copies may be gone long before their nodes run.
#pragma once

#include <cstdint>
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

  /// Nodes of every executable graph that are kernels, copies or memsets; sorted by (node, time).
  [[nodiscard]] std::vector<ResolvedNode> resolve() const;

 private:
  std::vector<wire::NodeRecord> records_;  // in file order, which is the order of each thread
};

}  // namespace opcensus::import

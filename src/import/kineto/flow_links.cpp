// SPDX-License-Identifier: Apache-2.0
#include "src/import/kineto/flow_links.h"

#include <algorithm>
#include <tuple>

namespace opcensus::import {
namespace {

/// The only row with this key in a sorted column; null if there is none, or several.
template <class Row, class Key, class KeyOf>
const Row* find_only(const std::vector<Row>& rows, const Key& key, KeyOf key_of) {
  const auto first =
      std::lower_bound(rows.begin(), rows.end(), key, [&](const Row& row, const Key& wanted) {
        return key_of(row) < wanted;
      });
  if (first == rows.end() || key_of(*first) != key) {
    return nullptr;
  }
  const auto next = std::next(first);
  return next != rows.end() && key_of(*next) == key ? nullptr : &*first;
}

}  // namespace

void FlowLinks::apply(Trace& trace) {
  if (!flows_.empty() && !unlinked_.empty()) {
    sort();
    for (const std::size_t index : unlinked_) {
      DeviceEvent& event = trace.device_events[index];
      const FlowEnd* const flow = find_flow(event.stream, event.start);
      const Operator* const op = flow == nullptr ? nullptr : find_operator(flow->id);
      if (op != nullptr) {
        event.external_id = trace.host_spans[op->span].external_id;
      }
    }
  }
  operators_.clear();
  unlinked_.clear();
  flows_.clear();
}

void FlowLinks::sort() {
  std::sort(flows_.begin(), flows_.end(), [](const FlowEnd& a, const FlowEnd& b) {
    return std::tuple(a.stream, a.time, a.id) < std::tuple(b.stream, b.time, b.id);
  });
  std::sort(operators_.begin(), operators_.end(), [](const Operator& a, const Operator& b) {
    return std::tuple(a.record_function_id, a.span) < std::tuple(b.record_function_id, b.span);
  });
}

const FlowLinks::FlowEnd* FlowLinks::find_flow(StreamId stream, Nanoseconds time) const {
  return find_only(flows_, std::tuple(stream, time), [](const FlowEnd& flow) {
    return std::tuple(flow.stream, flow.time);
  });
}

const FlowLinks::Operator* FlowLinks::find_operator(std::uint32_t id) const {
  return find_only(operators_, id, [](const Operator& op) { return op.record_function_id; });
}

}  // namespace opcensus::import

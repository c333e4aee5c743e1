// SPDX-License-Identifier: Apache-2.0
#include "src/import/nsys/range_operators.h"

#include <algorithm>
#include <cstdint>
#include <tuple>

namespace opcensus::import {
namespace {

struct Moment {
  ThreadId thread;
  Nanoseconds time;
};

/// When something was launched, or recorded into a graph; by thread and time.
std::vector<Moment> moments_of(const Trace& trace) {
  std::vector<Moment> moments;
  for (const ApiCall& call : trace.api_calls) {
    if (is_launch(call.kind)) {
      moments.push_back({call.thread, call.start});
    }
  }
  for (const GraphNodeRow& node : trace.graph_nodes) {
    if (node.thread.has_value()) {
      moments.push_back({node.thread, node.captured_at});
    }
  }
  std::sort(moments.begin(), moments.end(), [](const Moment& a, const Moment& b) {
    return std::tuple(a.thread, a.time) < std::tuple(b.thread, b.time);
  });
  return moments;
}

/// Outer ranges before inner ones.
std::vector<std::uint32_t> order_of(const std::vector<NestedRange>& ranges, const Trace& trace) {
  std::vector<std::uint32_t> order(ranges.size());
  for (std::size_t i = 0; i < order.size(); ++i) {
    order[i] = static_cast<std::uint32_t>(i);
  }
  std::sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) {
    const HostSpan& left = trace.host_spans[ranges[a].span];
    const HostSpan& right = trace.host_spans[ranges[b].span];
    return std::tuple(left.thread, left.start, right.duration, a) <
           std::tuple(right.thread, right.start, left.duration, b);
  });
  return order;
}

}  // namespace

void add_range_operators(const std::vector<NestedRange>& ranges, Trace& trace) {
  const std::vector<std::uint32_t> order = order_of(ranges, trace);
  const auto span_of = [&](std::uint32_t range) -> const HostSpan& {
    return trace.host_spans[ranges[range].span];
  };
  std::vector<bool> is_innermost(ranges.size());
  std::vector<std::uint32_t> open;
  std::size_t next = 0;
  for (const Moment& moment : moments_of(trace)) {
    for (; next < order.size(); ++next) {
      const HostSpan& span = span_of(order[next]);
      if (std::tuple(span.thread, span.start) > std::tuple(moment.thread, moment.time)) {
        break;
      }
      open.push_back(order[next]);
    }
    while (!open.empty() && (span_of(open.back()).thread != moment.thread ||
                             span_of(open.back()).end() < moment.time)) {
      open.pop_back();
    }
    if (!open.empty()) {
      is_innermost[open.back()] = true;
    }
  }
  for (std::size_t i = 0; i < ranges.size(); ++i) {
    if (is_innermost[i]) {
      HostSpan op = trace.host_spans[ranges[i].span];
      op.signature = ranges[i].as_operator;
      op.kind = HostSpanKind::Operator;
      trace.host_spans.push_back(op);
    }
  }
}

}  // namespace opcensus::import

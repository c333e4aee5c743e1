// SPDX-License-Identifier: Apache-2.0
#include "src/attribute/host_moments.h"

#include <algorithm>
#include <numeric>
#include <tuple>

namespace opcensus {
namespace {

template <class Row>
std::vector<std::uint32_t> order_by_start(const std::vector<Row>& rows) {
  std::vector<std::uint32_t> order(rows.size());
  std::iota(order.begin(), order.end(), 0U);
  std::sort(order.begin(), order.end(), [&rows](std::uint32_t left, std::uint32_t right) {
    const Row& a = rows[left];
    const Row& b = rows[right];
    return std::tuple(a.thread, a.start, b.duration, left) <
           std::tuple(b.thread, b.start, a.duration, right);
  });
  return order;
}

/// The last row of the thread that starts at or before the time; `rows.size()` if there is none.
template <class Row>
std::size_t last_started(const std::vector<Row>& rows,
                         const std::vector<std::uint32_t>& order,
                         ThreadId thread,
                         Nanoseconds time) {
  const auto after =
      std::upper_bound(order.begin(),
                       order.end(),
                       std::tuple(thread, time),
                       [&rows](const auto& wanted, std::uint32_t index) {
                         return wanted < std::tuple(rows[index].thread, rows[index].start);
                       });
  if (after == order.begin() || rows[*std::prev(after)].thread != thread) {
    return rows.size();
  }
  return *std::prev(after);
}

}  // namespace

HostMoments::HostMoments(const Trace& trace, const HostTree& tree)
    : trace_(trace),
      tree_(tree),
      spans_(order_by_start(trace.host_spans)),
      calls_(order_by_start(trace.api_calls)) {}

SpanId HostMoments::span_at(ThreadId thread, Nanoseconds time) const {
  const std::size_t last = last_started(trace_.host_spans, spans_, thread, time);
  SpanId span = last == trace_.host_spans.size() ? SpanId::none() : SpanId(last);
  while (span.has_value() && trace_.host_spans[span.index()].end() <= time) {
    span = tree_.parent[span.index()];
  }
  return span;
}

CallId HostMoments::last_call(ThreadId thread, Nanoseconds time) const {
  const std::size_t last = last_started(trace_.api_calls, calls_, thread, time);
  return last == trace_.api_calls.size() ? CallId::none() : CallId(last);
}

}  // namespace opcensus

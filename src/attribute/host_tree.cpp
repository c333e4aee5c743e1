// SPDX-License-Identifier: Apache-2.0
#include "src/attribute/host_tree.h"

#include <algorithm>
#include <numeric>

namespace opcensus {
namespace {

/// Indices 0..n-1 grouped by thread, then by start; longer spans first, so parents precede
/// children.
template <class Row>
std::vector<std::uint32_t> order_by_thread_and_start(const std::vector<Row>& rows) {
  std::vector<std::uint32_t> order(rows.size());
  std::iota(order.begin(), order.end(), 0U);
  std::stable_sort(order.begin(), order.end(), [&rows](std::uint32_t left, std::uint32_t right) {
    const Row& a = rows[left];
    const Row& b = rows[right];
    if (a.thread != b.thread) {
      return a.thread < b.thread;
    }
    if (a.start != b.start) {
      return a.start < b.start;
    }
    return a.duration > b.duration;
  });
  return order;
}

/// The spans open at the sweep's current time, in order of their start.
class OpenSpans {
 public:
  explicit OpenSpans(const Trace& trace) : trace_(trace) {}

  void clear() { open_.clear(); }

  void close_until(Nanoseconds time) {
    while (!open_.empty() && span(open_.back()).end() <= time) {
      open_.pop_back();
    }
    // Entries below the top can only have ended where siblings overlap.
    std::erase_if(open_, [this, time](SpanId id) { return span(id).end() <= time; });
  }

  /// The last started open span that holds `end`; none() if all end earlier.
  [[nodiscard]] SpanId holder_of(Nanoseconds end) const {
    for (auto entry = open_.rbegin(); entry != open_.rend(); ++entry) {
      if (span(*entry).end() >= end) {
        return *entry;
      }
    }
    return SpanId::none();
  }

  [[nodiscard]] SpanId top() const { return open_.empty() ? SpanId::none() : open_.back(); }

  void push(SpanId id) { open_.push_back(id); }

 private:
  [[nodiscard]] const HostSpan& span(SpanId id) const { return trace_.host_spans[id.index()]; }

  const Trace& trace_;
  std::vector<SpanId> open_;
};

SpanId climb_to_operator(const Trace& trace, const HostTree& tree, SpanId span) {
  while (span.has_value() && trace.host_spans[span.index()].kind != HostSpanKind::Operator) {
    span = tree.parent[span.index()];
  }
  return span;
}

}  // namespace

SpanId HostTree::innermost_operator(const Trace& trace, SpanId span) const {
  return climb_to_operator(trace, *this, span);
}

SpanId HostTree::outermost_operator(const Trace& trace, SpanId span) const {
  SpanId outermost = climb_to_operator(trace, *this, span);
  for (SpanId next = outermost; next.has_value();) {
    outermost = next;
    next = climb_to_operator(trace, *this, parent[next.index()]);
  }
  return outermost;
}

HostTree build_host_tree(const Trace& trace) {
  const std::vector<std::uint32_t> spans = order_by_thread_and_start(trace.host_spans);
  const std::vector<std::uint32_t> calls = order_by_thread_and_start(trace.api_calls);
  HostTree tree;
  tree.parent.assign(trace.host_spans.size(), SpanId::none());
  tree.call_span.assign(trace.api_calls.size(), SpanId::none());

  OpenSpans open(trace);
  ThreadId thread;
  const auto enter_thread = [&open, &thread](ThreadId next) {
    if (next != thread) {
      open.clear();
      thread = next;
    }
  };
  const auto take_call = [&](std::uint32_t index) {
    const ApiCall& call = trace.api_calls[index];
    enter_thread(call.thread);
    open.close_until(call.start);
    tree.call_span[index] = open.top();
  };
  const auto take_span = [&](std::uint32_t index) {
    const HostSpan& span = trace.host_spans[index];
    enter_thread(span.thread);
    open.close_until(span.start);
    const SpanId holder = open.holder_of(span.end());
    const bool is_counted_here = index >= trace.segment.borrowed_spans;
    tree.overlaps += is_counted_here && holder != open.top() ? 1 : 0;
    tree.parent[index] = holder;
    open.push(SpanId(index));
  };

  std::size_t next_span = 0;
  for (const std::uint32_t call_index : calls) {
    const ApiCall& call = trace.api_calls[call_index];
    while (next_span < spans.size()) {
      const HostSpan& span = trace.host_spans[spans[next_span]];
      const bool span_first =
          span.thread != call.thread ? span.thread < call.thread : span.start <= call.start;
      if (!span_first) {
        break;
      }
      take_span(spans[next_span++]);
    }
    take_call(call_index);
  }
  for (; next_span < spans.size(); ++next_span) {
    take_span(spans[next_span]);
  }
  return tree;
}

}  // namespace opcensus

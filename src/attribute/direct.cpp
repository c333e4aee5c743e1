// SPDX-License-Identifier: Apache-2.0
#include "src/attribute/direct.h"

#include <algorithm>
#include <tuple>

namespace opcensus {

DirectRule::DirectRule(const Trace& trace, const HostTree& tree) : trace_(trace), tree_(tree) {
  for (std::size_t i = 0; i < trace.host_spans.size(); ++i) {
    const HostSpan& span = trace.host_spans[i];
    if (span.kind == HostSpanKind::Operator && span.external_id != 0) {
      operators_by_id_.push_back({span.external_id, SpanId(i)});
    }
  }
  std::sort(
      operators_by_id_.begin(), operators_by_id_.end(), [](const IdEntry& a, const IdEntry& b) {
        return std::tuple(a.external_id, a.span) < std::tuple(b.external_id, b.span);
      });
}

SpanId DirectRule::unique_operator(std::uint64_t external_id) const {
  const auto first = std::lower_bound(
      operators_by_id_.begin(),
      operators_by_id_.end(),
      external_id,
      [](const IdEntry& entry, std::uint64_t wanted) { return entry.external_id < wanted; });
  if (first == operators_by_id_.end() || first->external_id != external_id) {
    return SpanId::none();
  }
  const auto next = std::next(first);
  const bool is_unique = next == operators_by_id_.end() || next->external_id != external_id;
  return is_unique ? first->span : SpanId::none();
}

SpanId DirectRule::enclosing_operator(const DeviceEvent& event, CallId call) {
  if (call.is_none()) {
    return SpanId::none();
  }
  const SpanId op = tree_.innermost_operator(trace_, tree_.call_span[call.index()]);
  const bool has_link = event.external_id != 0 && event.external_id != event.correlation;
  if (op.has_value() && has_link &&
      trace_.host_spans[op.index()].external_id != event.external_id &&
      unique_operator(event.external_id).has_value()) {
    ++mismatches_;
  }
  return op;
}

void DirectRule::apply(const DeviceEvent& event, CallId call, EventAttribution& out) {
  SpanId op = enclosing_operator(event, call);
  if (op.is_none() && event.external_id != 0 && event.external_id != event.correlation) {
    op = unique_operator(event.external_id);
  }
  if (op.is_none()) {
    out.tier = Tier::Unattributed;
    out.reason = call.is_none() ? Reason::NoLaunch : Reason::NoEnclosingOp;
    return;
  }
  out.tier = Tier::Direct;
  out.reason = Reason::None;
  out.op = op;
  out.signature = trace_.host_spans[op.index()].signature;
}

}  // namespace opcensus

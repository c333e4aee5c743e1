// SPDX-License-Identifier: Apache-2.0
#include "src/attribute/warmup.h"

#include <algorithm>
#include <map>
#include <tuple>

namespace opcensus {
namespace {

/// More kernels than this for one node means that the operator alone does not tell them apart.
constexpr std::size_t kMaxExpectedKernels = 4;

/// What two launches must share to be the same step of a pass.
struct LaunchToken {
  SignatureId signature;
  DeviceEventKind kind = DeviceEventKind::Kernel;

  friend auto operator<=>(const LaunchToken&, const LaunchToken&) = default;
};

struct EagerLaunch {
  CallId call;
  SpanId op;
  LaunchToken token;
  KernelIdentity ran;
  StreamId stream;
};

std::vector<EagerLaunch> eager_launches(const Trace& trace,
                                        const HostTree& tree,
                                        const std::vector<EventId>& event_of,
                                        ThreadId thread) {
  std::vector<EagerLaunch> launches;
  for (std::size_t i = 0; i < trace.api_calls.size(); ++i) {
    const ApiCall& call = trace.api_calls[i];
    if (call.thread != thread || !is_launch(call.kind) || event_of[i].is_none()) {
      continue;
    }
    const DeviceEvent& event = trace.device_events[event_of[i].index()];
    EagerLaunch launch;
    launch.call = CallId(i);
    launch.op = tree.innermost_operator(trace, tree.call_span[i]);
    launch.token.kind = event.kind;
    if (launch.op.has_value()) {
      launch.token.signature = trace.host_spans[launch.op.index()].signature;
    }
    launch.ran = {event.name, event.dims};
    launch.stream = event.stream;
    launches.push_back(launch);
  }
  std::stable_sort(
      launches.begin(), launches.end(), [&trace](const EagerLaunch& a, const EagerLaunch& b) {
        return trace.api_calls[a.call.index()].start < trace.api_calls[b.call.index()].start;
      });
  return launches;
}

/// Knuth-Morris-Pratt: every place where `wanted` stands in `launches`, overlaps left out.
std::vector<std::size_t> find_passes(const std::vector<EagerLaunch>& launches,
                                     const std::vector<LaunchToken>& wanted) {
  std::vector<std::size_t> places;
  if (wanted.empty() || launches.size() < wanted.size()) {
    return places;
  }
  std::vector<std::size_t> border(wanted.size(), 0);
  for (std::size_t i = 1, k = 0; i < wanted.size(); ++i) {
    while (k > 0 && wanted[i] != wanted[k]) {
      k = border[k - 1];
    }
    k += wanted[i] == wanted[k] ? 1 : 0;
    border[i] = k;
  }
  for (std::size_t i = 0, k = 0; i < launches.size(); ++i) {
    while (k > 0 && launches[i].token != wanted[k]) {
      k = border[k - 1];
    }
    k += launches[i].token == wanted[k] ? 1 : 0;
    if (k == wanted.size()) {
      places.push_back(i + 1 - k);
      k = 0;
    }
  }
  return places;
}

void expect(PlanNode& node, const KernelIdentity& ran) {
  const auto place = std::lower_bound(node.expected.begin(), node.expected.end(), ran);
  if (place == node.expected.end() || *place != ran) {
    node.expected.insert(place, ran);
  }
}

/// What one operator call launched, in order, by signature: the fallback where no whole pass
/// exists.
class CallsByOperator {
 public:
  using Key = std::tuple<LaunchToken, std::size_t>;  // token, ordinal among the call's launches

  explicit CallsByOperator(const std::vector<EagerLaunch>& launches) {
    SpanId op;
    std::size_t ordinal = 0;
    for (const EagerLaunch& launch : launches) {
      ordinal = launch.op.has_value() && launch.op == op ? ordinal + 1 : 0;
      op = launch.op;
      if (op.has_value()) {
        auto& kernels = kernels_[Key(launch.token, ordinal)];
        if (std::find(kernels.begin(), kernels.end(), launch.ran) == kernels.end()) {
          kernels.push_back(launch.ran);
        }
      }
    }
  }

  void teach(Plan& plan) const {
    SpanId op;
    std::size_t ordinal = 0;
    for (PlanNode& node : plan.nodes) {
      ordinal = node.op.has_value() && node.op == op ? ordinal + 1 : 0;
      op = node.op;
      const auto known = kernels_.find(Key({node.signature, node.kind}, ordinal));
      const bool usable = op.has_value() && node.expected.empty() && known != kernels_.end() &&
                          known->second.size() <= kMaxExpectedKernels;
      if (usable) {
        node.expected = known->second;
        std::sort(node.expected.begin(), node.expected.end());
      }
    }
  }

 private:
  std::map<Key, std::vector<KernelIdentity>> kernels_;
};

std::vector<LaunchToken> tokens_of(const Plan& plan) {
  std::vector<LaunchToken> tokens;
  tokens.reserve(plan.nodes.size());
  for (const PlanNode& node : plan.nodes) {
    tokens.push_back({node.signature, node.kind});
  }
  return tokens;
}

bool knows_every_kernel(const Plan& plan) {
  return std::all_of(plan.nodes.begin(), plan.nodes.end(), [](const PlanNode& node) {
    return !node.expected.empty();
  });
}

WarmupPass pass_between(const Trace& trace,
                        const HostTree& tree,
                        const EagerLaunch& first,
                        const EagerLaunch& last) {
  WarmupPass pass;
  const ApiCall& first_call = trace.api_calls[first.call.index()];
  const ApiCall& last_call = trace.api_calls[last.call.index()];
  const SpanId first_op = tree.outermost_operator(trace, first.op);
  const SpanId last_op = tree.outermost_operator(trace, last.op);
  pass.thread = first_call.thread;
  pass.start = first_op.has_value() ? trace.host_spans[first_op.index()].start : first_call.start;
  pass.end = last_op.has_value() ? trace.host_spans[last_op.index()].end() : last_call.end();
  return pass;
}

void count_disagreements(const Trace& trace,
                         const std::vector<Plan>& plans,
                         Diagnostics& diagnostics) {
  for (const Plan& plan : plans) {
    for (const PlanNode& node : plan.nodes) {
      if (node.expected.size() > 1) {
        diagnostics.count(Issue::WarmupDisagrees, {trace.path, std::nullopt, plan.label});
      }
    }
  }
}

}  // namespace

std::vector<WarmupPass> learn_from_warmup(const Model& model,
                                          TraceId trace_id,
                                          const HostTree& tree,
                                          const std::vector<EventId>& event_of,
                                          std::vector<Plan>& plans,
                                          Diagnostics& diagnostics) {
  const Trace& trace = model.traces[trace_id.index()];
  std::vector<WarmupPass> passes;
  std::map<ThreadId, std::vector<EagerLaunch>> launches_of;
  for (Plan& plan : plans) {
    auto [entry, is_new] = launches_of.try_emplace(plan.thread);
    if (is_new) {
      entry->second = eager_launches(trace, tree, event_of, plan.thread);
    }
    const std::vector<EagerLaunch>& launches = entry->second;
    const bool had_names = knows_every_kernel(plan);
    for (const std::size_t place : find_passes(launches, tokens_of(plan))) {
      passes.push_back(
          pass_between(trace, tree, launches[place], launches[place + plan.nodes.size() - 1]));
      for (std::size_t i = 0; i < plan.nodes.size(); ++i) {
        plan.nodes[i].stream = launches[place + i].stream;
        if (!had_names) {
          expect(plan.nodes[i], launches[place + i].ran);
        }
      }
    }
  }
  for (auto& [thread, launches] : launches_of) {
    const CallsByOperator by_operator(launches);
    for (Plan& plan : plans) {
      if (plan.thread == thread) {
        by_operator.teach(plan);
      }
    }
  }
  count_disagreements(trace, plans, diagnostics);
  return passes;
}

}  // namespace opcensus

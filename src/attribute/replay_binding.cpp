// SPDX-License-Identifier: Apache-2.0
#include "src/attribute/replay_binding.h"

#include <algorithm>

namespace opcensus {
namespace {

template <class Row, class Predicate>
void keep_if_any(std::vector<Row>& rows, const Predicate& wanted) {
  if (std::any_of(rows.begin(), rows.end(), wanted)) {
    std::erase_if(rows, [&wanted](const Row& row) { return !wanted(row); });
  }
}

}  // namespace

const std::vector<ReplayBinder::Fit>& ReplayBinder::fits_of(
    const std::vector<ReplayEvent>& events) {
  const auto [entry, is_new] = cache_.try_emplace(events);
  if (is_new) {
    for (std::size_t i = 0; i < plans_.size(); ++i) {
      if (auto match = match_replay(events, plans_[i])) {
        entry->second.push_back({PlanId(i), std::move(*match)});
      }
    }
  }
  return entry->second;
}

BoundEvent ReplayBinder::common_operator(const std::vector<SignatureId>& possible,
                                         Reason otherwise) const {
  const SignatureId first = possible.front();
  const bool one_operator =
      first.has_value() && std::all_of(possible.begin(), possible.end(), [&](SignatureId id) {
        return id.has_value() && signatures_[id].operator_name == signatures_[first].operator_name;
      });
  if (!one_operator) {
    return {Tier::Unattributed, otherwise, SignatureId::none(), EventAttribution::kNoNode};
  }
  const SignatureId name_only =
      signatures_.intern({signatures_[first].operator_name, StringId::none(), StringId::none()});
  return {Tier::Aligned, Reason::ShapeAmbiguous, name_only, EventAttribution::kNoNode};
}

BoundEvent ReplayBinder::event_of(const Fit& fit, std::size_t event) const {
  const Plan& plan = plans_[fit.plan.index()];
  const std::uint32_t node = fit.match.node_of[event];
  if (fit.match.is_ambiguous(event)) {
    std::vector<SignatureId> possible;
    for (const std::uint32_t candidate : fit.match.candidates[event]) {
      possible.push_back(plan.nodes[candidate].signature);
    }
    BoundEvent bound = common_operator(possible, Reason::OrderAmbiguous);
    bound.node = node;
    return bound;
  }
  const SignatureId signature = plan.nodes[node].signature;
  if (signature.is_none()) {
    return {Tier::Unattributed, Reason::NoEnclosingOp, signature, node};
  }
  return {fit.match.by_node_id ? Tier::Exact : Tier::Aligned, Reason::None, signature, node};
}

bool ReplayBinder::say_the_same(const Fit& a, const Fit& b) const {
  for (std::size_t event = 0; event < a.match.node_of.size(); ++event) {
    const BoundEvent left = event_of(a, event);
    const BoundEvent right = event_of(b, event);
    if (left.signature != right.signature || left.reason != right.reason) {
      return false;
    }
  }
  return true;
}

std::vector<const ReplayBinder::Fit*> ReplayBinder::choose(const std::vector<Fit>& fits,
                                                           std::int64_t tokens) const {
  std::vector<const Fit*> chosen;
  for (const Fit& fit : fits) {
    const auto& batch_size = plans_[fit.plan.index()].batch_size;
    // Checked by count alone, a graph smaller than the step is no candidate.
    const bool too_small =
        fit.match.verified == 0 && tokens >= 0 && batch_size && *batch_size < tokens;
    if (!too_small) {
      chosen.push_back(&fit);
    }
  }
  keep_if_any(chosen, [](const Fit* fit) { return fit->match.unseen == 0; });
  std::uint32_t most_verified = 0;
  for (const Fit* fit : chosen) {
    most_verified = std::max(most_verified, fit->match.verified);
  }
  keep_if_any(chosen,
              [most_verified](const Fit* fit) { return fit->match.verified == most_verified; });
  if (tokens >= 0) {
    std::optional<std::int64_t> padded;
    for (const Fit* fit : chosen) {
      const auto& size = plans_[fit->plan.index()].batch_size;
      if (size && *size >= tokens && (!padded || *size < *padded)) {
        padded = size;
      }
    }
    keep_if_any(chosen, [this, &padded](const Fit* fit) {
      return padded.has_value() && plans_[fit->plan.index()].batch_size == padded;
    });
  }
  return chosen;
}

const ReplayBinder::Fit& ReplayBinder::pick_among_equals(
    const std::vector<const Fit*>& equals) const {
  const auto capture_set = [this](const Fit* fit) {
    const Plan& plan = plans_[fit->plan.index()];
    return std::pair(plan.trace, plan.label_span);
  };
  const Fit* latest = equals.back();  // fits are in capture order
  const Fit* first_of_set = latest;
  for (auto fit = equals.rbegin(); fit != equals.rend() && capture_set(*fit) == capture_set(latest);
       ++fit) {
    first_of_set = *fit;
    if (last_plan_.has_value() && (*fit)->plan.index() == last_plan_.index() + 1) {
      return **fit;
    }
  }
  return *first_of_set;
}

BoundEvent ReplayBinder::common_event(const std::vector<const Fit*>& fits,
                                      std::size_t event) const {
  const BoundEvent first = event_of(*fits.front(), event);
  std::vector<SignatureId> possible;
  bool all_equal = true;
  for (const Fit* fit : fits) {
    const BoundEvent bound = event_of(*fit, event);
    possible.push_back(bound.signature);
    all_equal = all_equal && bound.signature == first.signature && bound.reason == first.reason;
  }
  if (!all_equal) {
    return common_operator(possible, Reason::AmbiguousPlan);
  }
  BoundEvent common = first;
  common.node = EventAttribution::kNoNode;  // which graph's node it was is not known
  return common;
}

Binding ReplayBinder::bind(const std::vector<ReplayEvent>& events, std::int64_t tokens) {
  Binding binding;
  const std::vector<const Fit*> chosen = choose(fits_of(events), tokens);
  if (chosen.empty()) {
    binding.reason = plans_.empty() ? Reason::NoCaptureTrace : Reason::PlanMismatch;
    binding.events.assign(events.size(), {Tier::Unattributed, binding.reason, SignatureId::none()});
    return binding;
  }
  const bool one_answer =
      std::all_of(chosen.begin(), chosen.end(), [this, &chosen](const Fit* fit) {
        return say_the_same(*chosen.front(), *fit);
      });
  binding.events.reserve(events.size());
  if (!one_answer) {
    binding.reason = Reason::AmbiguousPlan;
    for (std::size_t event = 0; event < events.size(); ++event) {
      binding.events.push_back(common_event(chosen, event));
    }
    return binding;
  }
  const Fit& fit = pick_among_equals(chosen);
  last_plan_ = fit.plan;
  binding.plan = fit.plan;
  binding.tier = fit.match.by_node_id ? Tier::Exact : Tier::Aligned;
  binding.unseen = fit.match.unseen;
  binding.indistinguishable = chosen.size() > 1;
  for (std::size_t event = 0; event < events.size(); ++event) {
    binding.events.push_back(event_of(fit, event));
  }
  return binding;
}

}  // namespace opcensus

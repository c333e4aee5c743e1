// SPDX-License-Identifier: Apache-2.0
//
// ReplayBinder: from "which plans could this replay be an execution of" to one plan, or to what
// the possible ones have in common.
//
// Of the plans that pass match_replay: those with every node seen before those with a node
// missing; those whose kernels were known beforehand before those checked by count alone. If the
// rest says different things, the step annotation decides: an engine pads a step up to the
// smallest captured size. What is still undecided is reported as ambiguous, never guessed.
// Among plans that say the same, pieces of one step are taken in capture order, and a re-captured
// graph is taken as the latest capture.
//
// Cost: each distinct replay is matched against each plan once; repeats are looked up.
// Thread rule: one thread at a time.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <vector>

#include "src/attribute/attribution.h"
#include "src/attribute/replay_match.h"

namespace opcensus {

/// What one event of a replay turned out to be.
struct BoundEvent {
  Tier tier = Tier::Unattributed;
  Reason reason = Reason::None;
  SignatureId signature;
  std::uint32_t node = EventAttribution::kNoNode;
};

struct Binding {
  PlanId plan;  ///< none() if refused or ambiguous
  Tier tier = Tier::Unattributed;
  Reason reason = Reason::None;
  std::uint32_t unseen = 0;
  bool indistinguishable = false;  ///< other plans would have said the same
  std::vector<BoundEvent> events;
};

class ReplayBinder {
 public:
  /// Takes `signatures` to make entries for operators whose shapes are ambiguous.
  ReplayBinder(const std::vector<Plan>& plans, ValueTable<Signature, SignatureId>& signatures)
      : plans_(plans), signatures_(signatures) {}

  /// Before the first replay of each step: the order of pieces starts again.
  void start_step() { last_plan_ = PlanId::none(); }

  /// `tokens`: of the step around the graph launch; -1 unknown.
  [[nodiscard]] Binding bind(const std::vector<ReplayEvent>& events, std::int64_t tokens);

 private:
  struct Fit {
    PlanId plan;
    ReplayMatch match;
  };

  [[nodiscard]] const std::vector<Fit>& fits_of(const std::vector<ReplayEvent>& events);
  [[nodiscard]] std::vector<const Fit*> choose(const std::vector<Fit>& fits,
                                               std::int64_t tokens) const;
  [[nodiscard]] const Fit& pick_among_equals(const std::vector<const Fit*>& equals) const;
  [[nodiscard]] bool say_the_same(const Fit& a, const Fit& b) const;
  [[nodiscard]] BoundEvent event_of(const Fit& fit, std::size_t event) const;
  [[nodiscard]] BoundEvent common_event(const std::vector<const Fit*>& fits,
                                        std::size_t event) const;
  [[nodiscard]] BoundEvent common_operator(const std::vector<SignatureId>& possible,
                                           Reason otherwise) const;

  const std::vector<Plan>& plans_;
  ValueTable<Signature, SignatureId>& signatures_;
  std::map<std::vector<ReplayEvent>, std::vector<Fit>> cache_;
  PlanId last_plan_;
};

}  // namespace opcensus

// SPDX-License-Identifier: Apache-2.0
#include <array>
#include <cstddef>
#include <optional>
#include <string_view>

#include "src/census/census.h"

namespace opcensus {
namespace {

// Each array is in the order of its enumeration.
constexpr std::array<std::string_view, kPhases.size()> kPhaseNames{
    "warmup", "capture", "eager", "replay"};

constexpr std::array<std::string_view, kTiers.size()> kTierNames{
    "direct", "exact", "aligned", "unattributed"};

constexpr std::array<std::string_view, kReasons.size()> kReasonNames{"",
                                                                     "no_launch",
                                                                     "ambiguous_correlation",
                                                                     "no_enclosing_op",
                                                                     "no_capture_trace",
                                                                     "plan_mismatch",
                                                                     "ambiguous_plan",
                                                                     "shape_ambiguous",
                                                                     "order_ambiguous",
                                                                     "stale_node",
                                                                     "whole_graph"};

constexpr std::array<std::string_view, kStepKinds.size()> kStepKindNames{
    "prefill", "decode", "mixed", "other"};

template <class Enum, std::size_t kSize>
std::optional<Enum> parse(const std::array<std::string_view, kSize>& names, std::string_view name) {
  for (std::size_t i = 0; i < kSize; ++i) {
    if (names[i] == name) {
      return static_cast<Enum>(i);
    }
  }
  return std::nullopt;
}

}  // namespace

std::string_view phase_name(Phase phase) {
  return kPhaseNames[static_cast<std::size_t>(phase)];
}

std::string_view tier_name(Tier tier) {
  return kTierNames[static_cast<std::size_t>(tier)];
}

std::string_view reason_name(Reason reason) {
  return kReasonNames[static_cast<std::size_t>(reason)];
}

std::string_view step_kind_name(StepKind kind) {
  return kStepKindNames[static_cast<std::size_t>(kind)];
}

std::optional<Phase> parse_phase(std::string_view name) {
  return parse<Phase>(kPhaseNames, name);
}

std::optional<Tier> parse_tier(std::string_view name) {
  return parse<Tier>(kTierNames, name);
}

std::optional<Reason> parse_reason(std::string_view name) {
  return parse<Reason>(kReasonNames, name);
}

std::optional<StepKind> parse_step_kind(std::string_view name) {
  return parse<StepKind>(kStepKindNames, name);
}

}  // namespace opcensus

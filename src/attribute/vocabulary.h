// SPDX-License-Identifier: Apache-2.0
//
// The words that attribution and the census share: phase, tier, reason and kind of step.
#pragma once

#include <cstdint>

namespace opcensus {

/// `warmup` (eager runs before a capture), `capture` (recorded, not executed), `eager` (runtime,
/// no graph), `replay` (a captured graph executed). They are never added together silently.
enum class Phase : std::uint8_t { Warmup, Capture, Eager, Replay };

/// How a device event got its signature. Tiers are never mixed silently.
enum class Tier : std::uint8_t { Direct, Exact, Aligned, Unattributed };

/// Why a device event has no signature, or only a part of it. None for a full attribution.
enum class Reason : std::uint8_t {
  None,
  NoLaunch,              ///< no call in the trace has its correlation id
  AmbiguousCorrelation,  ///< calls of several processes have it
  NoEnclosingOp,         ///< launched outside every operator
  NoCaptureTrace,        ///< replayed, and no capture was recorded
  PlanMismatch,          ///< replayed, and no captured graph passes the checks
  AmbiguousPlan,         ///< several captured graphs pass, and differ in their operators here
  ShapeAmbiguous,        ///< several pass, and agree in the operator but not in its shapes
  OrderAmbiguous,        ///< equal kernels on several streams could be swapped
  StaleNode,             ///< the node ran another kernel than was captured into it
  WholeGraph,            ///< the profiler recorded the graph as a whole, not what ran inside
};

/// What an engine step does, by its annotation.
enum class StepKind : std::uint8_t { Prefill, Decode, Mixed, Other };

}  // namespace opcensus

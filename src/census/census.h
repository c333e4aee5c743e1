// SPDX-License-Identifier: Apache-2.0
//
// Census: the result. Every signature × phase × graph × kernel with counts and times, the graphs
// with their nodes, and what proves that nothing was lost: an independent count of the raw
// events, the checks and the diagnostics. Plain values with their own texts: a census needs no
// trace to be read, merged, written (census_file.h) or reported.
//
// Canonical order: canonicalize() sorts every table, so that equal content is equal bytes.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "opcensus/result.h"

#include "src/attribute/vocabulary.h"
#include "src/base/nanoseconds.h"

namespace opcensus {

inline constexpr int kCensusSchemaVersion = 1;  ///< schema/census.sql, PRAGMA user_version

inline constexpr std::array<Phase, 4> kPhases{
    Phase::Warmup, Phase::Capture, Phase::Eager, Phase::Replay};

[[nodiscard]] std::string_view phase_name(Phase phase);  // "warmup", "capture", "eager", "replay"

[[nodiscard]] std::optional<Phase> parse_phase(std::string_view name);

inline constexpr std::array<Tier, 4> kTiers{
    Tier::Direct, Tier::Exact, Tier::Aligned, Tier::Unattributed};

[[nodiscard]] std::string_view tier_name(
    Tier tier);  // "direct", "exact", "aligned", "unattributed"

[[nodiscard]] std::optional<Tier> parse_tier(std::string_view name);

inline constexpr std::array<Reason, 11> kReasons{Reason::None,
                                                 Reason::NoLaunch,
                                                 Reason::AmbiguousCorrelation,
                                                 Reason::NoEnclosingOp,
                                                 Reason::NoCaptureTrace,
                                                 Reason::PlanMismatch,
                                                 Reason::AmbiguousPlan,
                                                 Reason::ShapeAmbiguous,
                                                 Reason::OrderAmbiguous,
                                                 Reason::StaleNode,
                                                 Reason::WholeGraph};

[[nodiscard]] std::string_view reason_name(Reason reason);  // "" for None, "no_launch", …

[[nodiscard]] std::optional<Reason> parse_reason(std::string_view name);

/// A text as an index into Census::texts; 0 is always "".
using TextIndex = std::uint32_t;

inline constexpr std::uint32_t kNoIndex = 0xffffffffU;  ///< "none" for every index below

struct CensusInput {
  std::string path;
  std::string format;
  std::string role;  ///< "capture", "runtime", "capture+runtime", "operators", "ignored"
  std::int64_t rank = 0;
  std::uint64_t bytes = 0;
  std::uint64_t events = 0;
  bool complete = true;
  std::string note;  ///< why ignored, or what is missing; may be empty

  friend bool operator==(const CensusInput&, const CensusInput&) = default;
};

struct CensusRank {
  std::int64_t rank = 0;
  std::string devices;     ///< "NVIDIA H200", "AMD Instinct MI300X ×8"
  std::string properties;  ///< compact JSON object of header versions, keys sorted

  friend bool operator==(const CensusRank&, const CensusRank&) = default;
};

struct CensusSignature {
  std::string operator_name;
  std::string input_shapes;  ///< compact JSON; empty = not recorded
  std::string input_dtypes;
  std::string metadata_status;
  std::string input_formats = {};  ///< a device's own layouts; only of DeviceTime::recorded

  friend bool operator==(const CensusSignature&, const CensusSignature&) = default;
};

/// Host side: operator calls. Self time excludes child operators.
struct OperatorCalls {
  std::int64_t rank = 0;
  Phase phase = Phase::Eager;
  std::uint32_t signature = 0;
  std::uint32_t graph = kNoIndex;  ///< Census::graphs; capture and replay only
  std::uint64_t calls = 0;
  Nanoseconds cpu_time;       ///< 0 for replay: the host does not run the operator
  Nanoseconds self_cpu_time;  ///< likewise

  friend bool operator==(const OperatorCalls&, const OperatorCalls&) = default;
};

/// What calls of an operator were given beside shapes and dtypes, where the trace recorded it.
struct OperatorArguments {
  std::int64_t rank = 0;
  Phase phase = Phase::Eager;  ///< not replay: the host does not run the operator
  std::uint32_t signature = 0;
  TextIndex input_strides = 0;    ///< compact JSON; 0 = not recorded
  TextIndex concrete_inputs = 0;  ///< likewise
  TextIndex tensors = 0;          ///< which inputs are the same tensor: "[0,1,0]"; likewise
  std::uint64_t calls = 0;

  friend bool operator==(const OperatorArguments&, const OperatorArguments&) = default;
};

/// Device side: every device event is in exactly one row.
struct DeviceTime {
  std::int64_t rank = 0;
  std::uint32_t input = 0;  ///< Census::inputs: the trace that holds the events
  Phase phase = Phase::Eager;
  Tier tier = Tier::Direct;
  Reason reason = Reason::None;
  std::uint32_t signature = kNoIndex;  ///< none if unattributed
  std::uint32_t graph = kNoIndex;      ///< Census::graphs; replays whose graph is known
  std::uint32_t recorded = kNoIndex;   ///< Census::signatures: what the profiler itself says of the
                                       ///< kernel (device operator, shapes, dtypes, formats)
  TextIndex kernel = 0;
  TextIndex kind = 0;  ///< "kernel", "memcpy", "memset", "graph"
  std::int64_t device = 0;
  std::int64_t stream = 0;
  std::uint64_t events = 0;
  Nanoseconds time;

  friend bool operator==(const DeviceTime&, const DeviceTime&) = default;
};

struct CensusGraph {
  std::int64_t rank = 0;
  std::uint32_t number = 0;  ///< 0, 1, 2 … in capture order within the rank
  std::string label;         ///< "capture_8_FULL", or the file's name
  std::optional<std::int64_t> batch_size;
  std::uint64_t nodes = 0;
  std::uint64_t replays = 0;
  Nanoseconds device_time;             ///< sum over all replays
  Nanoseconds busy_time;               ///< union of intervals, summed over all replays
  std::uint64_t attributed_nodes = 0;  ///< nodes with an operator

  friend bool operator==(const CensusGraph&, const CensusGraph&) = default;
};

struct CensusGraphNode {
  std::uint32_t graph = 0;  ///< Census::graphs
  std::uint32_t node = 0;   ///< position in capture order, from 0
  TextIndex kind = 0;
  std::uint32_t signature = kNoIndex;
  TextIndex top_operator = 0;
  TextIndex kernel = 0;  ///< as replayed; as learned from the warm-up where never replayed
  TextIndex grid = 0;    ///< "[8,1,1]"; "" if unknown
  TextIndex block = 0;
  Tier tier = Tier::Unattributed;  ///< how its executions were attributed
  std::uint64_t executions = 0;
  Nanoseconds device_time;

  friend bool operator==(const CensusGraphNode&, const CensusGraphNode&) = default;
};

inline constexpr std::array<StepKind, 4> kStepKinds{
    StepKind::Prefill, StepKind::Decode, StepKind::Mixed, StepKind::Other};

[[nodiscard]] std::string_view step_kind_name(StepKind kind);  // "prefill", "decode", …

[[nodiscard]] std::optional<StepKind> parse_step_kind(std::string_view name);

/// Engine steps seen in step annotations, by kind and size.
struct CensusSteps {
  std::int64_t rank = 0;
  StepKind kind = StepKind::Other;
  std::int64_t tokens = 0;  ///< tokens or batch size of the step; -1 unknown
  std::uint64_t steps = 0;
  std::uint64_t graph_launches = 0;

  friend bool operator==(const CensusSteps&, const CensusSteps&) = default;
};

/// Counted by the importer before anything was derived.
struct RawCount {
  std::int64_t rank = 0;
  std::uint32_t input = 0;  ///< Census::inputs
  TextIndex kind = 0;
  std::uint64_t events = 0;
  Nanoseconds time;

  friend bool operator==(const RawCount&, const RawCount&) = default;
};

struct CensusDiagnostic {
  std::string name;      ///< issue_info().name
  std::string severity;  ///< "info", "data_loss", "error"
  std::uint64_t times = 0;
  std::string places;  ///< first places, one per line: "file (byte N): detail"

  friend bool operator==(const CensusDiagnostic&, const CensusDiagnostic&) = default;
};

struct Check {
  std::string name;  ///< snake_case sentence: "device_events_match_raw_count"
  bool passed = false;

  friend bool operator==(const Check&, const Check&) = default;
};

struct Census {
  std::string tool_version;
  std::vector<std::string> texts{std::string()};
  std::vector<CensusInput> inputs;
  std::vector<CensusRank> ranks;
  std::vector<CensusSignature> signatures;
  std::vector<OperatorCalls> operator_calls;
  std::vector<OperatorArguments> operator_arguments;
  std::vector<DeviceTime> device_times;
  std::vector<CensusGraph> graphs;
  std::vector<CensusGraphNode> graph_nodes;
  std::vector<CensusSteps> steps;
  std::vector<RawCount> raw_counts;
  std::vector<CensusDiagnostic> diagnostics;
  std::vector<Check> checks;

  [[nodiscard]] const std::string& text(TextIndex index) const { return texts[index]; }

  friend bool operator==(const Census&, const Census&) = default;
};

/// Sorts every table by content (not by index), renumbers signatures, texts and graphs, and adds
/// up rows with equal keys. Idempotent. Two censuses with equal content become equal.
void canonicalize(Census& census);

/// Sums of two censuses; commutative: merge(a, b) == merge(b, a). Tables of different ranks are
/// put side by side, equal keys are added up; the same input in both is an Error (Conflict).
/// Recomputes the checks. The result is canonical.
[[nodiscard]] Result<Census> merge(const Census& a, const Census& b);

/// The conservation checks, from the census alone (raw_counts against device_times, graphs
/// against graph_nodes, …). Every name is in docs/invariants.md.
[[nodiscard]] std::vector<Check> compute_checks(const Census& census);

}  // namespace opcensus

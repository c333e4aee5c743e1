// SPDX-License-Identifier: Apache-2.0
//
// Attribution: what attribute() finds out about the traces of one rank. Every device event gets
// exactly one EventAttribution; every operator call gets a phase. Pure data, built once.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "src/attribute/annotation_names.h"
#include "src/attribute/host_tree.h"
#include "src/attribute/vocabulary.h"
#include "src/base/diagnostics.h"
#include "src/base/ids.h"
#include "src/base/nanoseconds.h"
#include "src/model/model.h"

namespace opcensus {

/// What a captured launch runs, as learned from the launch itself (ROCm) or from the warm-up.
struct KernelIdentity {
  StringId name;
  DimsId dims;  ///< none() where unknown: then only the name is compared

  friend auto operator<=>(const KernelIdentity&, const KernelIdentity&) = default;
};

/// One recorded launch of a captured graph.
struct PlanNode {
  CallId call;                ///< none() where the capture's calls were not recorded
  SpanId op;                  ///< innermost operator; none() if launched outside every operator
  SpanId top_op;              ///< outermost operator
  SignatureId signature;      ///< of op
  SignatureId top_signature;  ///< of top_op
  StreamId stream;            ///< of the capture trace, where its warm-up ran; none() if unknown
  DeviceEventKind kind = DeviceEventKind::Kernel;
  std::vector<KernelIdentity> expected;  ///< sorted; empty = unknown; several = autotuned
};

/// The ordered list of captured launches of one graph: what a replay will do. Found from a capture
/// window, or from the trace's graph nodes (captured_graphs.h).
struct Plan {
  TraceId trace;
  std::uint64_t graph = 0;  ///< executable graph's id; 0 = found from a capture window
  CallId begin_capture;     ///< none() where found from graph nodes
  CallId end_capture;
  ThreadId thread;
  Nanoseconds start;
  Nanoseconds end;
  SpanId label_span;  ///< the capture annotation around it; none() if there is none
  std::string label;
  std::optional<std::int64_t> batch_size;
  bool several_streams = false;  ///< a stream waited for another one: branches, not one sequence
  std::vector<PlanNode> nodes;
};

/// One execution of a whole graph: the device events of one graph launch.
struct Replay {
  TraceId trace;
  CallId launch;  ///< none() if it is not in the trace
  PlanId plan;    ///< none() if no plan, or no single plan, passed the checks
  Tier tier = Tier::Unattributed;
  Reason reason = Reason::None;
  std::uint32_t unseen_nodes = 0;  ///< planned, not executed in this replay
  std::vector<EventId> events;
};

struct EventAttribution {
  Tier tier = Tier::Unattributed;
  Reason reason = Reason::NoLaunch;
  Phase phase = Phase::Eager;
  SignatureId signature;
  SpanId op;                     ///< direct only
  ReplayId replay;               ///< replay only
  std::uint32_t node = kNoNode;  ///< position in the replay's plan

  static constexpr std::uint32_t kNoNode = 0xffffffffU;
};

/// One engine step seen in a step annotation.
struct Step {
  TraceId trace;
  SpanId span;
  StepAnnotation annotation;
  std::uint32_t graph_launches = 0;
  bool is_continued = false;  ///< begun, and counted, in an earlier segment of the trace
};

/// What a trace turned out to be, from its content.
struct TraceRole {
  bool has_captures = false;
  bool has_graph_launches = false;
  bool has_device_events = false;
  bool has_operators = false;
  bool has_shapes = false;
};

struct TraceAttribution {
  TraceRole role;  ///< of all segments so far
  HostTree tree;
  std::vector<EventAttribution> events;  ///< by EventId
  std::vector<Phase> span_phase;         ///< by SpanId
  std::vector<PlanId> span_plan;         ///< by SpanId: the plan whose capture window holds it
};

struct Attribution {
  std::vector<TraceAttribution> traces;  ///< parallel to Model::traces
  std::vector<Plan> plans;               ///< in capture order
  std::vector<Replay> replays;           ///< in launch order, trace by trace
  std::size_t segment_replays = 0;       ///< from here on: those of the segment at hand
  TraceId first_replay_in;               ///< the trace of the first replay; none() if there is none
  std::vector<Step> steps;
  Diagnostics diagnostics;
};

}  // namespace opcensus

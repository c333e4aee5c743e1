// SPDX-License-Identifier: Apache-2.0
//
// A random server run: what an engine would launch, the traces that a profiler would write of it,
// and for every device event the operator that launched it. The same seed gives the same run.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "tests/support/trace_text.h"

namespace opcensus::testing {

struct RunOptions {
  int ranks = 1;
  int warmups = 2;  ///< passes before each capture
  bool capture_annotations = true;
  bool step_annotations = true;
  int branches = 1;              ///< parts of the model that run beside each other, on streams
  int replay_streams = 3;        ///< branches share the replay's streams where there are more
  bool few_kernels = false;      ///< many operators share kernel, grid and block
  bool drop_nodes = false;       ///< some replays lack one device event
  bool recapture = false;        ///< the largest graph is captured again, perhaps otherwise
  bool piecewise = false;        ///< several graphs a step, eager work between
  bool module_launches = false;  ///< JIT kernels launched outside every operator
  int more_steps = 0;            ///< decode steps beside the few that there are anyway
  bool autotune = false;         ///< the first warm-up pass runs other kernels
};

/// What the generator launched: the truth about one device event.
struct LaunchedEvent {
  std::int64_t start = 0;  ///< unique in its trace
  std::int64_t duration = 0;
  std::int64_t stream = 0;
  std::string category;
  std::string phase;  ///< "warmup", "eager", "replay"
  std::string
      operator_name;  ///< innermost; the kernel's own where it is a JIT launch; may be empty
  std::string input_shapes;
  std::string input_dtypes;
  int graph = -1;  ///< in capture order
};

struct GeneratedTrace {
  std::string file_name;
  int rank = 0;
  TraceText text;
  std::vector<LaunchedEvent> launched;
};

struct ServerRun {
  std::vector<GeneratedTrace> traces;  ///< per rank: the capture, then the runtime
};

[[nodiscard]] ServerRun generate_run(std::uint64_t seed, const RunOptions& options = {});

}  // namespace opcensus::testing

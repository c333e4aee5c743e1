/* SPDX-License-Identifier: Apache-2.0
 *
 * What the environment asks for, read once when the agent is loaded. `opcensus record` sets it.
 */
#pragma once

#include <cstdint>
#include <string>

namespace opcensus::agent {

enum class Detail : std::uint32_t { Node = 0, Graph = 1 };

enum class WindowMode : std::uint32_t {
  All,      /* one window, from start to end */
  None,     /* the capture map only */
  Launches, /* one window over the first N graph launches */
  Every,    /* a window of one graph launch every N launches */
};

struct Settings {
  std::string directory;               /* OPCENSUS_DIR; empty = the agent stays off */
  std::string torch_shim;              /* OPCENSUS_TORCH_SHIM; empty = none */
  Detail detail = Detail::Node;        /* OPCENSUS_DETAIL=node|graph */
  WindowMode window = WindowMode::All; /* OPCENSUS_WINDOW=all|none|launches=N|every=N */
  std::uint64_t window_launches = 0;
  std::int64_t rank = -1; /* RANK, LOCAL_RANK, SLURM_PROCID or OMPI_COMM_WORLD_RANK */
};

Settings read_settings();

}  // namespace opcensus::agent

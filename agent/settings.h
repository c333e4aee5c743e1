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
  None,     /* the capture map only, until a command opens a window */
  Launches, /* one window over the graph launches [begin, end) */
  Seconds,  /* one window over the seconds [begin, end) since CUDA was first used */
  Every,    /* sampling: a window of one graph launch every `end` launches */
};

struct Settings {
  std::string directory;        /* OPCENSUS_DIR; empty = the agent stays off */
  std::string torch_shim;       /* OPCENSUS_TORCH_SHIM; empty = none */
  Detail detail = Detail::Node; /* OPCENSUS_DETAIL=node|graph */
  /* OPCENSUS_WINDOW=all|none|launches=[A..]B|seconds=[A..]B|every=N */
  WindowMode window = WindowMode::All;
  std::uint64_t window_begin = 0;
  std::uint64_t window_end = 0;
  bool control = false;   /* OPCENSUS_CONTROL=1: a socket for commands */
  std::int64_t rank = -1; /* RANK, LOCAL_RANK, SLURM_PROCID or OMPI_COMM_WORLD_RANK */
};

Settings read_settings();

}  // namespace opcensus::agent

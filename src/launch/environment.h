// SPDX-License-Identifier: Apache-2.0
//
// The environment of a recorded process: that of the caller, plus what loads and steers the agent.
// agent/settings.h reads it.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace opcensus {

struct RecordingSettings {
  std::string agent;       ///< libopcensus_agent.so, absolute
  std::string folder;      ///< absolute: the target may change its directory
  std::string detail;      ///< "node" or "graph"
  std::string window;      ///< see parse_window and parse_sample
  std::string torch_shim;  ///< absolute; empty = none
  bool control = false;    ///< listen to commands (window_control.h)
  bool takes_nvtx = true;  ///< false: another tool has NVTX's ranges, and keeps them
};

using Variable = std::pair<std::string, std::string>;

/// An empty value removes the variable.
[[nodiscard]] std::vector<Variable> recording_variables(const RecordingSettings& settings);

/// `current` as "NAME=value" entries, with the changes; the order of the others is kept.
[[nodiscard]] std::vector<std::string> with_variables(const std::vector<std::string>& current,
                                                      const std::vector<Variable>& changes);

/// This process's own.
[[nodiscard]] std::vector<std::string> current_environment();

/// "" if the variable is not set.
[[nodiscard]] std::string environment_variable(const char* name);

}  // namespace opcensus

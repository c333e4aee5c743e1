// SPDX-License-Identifier: Apache-2.0
//
// The agent and the sources of the torch shim: beside the executable where they are installed, in
// the build and source tree where they are not.
#pragma once

#include <string>
#include <vector>

#include "opcensus/result.h"

#include "src/launch/shim_build.h"

namespace opcensus {

/// Where libopcensus_agent.so is sought, in this order; `folder` is the executable's.
[[nodiscard]] std::vector<std::string> agent_candidates(const std::string& folder);

/// $OPCENSUS_AGENT, else the first candidate that is there. Absolute.
[[nodiscard]] Result<std::string> find_agent();

/// A file that the user names, made absolute.
[[nodiscard]] Result<std::string> find_file(const std::string& path);

/// Absolute.
[[nodiscard]] Result<ShimSources> find_shim_sources();

}  // namespace opcensus

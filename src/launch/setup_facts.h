// SPDX-License-Identifier: Apache-2.0
//
// SetupFacts: what this machine has of all that a recording needs. Looked up once, never guessed.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "src/launch/torch_install.h"

namespace opcensus {

struct CuptiFact {
  std::string path;
  std::uint32_t api_version = 0;  ///< cuptiGetVersion: 130000; 0: it does not say, without a driver
};

/// Each text that ends in "_problem" is empty if there is none.
struct SetupFacts {
  std::string driver_problem;
  int driver_version = 0;  ///< cuDriverGetVersion: 13000
  std::string gpu_problem;
  int gpu_count = 0;
  std::optional<CuptiFact> cupti;
  std::string python;  ///< empty: none in PATH
  std::optional<TorchInstall> torch;
  std::string torch_problem;
  std::string compiler;  ///< empty: none
  std::string shim;      ///< built, in the cache; empty: not yet
  std::string shim_problem;
  std::string agent;
  std::string agent_problem;
  std::string other_injection;  ///< a tool that CUDA_INJECTION64_PATH loads already
  std::string other_nvtx_tool;  ///< likewise NVTX_INJECTION64_PATH, unless it is the agent
};

/// `python`: empty = the one in PATH. Loads the driver and libcupti into this process.
[[nodiscard]] SetupFacts find_setup_facts(const std::string& python);

}  // namespace opcensus

// SPDX-License-Identifier: Apache-2.0
//
// Diagnosis: what SetupFacts mean for a recording, in sentences, each with the way out. Pure.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "src/launch/setup_facts.h"

namespace opcensus {

enum class FindingState : std::uint8_t {
  Good,
  Limits,   ///< a recording works, and holds less
  Prevents  ///< no recording on this machine
};

struct Finding {
  std::string name;  ///< "driver", "gpu", "cupti", "agent", "torch", "compiler", "shim", "conflict"
  FindingState state = FindingState::Good;
  std::string text;
  std::string hint;  ///< the way out; empty if there is nothing to do
};

struct Diagnosis {
  std::vector<Finding> findings;
  bool can_record = false;          ///< exact attribution of graph replays
  bool can_name_operators = false;  ///< with PyTorch's operators, shapes and dtypes
  std::vector<std::string> works;
  std::vector<std::string> does_not_work;
};

[[nodiscard]] Diagnosis diagnose(const SetupFacts& facts);

/// "13.0" from 13000.
[[nodiscard]] std::string cuda_version_text(int version);

}  // namespace opcensus

// SPDX-License-Identifier: Apache-2.0
//
// What ran, in words: devices, software versions, graphs and steps.
#pragma once

#include <string>

#include "src/census/census.h"

namespace opcensus {

/// "NVIDIA H200 · 8 ranks · vLLM 0.11.2 · CUDA 13.0"
[[nodiscard]] std::string describe_run(const Census& census);

/// "4 graphs (bs 8 4 2 1), 288 nodes each, 16 replays"; "" without graphs.
[[nodiscard]] std::string describe_graphs(const Census& census);

/// "steps: 16 decode, 1 prefill"; "" without step annotations.
[[nodiscard]] std::string describe_steps(const Census& census);

}  // namespace opcensus

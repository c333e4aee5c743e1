// SPDX-License-Identifier: Apache-2.0
//
// The torch that a Python would import, found without importing it: that takes seconds, and prints.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "opcensus/result.h"

namespace opcensus {

struct TorchInstall {
  std::string python;
  std::string version;                ///< "2.11.0+cu130"
  std::vector<std::string> includes;  ///< folders; may be empty where headers are the system's
  std::string libraries;              ///< folder of libtorch_cpu.so
  int cxx11_abi = 1;                  ///< _GLIBCXX_USE_CXX11_ABI
  std::vector<std::string> cupti;     ///< libcupti files that its wheels bring
};

/// The answer of the query program, which is lines of "opcensus:key=value" among others.
[[nodiscard]] Result<TorchInstall> parse_torch_answer(std::string_view answer);

/// Asks `python`.
[[nodiscard]] Result<TorchInstall> find_torch(const std::string& python);

}  // namespace opcensus

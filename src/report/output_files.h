// SPDX-License-Identifier: Apache-2.0
//
// The files of --out, as texts: who writes them decides where and how.
#pragma once

#include <string>
#include <vector>

#include "src/census/census.h"

namespace opcensus {

struct OutputFile {
  std::string name;  ///< "operators.csv"
  std::string content;
};

/// Six CSV files and summary.json. Equal censuses give equal bytes.
[[nodiscard]] std::vector<OutputFile> render_output_files(const Census& census);

}  // namespace opcensus

// SPDX-License-Identifier: Apache-2.0
//
// `opcensus record … -- CMD…`: everything after the first -- belongs to CMD and is not parsed, a
// further -- or --help included.
#pragma once

#include <string>
#include <vector>

namespace opcensus::cli {

struct SplitArguments {
  std::vector<const char*> own;      ///< the program's name and what is before --
  std::vector<std::string> command;  ///< empty: there is no --, or the verb is another one
};

[[nodiscard]] SplitArguments split_record_command(int argc, const char* const* argv);

}  // namespace opcensus::cli

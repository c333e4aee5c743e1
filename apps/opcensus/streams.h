// SPDX-License-Identifier: Apache-2.0
//
// Streams: where a verb's result, messages and errors go. Verbs are functions of their arguments
// and these, so that tests call them without a process.
#pragma once

#include <cstddef>
#include <ostream>

namespace opcensus::cli {

struct Streams {
  std::ostream& out;           ///< the result, and nothing else
  std::ostream& err;           ///< progress, warnings, errors
  std::size_t width = 0;       ///< of the terminal behind out; 0: not a terminal
  bool color = false;          ///< whether out takes ANSI colours
  bool show_progress = false;  ///< whether err is a terminal
};

/// Exit codes; docs/errors.md.
inline constexpr int kExitOk = 0;
inline constexpr int kExitFailed = 1;
inline constexpr int kExitUsage = 2;
inline constexpr int kExitStrict = 3;

}  // namespace opcensus::cli

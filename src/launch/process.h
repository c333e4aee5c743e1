// SPDX-License-Identifier: Apache-2.0
//
// Child processes: the target that is recorded, and short questions to other programs.
#pragma once

#include <chrono>
#include <string>
#include <vector>

#include "opcensus/result.h"

namespace opcensus {

struct Finished {
  int status = 0;  ///< exit status, or 128 + the signal's number
  bool is_timed_out = false;
  std::string out;  ///< standard output, and standard error if it was asked for
};

enum class StandardError : unsigned char { Dropped, WithOutput };

/// Runs `command` (its first word is a path or is searched in PATH) without input, and kills it
/// after `limit`. An Error if it cannot be started.
[[nodiscard]] Result<Finished> run_captured(const std::vector<std::string>& command,
                                            std::chrono::seconds limit,
                                            StandardError standard_error);

/// Runs `command` with this process's files, passes the signals that this process gets on to it,
/// and returns its status. An Error if it cannot be started: then nothing ran.
/// Thread: the only one.
[[nodiscard]] Result<int> run_target(const std::vector<std::string>& command,
                                     const std::vector<std::string>& environment);

}  // namespace opcensus

// SPDX-License-Identifier: Apache-2.0
//
// Commands to the agents of a run: timing windows are opened and closed while it serves. Each
// recorded process listens at `<host>_<pid>.sock` in the run's folder (schema/wire.md).
#pragma once

#include <chrono>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "opcensus/result.h"

namespace opcensus {

/// What one process answered.
struct ProcessWindow {
  std::string name;  ///< of its recording, without the extension
  std::int64_t process = 0;
  bool is_open = false;              ///< a window is, after the command
  std::uint64_t windows = 0;         ///< opened so far
  std::uint64_t graph_launches = 0;  ///< so far, in and out of windows
  std::uint64_t device_events = 0;   ///< recorded so far
  std::uint64_t lost = 0;            ///< records that were dropped
  std::uint64_t threads = 0;         ///< that ran an operator or made a graph node, and still run
  std::string error;                 ///< "" = all is well
};

/// One line of an agent: "process=12 window=open windows=1 …".
[[nodiscard]] Result<ProcessWindow> parse_window_answer(std::string_view line);

/// Sends "start", "stop" or "status" to every process of the folder that still runs, to all of them
/// before the first answer is waited for, and returns the answers by name. One that does not answer
/// within `limit` has `error` set. An Error if no process listens.
[[nodiscard]] Result<std::vector<ProcessWindow>> command_windows(const std::string& folder,
                                                                 const std::string& command,
                                                                 std::chrono::seconds limit);

/// Removes the sockets that processes of the folder left when they were killed; those that somebody
/// listens at stay. How many went.
std::size_t remove_dead_sockets(const std::string& folder);

}  // namespace opcensus

// SPDX-License-Identifier: Apache-2.0
//
// Processes: threads and streams by the global ids of an export. A global id holds the machine in
// its upper 16 bits, then 24 bits of process id, then 24 bits of thread id.
//
// Correlation ids count per process, so that streams carry their process (Stream::process_group):
// "4711:", which is how the text of the process of a thread begins ("4711: python3"). The colon
// keeps process 47 from being a beginning of process 4711.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <unordered_map>
#include <vector>

#include "src/base/string_table.h"
#include "src/model/trace.h"

namespace opcensus::import {

/// Machine and process id; 0 = not known.
using ProcessKey = std::uint64_t;

[[nodiscard]] constexpr ProcessKey process_of_global_id(std::int64_t global) {
  return static_cast<std::uint64_t>(global) >> 24U;
}

/// As the operating system numbers it.
[[nodiscard]] constexpr std::uint64_t process_number(ProcessKey process) {
  return process & 0xffffffU;
}

class Processes {
 public:
  Processes(StringTable& strings, Trace& trace) : strings_(strings), trace_(trace) {}

  /// Before the first thread of the process.
  void set_name(ProcessKey process, std::string_view name);

  [[nodiscard]] ThreadId thread(std::int64_t global_thread);

  [[nodiscard]] StreamId stream(std::int64_t device, std::int64_t stream, ProcessKey process);

  [[nodiscard]] ProcessKey process_of(ThreadId thread) const;
  [[nodiscard]] ProcessKey process_of(StreamId stream) const;

  /// How many processes have streams.
  [[nodiscard]] std::size_t device_processes() const;

  /// After the last row: where there is one process only, streams need not name it.
  void finish();

 private:
  /// "4711", or "4711@2" where another machine has that process id, too.
  [[nodiscard]] std::string number_text(ProcessKey process);

  StringTable& strings_;
  Trace& trace_;
  std::unordered_map<ProcessKey, std::string> names_;
  std::unordered_map<std::uint64_t, ProcessKey> first_with_number_;
  std::unordered_map<std::int64_t, ThreadId> threads_;
  std::map<std::tuple<std::int64_t, std::int64_t, ProcessKey>, StreamId> streams_;
  std::vector<ProcessKey> process_of_thread_;
  std::vector<ProcessKey> process_of_stream_;
};

}  // namespace opcensus::import

// SPDX-License-Identifier: Apache-2.0
//
// For tests: a census put together by hand.
#pragma once

#include <cstdint>
#include <map>
#include <string>

#include "src/census/census.h"

namespace opcensus {

/// Adds rows and keeps raw_counts and inputs in step with them, so that the result balances.
class ExampleCensus {
 public:
  ExampleCensus();

  TextIndex text(const std::string& text);

  std::uint32_t signature(const std::string& name,
                          const std::string& shapes,
                          const std::string& dtypes);

  void add_calls(Phase phase,
                 std::uint32_t signature,
                 std::uint64_t calls,
                 std::int64_t self_cpu_ns = 0,
                 std::uint32_t graph = kNoIndex);

  /// Input 0 is the capture trace, input 1 the runtime trace.
  DeviceTime& add_device_time(Phase phase,
                              Tier tier,
                              std::uint32_t signature,
                              const std::string& kernel,
                              std::uint64_t events,
                              std::int64_t time_ns);

  /// For the rank of the rows that follow; 0 at first.
  void use_rank(std::int64_t rank);

  Census census;

 private:
  std::map<std::string, TextIndex> text_index_;
  std::int64_t rank_ = 0;
};

/// 16 decode steps that replay four graphs (bs 8 4 2 1) of 12 operators, after one eager prefill;
/// everything is attributed.
[[nodiscard]] Census example_census();

/// Names with commas, quotes, line ends, formula prefixes and bidirectional characters;
/// unattributed events for two reasons, and one failed check.
[[nodiscard]] Census hostile_census();

}  // namespace opcensus

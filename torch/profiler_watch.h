// SPDX-License-Identifier: Apache-2.0
//
// torch.profiler and the agent cannot both have CUPTI: while the agent is there, torch.profiler
// records host rows only, and says nothing. So the shim says it, once.
#pragma once

#include <atomic>
#include <cstdint>
#include <cstdio>

#if __has_include(<torch/csrc/profiler/orchestration/observer.h>)
#include <torch/csrc/profiler/orchestration/observer.h>
#define OPCENSUS_CAN_WATCH_PROFILER 1
#endif

namespace opcensus::torch_shim {

/// One a thread.
class ProfilerWatch {
 public:
  /// Really looks now and then only, as it is called for every operator.
  void look() {
#ifdef OPCENSUS_CAN_WATCH_PROFILER
    constexpr std::uint32_t kPeriod = 64;
    if (calls_++ % kPeriod == 0) {
      say_if_active();
    }
#endif
  }

 private:
#ifdef OPCENSUS_CAN_WATCH_PROFILER
  static void say_if_active() {
    using torch::profiler::impl::ActiveProfilerType;
    static std::atomic<bool> was_said{false};
    if (was_said.load(std::memory_order_relaxed) ||
        torch::profiler::impl::profilerType() != ActiveProfilerType::KINETO ||
        was_said.exchange(true)) {
      return;
    }
    std::fprintf(stderr,
                 "opcensus: torch.profiler is on in a process that opcensus records: its trace "
                 "will hold no GPU rows\n");
  }
#endif

  std::uint32_t calls_ = 0;
};

}  // namespace opcensus::torch_shim

/* SPDX-License-Identifier: Apache-2.0 */
#include "agent/thread_clock.h"

#include <ctime>

#if defined(__x86_64__)
#include <cpuid.h>
#include <x86intrin.h>
#endif

namespace opcensus::agent {

#if defined(__x86_64__)
namespace {

/* "Invariant TSC": Intel SDM volume 3, 18.17.1; AMD APM volume 3, CPUID Fn8000_0007. */
bool has_steady_counter() noexcept {
  unsigned a = 0;
  unsigned b = 0;
  unsigned c = 0;
  unsigned d = 0;
  return __get_cpuid(0x80000007U, &a, &b, &c, &d) != 0 && (d & (1U << 8U)) != 0;
}

}  // namespace

std::uint64_t SystemTicks::ticks() noexcept {
  static const bool is_steady = has_steady_counter();
  return is_steady ? __rdtsc() : 0;
}
#else
std::uint64_t SystemTicks::ticks() noexcept {
  return 0;
}
#endif

std::uint64_t SystemTicks::time_ns() noexcept {
  return now_ns();
}

std::uint64_t SystemTicks::steady_ns() noexcept {
  timespec time{};
  clock_gettime(CLOCK_MONOTONIC, &time);
  return static_cast<std::uint64_t>(time.tv_sec) * 1000000000U +
         static_cast<std::uint64_t>(time.tv_nsec);
}

}  // namespace opcensus::agent

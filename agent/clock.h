/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include <cstdint>
#include <ctime>

namespace opcensus::agent {

/* The clock of CUPTI's timestamps. */
inline std::uint64_t now_ns() noexcept {
  timespec time{};
  clock_gettime(CLOCK_REALTIME, &time);
  return static_cast<std::uint64_t>(time.tv_sec) * 1000000000U +
         static_cast<std::uint64_t>(time.tv_nsec);
}

}  // namespace opcensus::agent

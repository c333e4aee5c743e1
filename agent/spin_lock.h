/* SPDX-License-Identifier: Apache-2.0
 *
 * For buffers that one thread fills and the writer empties twice a second: never contended for
 * longer than a swap of two vectors, and cheaper than a mutex where it is not.
 */
#pragma once

#include <atomic>

namespace opcensus::agent {

class SpinLock {
 public:
  void lock() noexcept {
    while (flag_.test_and_set(std::memory_order_acquire)) {
    }
  }

  void unlock() noexcept { flag_.clear(std::memory_order_release); }

 private:
  std::atomic_flag flag_ = ATOMIC_FLAG_INIT;
};

}  // namespace opcensus::agent

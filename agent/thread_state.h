/* SPDX-License-Identifier: Apache-2.0
 *
 * What the agent keeps for each host thread: the stack of running operators, and the records that
 * the writer has not taken yet. Allocated on a thread's first use and never freed: a thread that
 * ends may still have records to write.
 */
#pragma once

#include <array>
#include <cstdint>
#include <mutex>
#include <vector>

#include "agent/spin_lock.h"
#include "agent/wire.h"

namespace opcensus::agent {

/* Ids that the agent hands out carry the kind in the top bit, so that the stack needs no look-up.
 */
constexpr std::uint32_t kAnnotationBit = 0x80000000U;

struct ThreadRecords {
  std::vector<wire::SpanRecord> spans;
  std::vector<wire::CallRecord> calls;
  std::vector<wire::NodeRecord> nodes;
};

class ThreadState {
 public:
  explicit ThreadState(std::uint32_t thread) : thread_(thread) {}

  std::uint32_t thread() const noexcept { return thread_; }

  void push(std::uint32_t tagged_op, std::uint64_t now) noexcept;

  /* The operator that ended, with its start; op 0 if nothing is to be written. */
  struct Ended {
    std::uint32_t op = 0;
    std::uint64_t start_ns = 0;
  };

  Ended pop() noexcept;

  /* Innermost and outermost framework operator; 0 if none runs. */
  std::uint32_t innermost() const noexcept;
  std::uint32_t outermost() const noexcept;

  /* Thread: any. */
  ThreadRecords take();

  template <class Record>
  void add(std::vector<Record> ThreadRecords::*list, const Record& record) {
    const std::lock_guard lock(lock_);
    if ((records_.*list).size() < kRecordLimit) {
      (records_.*list).push_back(record);
    } else {
      ++lost_;
    }
  }

  std::uint64_t take_lost() noexcept;

  /* The launch call that encloses the current one has this correlation id: a driver call inside a
   * runtime call is the same launch. */
  std::uint32_t last_correlation = 0;
  /* > 0 inside cudaGraphInstantiate and the like, where nodes are copies. */
  int copying = 0;

 private:
  static constexpr std::size_t kDepth = 128;
  static constexpr std::size_t kRecordLimit = std::size_t{4}
                                              << 20U; /* half a second of the busiest thread */

  struct Frame {
    std::uint32_t op;
    std::uint64_t start_ns;
  };

  std::uint32_t thread_;
  std::size_t depth_ = 0; /* may exceed kDepth: deeper operators are counted, not kept */
  std::array<Frame, kDepth> frames_{};
  SpinLock lock_;
  ThreadRecords records_;
  std::uint64_t lost_ = 0;
};

}  // namespace opcensus::agent

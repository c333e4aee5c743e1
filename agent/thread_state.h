/* SPDX-License-Identifier: Apache-2.0
 *
 * What the agent keeps for each host thread: the stack of running operators, and the records that
 * the writer has not taken yet. Allocated on a thread's first use; freed by the writer after the
 * thread has ended and what it left is written.
 */
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <vector>

#include "agent/frame_stack.h"
#include "agent/kernel_names.h"
#include "agent/spin_lock.h"
#include "agent/thread_clock.h"
#include "agent/wire.h"

namespace opcensus::agent {

/* Ids that the agent hands out carry the kind in the top bit, so that the stack needs no look-up.
 */
constexpr std::uint32_t kAnnotationBit = 0x80000000U;

struct ThreadRecords {
  std::vector<wire::SpanRecord> spans;
  std::vector<wire::CallRecord> calls;
  std::vector<wire::NodeRecord> nodes;
  std::vector<wire::NodeNameRecord> node_names;
};

class ThreadState {
 public:
  ThreadState(std::uint32_t thread, const TickRate<>& tick_rate)
      : thread_(thread), tick_rate_(tick_rate) {}

  [[nodiscard]] std::uint32_t thread() const noexcept { return thread_; }

  std::uint64_t now() noexcept { return clock_.now(tick_rate_); }

  /* `domain`: within which it nests; null is that of the torch shim and of annotations. */
  void push(std::uint32_t tagged_op, const void* domain = nullptr) noexcept;

  std::uint32_t kernel_name(const char* name, Definitions& definitions) {
    if (kernel_names_ == nullptr) {
      kernel_names_ = std::make_unique<KernelNames>();
    }
    return kernel_names_->id_of(name, definitions);
  }

  /* The operator that ended, with its start; op 0 if nothing is to be written. */
  struct Ended {
    std::uint32_t op = 0;
    std::uint64_t start_ns = 0;
  };

  Ended pop(const void* domain = nullptr) noexcept;

  /* How many of the domain are open; -1 if there are too many on this thread to tell. */
  int level(const void* domain) const noexcept;

  /* Innermost and outermost framework operator; 0 if none runs. */
  [[nodiscard]] std::uint32_t innermost() const noexcept;
  [[nodiscard]] std::uint32_t outermost() const noexcept;

  /* What was added since the last call; valid until the next one. Thread: the writer. */
  const ThreadRecords& take();

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

  /* The last that the thread does with it; and whether it has. */
  void end() noexcept { has_ended_.store(true, std::memory_order_release); }

  [[nodiscard]] bool has_ended() const noexcept {
    return has_ended_.load(std::memory_order_acquire);
  }

  /* The launch call that encloses the current one has this correlation id: a driver call inside a
   * runtime call is the same launch. */
  std::uint32_t last_correlation = 0;
  /* The kernel of the launch call that runs on this thread; null outside, and where CUPTI does not
   * tell it. */
  const char* launched_kernel = nullptr;

 private:
  static constexpr std::size_t kRecordLimit = std::size_t{4}
                                              << 20U; /* half a second of the busiest thread */

  struct Frame {
    std::uint32_t op;
    std::uint64_t start_ns;
  };

  std::uint32_t thread_;
  const TickRate<>& tick_rate_;
  ThreadClock<> clock_;
  std::unique_ptr<KernelNames> kernel_names_; /* of threads that capture */
  FrameStack<Frame> frames_;
  SpinLock lock_;
  ThreadRecords records_;
  ThreadRecords taken_; /* of the writer; its memory is used again: new pages cost this thread more
                           than what is written to them */
  std::uint64_t lost_ = 0;
  std::atomic<bool> has_ended_{false};
};

}  // namespace opcensus::agent

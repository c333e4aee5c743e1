// SPDX-License-Identifier: Apache-2.0
//
// ThreadStack: keeps the agent's stack of one thread right although scopes do not always nest. A
// record_function around asynchronous work may end on another thread, and two of them may overlap;
// the agent only knows push and pop. A scope that ends out of turn is marked, and popped when it
// comes to the top.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <vector>

#include "agent/agent_api.h"

namespace opcensus::torch_shim {

class ThreadStack {
 public:
  /// Thread: the owner.
  explicit ThreadStack(const OpcensusAgentApi& api) : api_(api), thread_(api.this_thread()) {}

  /// Gives the scope its number, for end(). Thread: owner.
  std::uint64_t push(std::uint32_t op) {
    collect_foreign_ends();
    scopes_.push_back({++last_scope_, false});  // may throw: nothing was pushed then
    api_.push(thread_, op);
    return last_scope_;
  }

  /// Thread: owner.
  void end(std::uint64_t scope) {
    mark(scope);
    collect_foreign_ends();
    pop_ended();
  }

  /// Thread: any other.
  void end_elsewhere(std::uint64_t scope) {
    const std::lock_guard<std::mutex> lock(mutex_);
    foreign_ends_.push_back(scope);
    has_foreign_ends_.store(true, std::memory_order_release);
  }

  [[nodiscard]] std::size_t depth() const { return scopes_.size(); }

 private:
  struct Scope {
    std::uint64_t number;
    bool is_ended;
  };

  void mark(std::uint64_t number) {
    for (std::size_t i = scopes_.size(); i > 0; --i) {  // nearly always the last one
      if (scopes_[i - 1].number == number) {
        scopes_[i - 1].is_ended = true;
        return;
      }
    }
  }

  void pop_ended() {
    while (!scopes_.empty() && scopes_.back().is_ended) {
      scopes_.pop_back();
      api_.pop(thread_);
    }
  }

  void collect_foreign_ends() {
    if (!has_foreign_ends_.load(std::memory_order_acquire)) {
      return;
    }
    const std::unique_lock<std::mutex> lock(mutex_, std::try_to_lock);
    if (!lock.owns_lock()) {
      return;  // one is just ending: the next call sees it, in a forked child perhaps none
    }
    for (const std::uint64_t scope : foreign_ends_) {
      mark(scope);
    }
    foreign_ends_.clear();
    has_foreign_ends_.store(false, std::memory_order_release);
    pop_ended();
  }

  const OpcensusAgentApi& api_;
  void* const thread_;  // as the agent knows it
  std::vector<Scope> scopes_;
  std::uint64_t last_scope_ = 0;
  std::atomic<bool> has_foreign_ends_{false};
  std::mutex mutex_;
  std::vector<std::uint64_t> foreign_ends_;
};

}  // namespace opcensus::torch_shim

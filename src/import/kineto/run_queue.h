// SPDX-License-Identifier: Apache-2.0
//
// RunQueue: hands runs of events to their consumer, in order, at once or on a thread of its own.
// The result is the same. A few runs wait at most, so memory is bounded.
#pragma once

#include <condition_variable>
#include <cstddef>
#include <deque>
#include <exception>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

#include "src/import/kineto/event_run.h"

namespace opcensus::import {

class RunQueue {
 public:
  using Consume = std::function<void(EventRun&)>;

  RunQueue(Consume consume, bool on_own_thread);
  RunQueue(const RunQueue&) = delete;
  RunQueue& operator=(const RunQueue&) = delete;
  ~RunQueue();

  /// Takes the run's content and leaves an empty run. May wait for the consumer.
  void push(EventRun& run);

  /// Until every run is consumed. After it the caller may touch what the consumer works on, until
  /// the next push(). Throws what the consumer threw.
  void drain();

 private:
  void work();
  [[nodiscard]] bool is_behind();
  void rethrow();

  static constexpr std::size_t kMostWaiting = 8;

  Consume consume_;
  std::mutex mutex_;
  std::condition_variable has_run_;
  std::condition_variable has_room_;
  std::deque<EventRun> waiting_;
  std::vector<EventRun> spare_;
  std::exception_ptr failure_;
  bool is_consuming_ = false;
  bool is_closed_ = false;
  std::thread thread_;
};

}  // namespace opcensus::import

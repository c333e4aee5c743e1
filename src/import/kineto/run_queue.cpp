// SPDX-License-Identifier: Apache-2.0
#include "src/import/kineto/run_queue.h"

#include <utility>

namespace opcensus::import {

RunQueue::RunQueue(Consume consume, bool on_own_thread) : consume_(std::move(consume)) {
  if (on_own_thread) {
    thread_ = std::thread([this] { work(); });
  }
}

RunQueue::~RunQueue() {
  if (thread_.joinable()) {
    {
      const std::lock_guard lock(mutex_);
      is_closed_ = true;
    }
    has_run_.notify_one();
    thread_.join();
  }
}

void RunQueue::push(EventRun& run) {
  if (!thread_.joinable()) {
    consume_(run);
    run.clear();
    return;
  }
  EventRun next;
  if (is_behind()) {
    run.build_index();
  }
  {
    std::unique_lock lock(mutex_);
    has_room_.wait(lock, [this] { return waiting_.size() < kMostWaiting || failure_; });
    rethrow();
    waiting_.push_back(std::move(run));
    if (!spare_.empty()) {
      next = std::move(spare_.back());
      spare_.pop_back();
    }
  }
  has_run_.notify_one();
  run = std::move(next);
  run.clear();
}

/// Whether the consumer has enough to do: then the caller indexes runs for it.
bool RunQueue::is_behind() {
  const std::lock_guard lock(mutex_);
  return waiting_.size() >= kMostWaiting / 2;
}

void RunQueue::drain() {
  if (!thread_.joinable()) {
    return;
  }
  std::unique_lock lock(mutex_);
  has_room_.wait(lock, [this] { return (waiting_.empty() && !is_consuming_) || failure_; });
  rethrow();
}

/// With the mutex held.
void RunQueue::rethrow() {
  if (failure_) {
    std::rethrow_exception(failure_);
  }
}

void RunQueue::work() {
  std::unique_lock lock(mutex_);
  while (true) {
    has_run_.wait(lock, [this] { return !waiting_.empty() || is_closed_; });
    if (waiting_.empty() || failure_) {
      return;
    }
    EventRun run = std::move(waiting_.front());
    waiting_.pop_front();
    is_consuming_ = true;
    lock.unlock();
    has_room_.notify_one();
    try {
      consume_(run);
    } catch (...) {
      lock.lock();
      failure_ = std::current_exception();
      is_consuming_ = false;
      has_room_.notify_one();
      return;
    }
    lock.lock();
    is_consuming_ = false;
    spare_.push_back(std::move(run));
    has_room_.notify_one();
  }
}

}  // namespace opcensus::import

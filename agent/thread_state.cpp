/* SPDX-License-Identifier: Apache-2.0 */
#include "agent/thread_state.h"

#include <utility>

namespace opcensus::agent {

void ThreadState::push(std::uint32_t tagged_op, std::uint64_t now) noexcept {
  if (depth_ < kDepth) {
    frames_[depth_] = {tagged_op, now};
  }
  ++depth_;
}

ThreadState::Ended ThreadState::pop() noexcept {
  if (depth_ == 0) {
    return {};
  }
  --depth_;
  if (depth_ >= kDepth) {
    return {};
  }
  return {frames_[depth_].op & ~kAnnotationBit, frames_[depth_].start_ns};
}

std::uint32_t ThreadState::innermost() const noexcept {
  for (std::size_t i = depth_ < kDepth ? depth_ : kDepth; i-- > 0;) {
    if (frames_[i].op != 0 && (frames_[i].op & kAnnotationBit) == 0) {
      return frames_[i].op;
    }
  }
  return 0;
}

std::uint32_t ThreadState::outermost() const noexcept {
  const std::size_t count = depth_ < kDepth ? depth_ : kDepth;
  for (std::size_t i = 0; i < count; ++i) {
    if (frames_[i].op != 0 && (frames_[i].op & kAnnotationBit) == 0) {
      return frames_[i].op;
    }
  }
  return 0;
}

ThreadRecords ThreadState::take() {
  ThreadRecords taken;
  const std::lock_guard lock(lock_);
  std::swap(taken, records_);
  return taken;
}

std::uint64_t ThreadState::take_lost() noexcept {
  const std::lock_guard lock(lock_);
  return std::exchange(lost_, 0);
}

}  // namespace opcensus::agent

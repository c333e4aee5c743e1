/* SPDX-License-Identifier: Apache-2.0 */
#include "agent/thread_state.h"

#include <utility>

namespace opcensus::agent {

namespace {

bool is_operator(std::uint32_t tagged_op) {
  return tagged_op != 0 && (tagged_op & kAnnotationBit) == 0;
}

}  // namespace

void ThreadState::push(std::uint32_t tagged_op, std::uint64_t now, const void* domain) noexcept {
  frames_.push({tagged_op, now}, domain);
}

ThreadState::Ended ThreadState::pop(const void* domain) noexcept {
  Frame ended{};
  if (!frames_.pop(domain, ended)) {
    return {};
  }
  return {ended.op & ~kAnnotationBit, ended.start_ns};
}

int ThreadState::level(const void* domain) const noexcept {
  return frames_.is_full() ? -1 : frames_.count(domain);
}

std::uint32_t ThreadState::innermost() const noexcept {
  const auto open = frames_.open();
  for (std::size_t i = open.size(); i-- > 0;) {
    if (is_operator(open[i].value.op)) {
      return open[i].value.op;
    }
  }
  return 0;
}

std::uint32_t ThreadState::outermost() const noexcept {
  for (const auto& frame : frames_.open()) {
    if (is_operator(frame.value.op)) {
      return frame.value.op;
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

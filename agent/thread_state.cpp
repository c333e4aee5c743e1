/* SPDX-License-Identifier: Apache-2.0 */
#include "agent/thread_state.h"

#include <cstddef>
#include <utility>

namespace opcensus::agent {

namespace {

bool is_operator(std::uint32_t tagged_op) {
  return tagged_op != 0 && (tagged_op & kAnnotationBit) == 0;
}

/* Keeps the memory, unless it is much more than was needed. */
template <class Record>
void empty(std::vector<Record>& records) {
  constexpr std::size_t kAlwaysKept = (std::size_t{1} << 20U) / sizeof(Record);
  if (records.capacity() > kAlwaysKept && records.size() < records.capacity() / 8) {
    records = {};
  }
  records.clear();
}

}  // namespace

void ThreadState::push(std::uint32_t tagged_op, const void* domain) noexcept {
  frames_.push({tagged_op, now()}, domain);
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

const ThreadRecords& ThreadState::take() {
  empty(taken_.spans);
  empty(taken_.calls);
  empty(taken_.nodes);
  empty(taken_.node_names);
  const std::lock_guard lock(lock_);
  std::swap(taken_, records_);
  return taken_;
}

std::uint64_t ThreadState::take_lost() noexcept {
  const std::lock_guard lock(lock_);
  return std::exchange(lost_, 0);
}

}  // namespace opcensus::agent

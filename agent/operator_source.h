/* SPDX-License-Identifier: Apache-2.0
 *
 * Who really told operators in this process: the recording's property "operator_source".
 * Thread: any.
 */
#pragma once

#include <atomic>
#include <cstdint>

namespace opcensus::agent {

enum class OperatorSource : std::uint8_t { Torch = 1, Nvtx = 2, Annotations = 4 };

class OperatorSources {
 public:
  void note(OperatorSource source) noexcept {
    const auto bit = static_cast<std::uint8_t>(source);
    if ((seen_.load(std::memory_order_relaxed) & bit) == 0) {
      seen_.fetch_or(bit, std::memory_order_relaxed);
    }
  }

  /* The most detailed one: "torch", "nvtx", "annotations" or "none". */
  [[nodiscard]] const char* best() const noexcept {
    const std::uint8_t seen = seen_.load(std::memory_order_relaxed);
    const auto has = [seen](OperatorSource source) {
      return (seen & static_cast<std::uint8_t>(source)) != 0;
    };
    if (has(OperatorSource::Torch)) {
      return "torch";
    }
    if (has(OperatorSource::Nvtx)) {
      return "nvtx";
    }
    return has(OperatorSource::Annotations) ? "annotations" : "none";
  }

 private:
  std::atomic<std::uint8_t> seen_{0};
};

}  // namespace opcensus::agent

// SPDX-License-Identifier: Apache-2.0
//
// OperatorCache: key bytes -> operator id, one cache a thread, in front of the agent's lock.
// Bounded: an argument that is new in each call (a step counter) must not grow it for ever, so a
// full cache starts again from nothing.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <unordered_map>

namespace opcensus::torch_shim {

class OperatorCache {
 public:
  // A model has hundreds to a few thousand distinct calls; keys are about 100 to 500 bytes.
  static constexpr std::size_t kMaxEntries = 16384;
  static constexpr std::size_t kMaxBytes = std::size_t{8} << 20;

  /// 0 = not known.
  [[nodiscard]] std::uint32_t find(const std::string& key) const {
    const auto found = ids_.find(key);
    return found == ids_.end() ? 0 : found->second;
  }

  void insert(const std::string& key, std::uint32_t op) {
    if (ids_.size() >= kMaxEntries || bytes_ + key.size() > kMaxBytes) {
      ids_.clear();
      bytes_ = 0;
    }
    ids_.emplace(key, op);
    bytes_ += key.size();
  }

  [[nodiscard]] std::size_t size() const { return ids_.size(); }

 private:
  std::unordered_map<std::string, std::uint32_t> ids_;
  std::size_t bytes_ = 0;
};

}  // namespace opcensus::torch_shim

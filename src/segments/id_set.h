// SPDX-License-Identifier: Apache-2.0
//
// IdSet: the correlation ids of a long trace. They are counters, so pages of bits are dense.
#pragma once

#include <bitset>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <unordered_map>

namespace opcensus {

class IdSet {
 public:
  void add(std::uint64_t id) {
    if (last_ == nullptr || last_key_ != id / kPageIds) {
      last_key_ = id / kPageIds;
      std::unique_ptr<Page>& page = pages_[last_key_];
      if (page == nullptr) {
        page = std::make_unique<Page>();
      }
      last_ = page.get();
    }
    last_->set(id % kPageIds);
  }

  [[nodiscard]] bool contains(std::uint64_t id) const {
    const auto page = pages_.find(id / kPageIds);
    return page != pages_.end() && page->second->test(id % kPageIds);
  }

  [[nodiscard]] std::size_t bytes() const { return pages_.size() * sizeof(Page); }

 private:
  static constexpr std::uint64_t kPageIds = 1U << 15U;
  using Page = std::bitset<kPageIds>;

  std::unordered_map<std::uint64_t, std::unique_ptr<Page>> pages_;
  Page* last_ = nullptr;
  std::uint64_t last_key_ = 0;
};

}  // namespace opcensus

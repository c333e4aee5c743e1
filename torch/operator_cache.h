// SPDX-License-Identifier: Apache-2.0
//
// OperatorCache: key -> operator id, one cache a thread, in front of the agent's lock. A hash table
// whose keys lie behind one another: a lookup touches one slot and the words of one key.
// Bounded: an argument that is new in each call (a step counter) must not grow it for ever, so a
// full cache starts again from nothing.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <vector>

#include "torch/input_key.h"

namespace opcensus::torch_shim {

class OperatorCache {
 public:
  // A model has hundreds to a few thousand distinct calls; keys are about 100 to 500 bytes.
  static constexpr std::size_t kMaxEntries = 16384;
  static constexpr std::size_t kMaxWords = std::size_t{1} << 20;

  OperatorCache() : slots_(kFirstSlots) {}

  /// 0 = not known.
  [[nodiscard]] std::uint32_t find(const InputKey& key) const {
    return slots_[slot_of(key.words(), key.size(), hash(key.words(), key.size()))].op;
  }

  /// `op` is not 0.
  void insert(const InputKey& key, std::uint32_t op) {
    if (entries_ >= kMaxEntries || words_.size() + key.size() > kMaxWords) {
      slots_.assign(kFirstSlots, {});
      words_.clear();
      entries_ = 0;
    } else if (2 * (entries_ + 1) > slots_.size()) {
      grow();
    }
    const std::uint64_t hashed = hash(key.words(), key.size());
    Slot& slot = slots_[slot_of(key.words(), key.size(), hashed)];
    if (slot.op == 0) {
      const std::size_t begin = words_.size();
      words_.insert(words_.end(), key.words(), key.words() + key.size());
      slot = {hashed, begin, static_cast<std::uint32_t>(key.size()), op};
      ++entries_;
    }
  }

  [[nodiscard]] std::size_t size() const { return entries_; }

 private:
  static constexpr std::size_t kFirstSlots = 256;  // a power of two, as every size of the table

  struct Slot {
    std::uint64_t hash = 0;
    std::size_t begin = 0;  // in words_
    std::uint32_t size = 0;
    std::uint32_t op = 0;  // 0 = free
  };

  static std::uint64_t mixed(std::uint64_t state, std::uint64_t word) {
    constexpr std::uint64_t kOdd = 0x9e3779b97f4a7c15U;  // 2^64 / the golden ratio
    state ^= word;
    return (state << 29 | state >> 35) * kOdd;
  }

  /// Two chains, so that their multiplications overlap.
  static std::uint64_t hash(const std::uint64_t* words, std::size_t size) {
    std::uint64_t even = size;
    std::uint64_t odd = ~even;
    std::size_t i = 0;
    for (; i + 1 < size; i += 2) {
      even = mixed(even, words[i]);
      odd = mixed(odd, words[i + 1]);
    }
    if (i < size) {
      even = mixed(even, words[i]);
    }
    const std::uint64_t both = mixed(even, odd);
    return both ^ both >> 32;
  }

  /// Where the key is, or would go.
  [[nodiscard]] std::size_t slot_of(const std::uint64_t* words,
                                    std::size_t size,
                                    std::uint64_t hashed) const {
    const std::size_t mask = slots_.size() - 1;
    for (std::size_t at = hashed & mask;; at = (at + 1) & mask) {
      const Slot& slot = slots_[at];
      const bool is_it = slot.hash == hashed && slot.size == size &&
                         std::memcmp(words_.data() + slot.begin, words, size * sizeof(*words)) == 0;
      if (slot.op == 0 || is_it) {
        return at;
      }
    }
  }

  void grow() {
    std::vector<Slot> larger(2 * slots_.size());
    slots_.swap(larger);
    for (const Slot& slot : larger) {
      if (slot.op != 0) {
        slots_[slot_of(words_.data() + slot.begin, slot.size, slot.hash)] = slot;
      }
    }
  }

  std::vector<Slot> slots_;
  std::vector<std::uint64_t> words_;
  std::size_t entries_ = 0;
};

}  // namespace opcensus::torch_shim

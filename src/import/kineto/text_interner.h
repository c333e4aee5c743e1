// SPDX-License-Identifier: Apache-2.0
//
// TextInterner: a small cache in front of a StringTable. Traces repeat a few long texts very
// often; comparing with the last one that looked alike is cheaper than hashing all of it.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>

#include "src/base/ids.h"
#include "src/base/string_table.h"

namespace opcensus::import {

class TextInterner {
 public:
  explicit TextInterner(StringTable& strings) : strings_(strings) {}

  StringId intern(std::string_view text) {
    StringId& cached = cache_[slot(text)];
    if (cached.is_none() || strings_.view(cached) != text) {
      cached = strings_.intern(text);
    }
    return cached;
  }

  [[nodiscard]] std::string_view view(StringId id) const { return strings_.view(id); }

 private:
  static constexpr std::size_t kSlotBits = 12;

  static std::uint64_t load(const char* bytes) {
    std::uint64_t word = 0;
    std::memcpy(&word, bytes, sizeof word);
    return word;
  }

  /// From the size and 24 bytes of the text.
  static std::size_t slot(std::string_view text) {
    constexpr std::size_t kWord = sizeof(std::uint64_t);
    std::uint64_t hash = text.size();
    if (text.size() >= kWord) {
      hash = (hash ^ load(text.data())) * 0x9E3779B97F4A7C15U;
      hash = (hash ^ load(text.data() + text.size() / 2 - kWord / 2)) * 0xC2B2AE3D27D4EB4FU;
      hash ^= load(text.data() + text.size() - kWord);
    } else {
      for (const char c : text) {
        hash = hash * 257 + static_cast<unsigned char>(c);
      }
    }
    return static_cast<std::size_t>((hash * 0x9E3779B97F4A7C15U) >> (64 - kSlotBits));
  }

  StringTable& strings_;
  std::array<StringId, std::size_t{1} << kSlotBits> cache_{};
};

/// The same for the Model's tables of values.
template <class Value, class ValueId>
class ValueCache {
 public:
  /// The slot's id if it was made for this value; none() otherwise.
  struct Slot {
    Value value{};
    ValueId id;
  };

  [[nodiscard]] Slot& slot(std::uint64_t hash) {
    return slots_[static_cast<std::size_t>((hash * 0x9E3779B97F4A7C15U) >> (64 - kSlotBits))];
  }

 private:
  static constexpr std::size_t kSlotBits = 12;
  std::array<Slot, std::size_t{1} << kSlotBits> slots_{};
};

}  // namespace opcensus::import

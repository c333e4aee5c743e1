// SPDX-License-Identifier: Apache-2.0
//
// KeyTable: the keys that a parser knows, found by size and first byte with one comparison for a
// hit and nearly always none for a miss. Built at compile time.
#pragma once

#include <array>
#include <cstddef>
#include <string_view>

namespace opcensus::import {

template <class Key>
struct KeyName {
  std::string_view name;
  Key key;
};

/// Key::Other stands for every other name.
template <class Key>
class KeyTable {
 public:
  template <std::size_t kCount>
  constexpr explicit KeyTable(const std::array<KeyName<Key>, kCount>& names) {
    static_assert(kCount <= kSlots / 2);
    for (const KeyName<Key>& entry : names) {
      std::size_t slot = slot_of(entry.name);
      while (!slots_[slot].name.empty()) {
        slot = (slot + 1) % kSlots;
      }
      slots_[slot] = entry;
    }
  }

  [[nodiscard]] constexpr Key find(std::string_view name) const {
    for (std::size_t slot = slot_of(name); !slots_[slot].name.empty(); slot = (slot + 1) % kSlots) {
      const std::string_view known = slots_[slot].name;
      if (known.size() == name.size() && is_equal(known, name)) {
        return slots_[slot].key;
      }
    }
    return Key::Other;
  }

 private:
  static constexpr std::size_t kSlots = 128;

  /// Of equal size. A loop: names are short, and a call of memcmp is not.
  static constexpr bool is_equal(std::string_view a, std::string_view b) {
    for (std::size_t i = 0; i < a.size(); ++i) {
      if (a[i] != b[i]) {
        return false;
      }
    }
    return true;
  }

  static constexpr std::size_t slot_of(std::string_view name) {
    const auto first = name.empty() ? 0U : static_cast<unsigned char>(name.front());
    return (name.size() * 5 + first) % kSlots;
  }

  std::array<KeyName<Key>, kSlots> slots_{};
};

}  // namespace opcensus::import

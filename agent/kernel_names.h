/* SPDX-License-Identifier: Apache-2.0
 *
 * Text ids of kernel names, one table a thread, in front of the lock of Definitions: a capture asks
 * for the same few names thousands of times, by pointers that stay the same while a module is
 * loaded. What is remembered for a pointer is compared with what it points to now, as another
 * module may lie there since.
 *
 * Thread: its own.
 */
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>

#include "agent/definitions.h"

namespace opcensus::agent {

class KernelNames {
 public:
  /* `name` is not null. */
  std::uint32_t id_of(const char* name, Definitions& definitions) {
    Entry& entry = entries_[slot_of(name)];
    if (entry.pointer != name || entry.text != name) {
      entry = {name, name, definitions.text(name)};
    }
    return entry.id;
  }

 private:
  static constexpr std::size_t kEntries = 256; /* a power of two; a model has tens of kernels */

  struct Entry {
    const char* pointer = nullptr;
    std::string text;
    std::uint32_t id = 0;
  };

  static std::size_t slot_of(const char* name) {
    const auto address = reinterpret_cast<std::uintptr_t>(name);
    return (address * 0x9e3779b97f4a7c15U >> 32U) % kEntries; /* 2^64 / the golden ratio */
  }

  std::array<Entry, kEntries> entries_;
};

}  // namespace opcensus::agent

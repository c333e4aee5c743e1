/* SPDX-License-Identifier: Apache-2.0 */
#include "agent/copy_names.h"

#include <array>
#include <string_view>

namespace opcensus::agent {
namespace {

/* By CUpti_ActivityMemcpyKind and CUpti_ActivityMemoryKind: cupti_activity.h, 12.9 and 13.0. */
constexpr std::array<std::string_view, 11> kCopies{
    "Unknown", "HtoD", "DtoH", "HtoA", "AtoH", "AtoA", "AtoD", "DtoA", "DtoD", "HtoH", "PtoP"};
constexpr std::array<std::string_view, 8> kMemories{"Unknown",
                                                    "Pageable",
                                                    "Pinned",
                                                    "Device",
                                                    "Array",
                                                    "Managed",
                                                    "Device Static",
                                                    "Managed Static"};

template <std::size_t Count>
std::string name_in(const std::array<std::string_view, Count>& names, std::size_t index) {
  return std::string(names[index < Count ? index : 0]);
}

}  // namespace

std::string memcpy_name(std::uint8_t kind, std::uint8_t source, std::uint8_t target) {
  return "Memcpy " + name_in(kCopies, kind) + " (" + name_in(kMemories, source) + " -> " +
         name_in(kMemories, target) + ")";
}

std::string memset_name(std::uint16_t memory) {
  return "Memset (" + name_in(kMemories, memory) + ")";
}

}  // namespace opcensus::agent

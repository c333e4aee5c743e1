// SPDX-License-Identifier: Apache-2.0
#include "src/import/ascend/task_kind.h"

#include <algorithm>
#include <array>

namespace opcensus::import::ascend {
namespace {

constexpr std::array<std::string_view, 10> kComputeTypes{"AI_CORE",
                                                         "AI_VECTOR_CORE",
                                                         "AI_CPU",
                                                         "AIC",
                                                         "AIV",
                                                         "MIX_AIC",
                                                         "MIX_AIV",
                                                         "FFTS_PLUS",
                                                         "DSA",
                                                         "DSA_SQE"};

constexpr std::array<std::string_view, 3> kMixedCaseTypes{
    "Notify Wait", "Notify Record", "Write Value"};

constexpr bool is_lower(char c) {
  return c >= 'a' && c <= 'z';
}

bool contains(std::string_view text, std::string_view part) {
  return text.find(part) != std::string_view::npos;
}

}  // namespace

std::optional<DeviceEventKind> kind_of_task_type(std::string_view type) {
  if (contains(type, "MEMCPY")) {
    return DeviceEventKind::Memcpy;
  }
  if (contains(type, "MEMSET")) {
    return DeviceEventKind::Memset;
  }
  const bool is_compute =
      type.starts_with("KERNEL_") || std::ranges::find(kComputeTypes, type) != kComputeTypes.end();
  return is_compute ? std::optional(DeviceEventKind::Kernel) : std::nullopt;
}

bool is_task_type_name(std::string_view name) {
  return std::ranges::none_of(name, is_lower) ||
         std::ranges::find(kMixedCaseTypes, name) != kMixedCaseTypes.end();
}

}  // namespace opcensus::import::ascend

// SPDX-License-Identifier: Apache-2.0
#include "src/import/kineto/category_table.h"

#include <algorithm>
#include <array>

namespace opcensus::import {
namespace {

struct KnownCategory {
  std::string_view name;  ///< lower case
  CategoryKind kind;
};

// Upstream Kineto, the 2021 spellings, and the forks' own names.
constexpr std::array kKnown{
    KnownCategory{"kernel", CategoryKind::Kernel},
    KnownCategory{"concurrent_kernel", CategoryKind::Kernel},
    KnownCategory{"gpu_memcpy", CategoryKind::Memcpy},
    KnownCategory{"memcpy", CategoryKind::Memcpy},
    KnownCategory{"mlu_memcpy", CategoryKind::Memcpy},
    KnownCategory{"musa_memcpy", CategoryKind::Memcpy},
    KnownCategory{"xpu_memcpy", CategoryKind::Memcpy},
    KnownCategory{"gcu_memcpy", CategoryKind::Memcpy},
    KnownCategory{"gpu_memset", CategoryKind::Memset},
    KnownCategory{"memset", CategoryKind::Memset},
    KnownCategory{"mlu_memset", CategoryKind::Memset},
    KnownCategory{"musa_memset", CategoryKind::Memset},
    KnownCategory{"xpu_memset", CategoryKind::Memset},
    KnownCategory{"gcu_memset", CategoryKind::Memset},
    KnownCategory{"cpu_op", CategoryKind::Operator},
    KnownCategory{"operator", CategoryKind::Operator},
    KnownCategory{"user_annotation", CategoryKind::Annotation},
    KnownCategory{"gpu_user_annotation", CategoryKind::DeviceAnnotation},
    KnownCategory{"mlu_user_annotation", CategoryKind::DeviceAnnotation},
    KnownCategory{"musa_user_annotation", CategoryKind::DeviceAnnotation},
    KnownCategory{"xpu_user_annotation", CategoryKind::DeviceAnnotation},
    KnownCategory{"gcu_user_annotation", CategoryKind::DeviceAnnotation},
    KnownCategory{"mtia_ccp_events", CategoryKind::DeviceQueue},
    KnownCategory{"collective_comm", CategoryKind::Collective},
    KnownCategory{"overhead", CategoryKind::Overhead},
    KnownCategory{"runtime", CategoryKind::ApiCall},
    KnownCategory{"driver", CategoryKind::ApiCall},
    KnownCategory{"hpu_op", CategoryKind::ApiCall},
};

struct QueueRow {
  std::string_view name;
  CategoryKind kind;
};

// What the MTIA's command processor writes besides kernels.
constexpr std::array kQueueRows{
    QueueRow{"dma_request", CategoryKind::Memcpy},
    QueueRow{"event_record", CategoryKind::Other},
    QueueRow{"event_wait", CategoryKind::Other},
};

// cuda_runtime, cuda_driver, mlu_runtime, xpu_driver, privateuse1_runtime …
constexpr std::array<std::string_view, 2> kApiCallSuffixes{"_runtime", "_driver"};

std::string lower_case(std::string_view text) {
  std::string lower(text);
  std::ranges::transform(lower, lower.begin(), [](char c) {
    return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  });
  return lower;
}

}  // namespace

CategoryKind classify_category(std::string_view category) {
  const std::string name = lower_case(category);
  const auto* const known = std::ranges::find(kKnown, name, &KnownCategory::name);
  if (known != kKnown.end()) {
    return known->kind;
  }
  const bool is_call = std::ranges::any_of(
      kApiCallSuffixes, [&](std::string_view suffix) { return name.ends_with(suffix); });
  return is_call ? CategoryKind::ApiCall : CategoryKind::Other;
}

CategoryKind kind_of_row(CategoryKind kind, std::string_view name, bool has_stream) {
  if (kind == CategoryKind::Collective) {
    return has_stream ? CategoryKind::Kernel : CategoryKind::Other;
  }
  if (kind != CategoryKind::DeviceQueue) {
    return kind;
  }
  const auto* const known = std::ranges::find(kQueueRows, name, &QueueRow::name);
  return known == kQueueRows.end() ? CategoryKind::Kernel : known->kind;
}

CategoryTable::Category& CategoryTable::find(std::string_view name) {
  if (last_ == nullptr || last_->name != name) {
    const auto found = index_.find(name);
    last_ = found != index_.end() ? found->second : &insert(name);
  }
  return *last_;
}

CategoryTable::Category& CategoryTable::insert(std::string_view name) {
  Category& category = categories_.emplace_back();
  category.name = name;
  category.kind = classify_category(name);
  category.is_launch_flow = name == "ac2g" || name == "async_cpu_to_gpu";
  category.is_linked_by_flow = name.starts_with(kPluginCategory);
  index_.emplace(category.name, &category);
  return category;
}

std::vector<CategoryCount> CategoryTable::counts() const {
  std::vector<CategoryCount> counts;
  for (const Category& category : categories_) {
    if (category.events > 0) {
      counts.push_back({category.name, category.events});
    }
  }
  std::ranges::sort(counts, {}, &CategoryCount::category);
  return counts;
}

}  // namespace opcensus::import

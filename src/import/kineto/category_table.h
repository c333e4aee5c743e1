// SPDX-License-Identifier: Apache-2.0
//
// CategoryTable: what each event category of a trace is, and how many events had it. Which
// category means what is data (category_table.cpp): one row per spelling.
#pragma once

#include <cstdint>
#include <deque>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "src/model/trace.h"

namespace opcensus::import {

enum class CategoryKind : std::uint8_t {
  Other,  ///< counted only
  Operator,
  Annotation,
  ApiCall,
  Kernel,
  Memcpy,
  Memset,
  DeviceAnnotation,
  Overhead,
  DeviceQueue,  ///< kernels, copies and marks in one category: told apart by name
  Collective,   ///< device work where the row names its stream; counted only elsewhere
};

/// How the categories of backends outside PyTorch begin.
inline constexpr std::string_view kPluginCategory = "privateuse1_";

/// By name, whatever its case: "kernel", "Kernel", "cuda_runtime", "xpu_driver" …
[[nodiscard]] CategoryKind classify_category(std::string_view category);

/// The kind of a row of a DeviceQueue or Collective category; any other kind is returned as it is.
[[nodiscard]] CategoryKind kind_of_row(CategoryKind kind, std::string_view name, bool has_stream);

[[nodiscard]] constexpr bool is_device_kind(CategoryKind kind) {
  return kind == CategoryKind::Kernel || kind == CategoryKind::Memcpy ||
         kind == CategoryKind::Memset;
}

class CategoryTable {
 public:
  struct Category {
    std::string name;
    CategoryKind kind = CategoryKind::Other;
    bool is_launch_flow = false;     ///< arrows from launches to device events
    bool is_linked_by_flow = false;  ///< of a backend that may link by such arrows alone
    std::uint64_t events = 0;
  };

  /// The row of a category; it stays where it is for the table's life.
  [[nodiscard]] Category& find(std::string_view name);

  /// Rows with events, sorted by name.
  [[nodiscard]] std::vector<CategoryCount> counts() const;

 private:
  Category& insert(std::string_view name);

  std::deque<Category> categories_;
  std::unordered_map<std::string_view, Category*> index_;
  Category* last_ = nullptr;
};

}  // namespace opcensus::import

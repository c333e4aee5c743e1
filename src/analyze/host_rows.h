// SPDX-License-Identifier: Apache-2.0
//
// HostRows: every host row of a trace in one tree per thread, nested as PyTorch nests them.
#pragma once

#include <cstdint>
#include <vector>

#include "src/base/nanoseconds.h"
#include "src/model/model.h"

namespace opcensus {

struct HostRow {
  Nanoseconds start;
  Nanoseconds duration;
  StringId name;
  StringId input_shapes;  ///< none() for everything but operators
  ThreadId thread;
  bool is_annotation = false;
  bool is_joined = false;  ///< taken up by its parent of the same name
  std::uint32_t parent = kNoParent;
  std::uint32_t children = 0;
  Nanoseconds self_device;   ///< kernels launched by this row itself
  Nanoseconds device_total;  ///< and by its children
  Nanoseconds children_cpu;

  static constexpr std::uint32_t kNoParent = 0xffffffffU;
};

/// Sorted by start, longer rows first. Device times are filled in.
[[nodiscard]] std::vector<HostRow> build_host_rows(const Model& model, const Trace& trace);

}  // namespace opcensus

// SPDX-License-Identifier: Apache-2.0
//
// key_averages: the table that torch.profiler prints of a live profile, from the file. Host rows
// (operators, annotations, runtime calls, profiler overhead) and device rows (kernels, copies,
// device annotations) grouped by name, and by input shapes if wanted.
//
// Rules as in PyTorch 2.11 (torch/autograd/profiler_util.py): nesting per thread by time, an
// operator whose only child has its name is joined with it, device time of a host row is that of
// its own and its children's kernels. Three deliberate differences, where PyTorch's numbers are
// wrong: a kernel is never booked under a call that merely has the same number as its link;
// tensor lists keep their shapes; joined operators keep all their kernels.
// Cost: O(n log n) in the rows of the trace, memory O(n).
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "src/base/nanoseconds.h"
#include "src/model/model.h"

namespace opcensus {

struct KeyAverage {
  std::string name;
  std::string
      input_shapes;  ///< compact JSON; "[]" where there are none, or when not grouped by shape
  bool is_device = false;
  bool is_annotation = false;
  std::uint64_t calls = 0;
  Nanoseconds cpu_total;
  Nanoseconds self_cpu;
  Nanoseconds device_total;
  Nanoseconds self_device;
};

enum class KeyAverageSort : std::uint8_t { DeviceTotal, CpuTotal, SelfDevice, SelfCpu, Count };

struct KeyAverages {
  std::string device_type = "CUDA";  ///< heads the device's columns: "CUDA", "NPU", "XPU" …
  std::vector<KeyAverage> rows;      ///< by time of first call until sorted
  Nanoseconds self_cpu_total;
  Nanoseconds
      self_device_total;  ///< without device annotations: they cover the kernels' time again
};

[[nodiscard]] KeyAverages compute_key_averages(const Model& model,
                                               const Trace& trace,
                                               bool group_by_input_shape);

/// Descending; equal rows keep their order.
void sort_key_averages(KeyAverages& averages, KeyAverageSort sort);

}  // namespace opcensus

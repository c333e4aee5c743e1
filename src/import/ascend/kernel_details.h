// SPDX-License-Identifier: Apache-2.0
//
// kernel_details.csv (torch_npu) and op_summary_*.csv (msprof): one row for each compute kernel
// and communication operator. Columns are found by name: their set changes with the level and the
// version.
#pragma once

#include <string>
#include <vector>

#include "opcensus/result.h"

#include "src/base/string_table.h"
#include "src/import/ascend/ascend_reader.h"
#include "src/import/ascend/profile_rows.h"

namespace opcensus::import::ascend {

/// The stream of a row that names none.
inline constexpr std::int64_t kUnknownStream = -1;

/// What kernel_details.csv says of one kernel beyond DeviceTask.
struct KernelRow {
  DeviceTask task;
  bool has_device = false;  ///< task.device is from the file
};

/// Appends the rows of the file to `kernels`, and counts them in rows.raw_device, categories,
/// bytes and diagnostics. Errors: the source's, Empty, NotATrace (columns missing),
/// LimitExceeded.
[[nodiscard]] Status read_kernel_details(const std::string& path,
                                         const AscendOptions& options,
                                         StringTable& strings,
                                         std::vector<KernelRow>& kernels,
                                         ProfileRows& rows);

/// Signature that a profile records of a kernel; operator_name none() if it has no type.
[[nodiscard]] Signature recorded_signature(std::string_view type,
                                           std::string_view input_shapes,
                                           std::string_view input_dtypes,
                                           std::string_view input_formats,
                                           std::string_view output_shapes,
                                           StringTable& strings);

}  // namespace opcensus::import::ascend

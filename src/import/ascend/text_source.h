// SPDX-License-Identifier: Apache-2.0
//
// The text form: kernel_details.csv says how long each kernel ran, trace_view.json which call
// launched it and from where; the two have no id in common and are joined by name and start.
#pragma once

#include <string>
#include <vector>

#include "opcensus/result.h"

#include "src/base/string_table.h"
#include "src/import/ascend/ascend_reader.h"
#include "src/import/ascend/kernel_details.h"
#include "src/import/ascend/profile_rows.h"
#include "src/import/ascend/trace_view.h"

namespace opcensus::import::ascend {

/// Either list may be empty. Errors: as the two readers'.
[[nodiscard]] Result<ProfileRows> read_text_source(const std::vector<std::string>& kernel_details,
                                                   const std::vector<std::string>& trace_views,
                                                   const AscendOptions& options,
                                                   StringTable& strings);

/// The second half of it: joins what was read. `kernels` is empty and `has_kernels` false where
/// there is no kernel_details.csv.
void join_text_rows(std::vector<KernelRow> kernels,
                    bool has_kernels,
                    const TraceView& view,
                    StringTable& strings,
                    ProfileRows& rows);

}  // namespace opcensus::import::ascend

// SPDX-License-Identifier: Apache-2.0
//
// What a row of the framework is. torch_npu writes operators, its own backend calls and the user's
// record_function regions alike; they differ in their names and in whether inputs were recorded.
#pragma once

#include <string_view>

#include "src/import/ascend/profile_rows.h"

namespace opcensus::import::ascend {

enum class HostRowUse : std::uint8_t {
  Operator,
  Backend,  ///< torch_npu's call into CANN: `aclnnMm`, `Conv2D`, `record_event`
  Annotation,
};

/// False for operators: those have inputs, or a namespace, or are of autograd.
[[nodiscard]] bool may_be_backend_call(std::string_view name, const HostInputs& inputs);

/// `is_linked`: a device task was launched from the row.
[[nodiscard]] HostRowUse use_of_host_row(std::string_view name,
                                         const HostInputs& inputs,
                                         bool is_linked);

}  // namespace opcensus::import::ascend

// SPDX-License-Identifier: Apache-2.0
//
// What a device task is, by the name that CANN gives its type. The names differ between the
// database (KERNEL_AIVEC, MEMCPY_ASYNC) and trace_view.json (AI_CORE, PCIE_DMA_SQE).
#pragma once

#include <optional>
#include <string_view>

#include "src/model/trace.h"

namespace opcensus::import::ascend {

/// nullopt for bookkeeping: events, notifies, waits, parts of communication operators.
[[nodiscard]] std::optional<DeviceEventKind> kind_of_task_type(std::string_view type);

/// True for a type's name (`EVENT_WAIT`, `Notify Wait`); false for the name of an operator. Tasks
/// without an operator are named by their type.
[[nodiscard]] bool is_task_type_name(std::string_view name);

}  // namespace opcensus::import::ascend

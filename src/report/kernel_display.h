// SPDX-License-Identifier: Apache-2.0
//
// Kernel names for a screen. A C++ kernel name carries its return type, namespaces, argument
// list, lambdas and wrappers; a reader wants the kernel and what it computes.
#pragma once

#include <string>
#include <string_view>

namespace opcensus {

/// "elementwise_kernel<direct_copy_kernel_cuda>" from its 700-character original. Other
/// names stay as they are. Always a safe_text.
[[nodiscard]] std::string compact_kernel_name(std::string_view name);

}  // namespace opcensus

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

namespace opcensus::import {

/// The readable form of a mangled C++ name (`_Z…`); any other text, and a name that cannot be
/// demangled, as it is.
[[nodiscard]] std::string readable_kernel_name(std::string_view name);

}  // namespace opcensus::import

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>

namespace opcensus {

/// The first `count` bytes of a file as it lies, or all of it; empty if it cannot be read. For
/// telling formats: who reads on finds out why.
[[nodiscard]] std::string first_bytes(const std::string& path, std::size_t count);

}  // namespace opcensus

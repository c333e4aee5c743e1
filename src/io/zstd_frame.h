// SPDX-License-Identifier: Apache-2.0
//
// How frames of a zstd stream (RFC 8878, section 3.1) begin. Pure.
#pragma once

#include <cstddef>
#include <string_view>

namespace opcensus {

/// As many bytes tell whether a frame starts.
inline constexpr std::size_t kZstdStartBytes = 4;

/// True if a frame starts at the front: one of data, or one to be skipped.
[[nodiscard]] bool starts_zstd_frame(std::string_view bytes);

/// True if a frame of data as real writers make it (no reserved bit, no dictionary) begins
/// somewhere in the bytes. Chance finds one in about 2^36 random bytes.
[[nodiscard]] bool holds_zstd_frame(std::string_view bytes);

}  // namespace opcensus

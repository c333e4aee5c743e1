// SPDX-License-Identifier: Apache-2.0
//
// Resynchronisation after a missing or unescaped quote. Old profilers write names with quotes in
// them as they are; from there on strings and structure are exchanged, and the end of the event
// is not found, or found too late. These searches look for places that only structure can have.
// Each returns an offset into the text, and none if there is no such place.
#pragma once

#include <cstddef>
#include <optional>
#include <string_view>

namespace opcensus::import {

/// The '{' of the next event: `} , { "ph" :` or with another key of an event, `"ph"` following.
/// 18 bytes after the end of the text must be readable.
[[nodiscard]] std::optional<std::size_t> find_event_start(std::string_view text, std::size_t from);

/// The ']' that ends an event array: the last `} ]` that is followed by `, "` or `}`.
[[nodiscard]] std::optional<std::size_t> find_array_end(std::string_view text, std::size_t from);

/// The key `"traceEvents"` (at its opening quote) that begins an array.
[[nodiscard]] std::optional<std::size_t> find_event_array(std::string_view text, std::size_t from);

}  // namespace opcensus::import

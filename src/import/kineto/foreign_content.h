// SPDX-License-Identifier: Apache-2.0
//
// Says what a file is that is no Kineto trace, and what to do with it.
#pragma once

#include <optional>
#include <string_view>

#include "opcensus/result.h"

namespace opcensus::import {

/// `head` are the first bytes after white space. none if they may begin a trace ('{' or '[').
[[nodiscard]] std::optional<Error> describe_foreign_head(std::string_view head);

/// JSON with an object at its root, and no traceEvents; `first_key` is its first key.
[[nodiscard]] Error describe_foreign_object(std::string_view first_key);

/// JSON with an array at its root, and no event in it.
[[nodiscard]] Error describe_foreign_array();

}  // namespace opcensus::import

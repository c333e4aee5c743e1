// SPDX-License-Identifier: Apache-2.0
//
// Rewrites what profilers and the tools around them write instead of JSON into JSON: inf, NaN and
// N/A become null; raw control characters in strings are escaped; bytes that are no UTF-8, and
// half surrogate pairs, become U+FFFD; a backslash that begins no escape (Windows paths) is
// doubled. Quotes and brackets are left as they are: whether the result is JSON is for a parser
// to say.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace opcensus::import {

/// Replaces `repaired`; returns how many numbers became null.
std::uint64_t repair_json(std::string_view text, std::string& repaired);

}  // namespace opcensus::import

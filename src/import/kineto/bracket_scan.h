// SPDX-License-Identifier: Apache-2.0
//
// Finds where a JSON object or array ends: brackets are counted outside strings, escapes are
// honoured, and nothing else is looked at. 64 bytes at a time; SSE2 where the compiler has it,
// plain C++ elsewhere. Resumable at any byte.
#pragma once

#include <cstddef>
#include <cstdint>

namespace opcensus::import {

enum class ScanOutcome : std::uint8_t { Closed, NeedMore, TooDeep };

struct BracketScan {
  std::uint64_t in_string = 0;  ///< all ones within a string
  std::uint64_t escaped = 0;    ///< 1 if the next byte is escaped
  std::uint32_t depth = 0;
};

struct ScanResult {
  ScanOutcome outcome;
  const char* stop;  ///< after the bracket that decides; NeedMore: the end
};

/// Continues the scan over [begin, end); 64 bytes after `end` must be readable (any content).
/// `escaped` and `in_string` carry over; the first call starts at the opening bracket.
[[nodiscard]] ScanResult scan_brackets(const char* begin,
                                       const char* end,
                                       std::uint32_t max_depth,
                                       BracketScan& state);

/// How many keys or values spelled "ph" (quotes included) the text holds, counting stops at 2.
/// 18 bytes after the end of the text must be readable.
[[nodiscard]] int count_phase_words(const char* begin, const char* end);

}  // namespace opcensus::import

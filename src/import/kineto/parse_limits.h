// SPDX-License-Identifier: Apache-2.0
//
// ParseLimits: what a hostile or derailed file can make the reader hold. Reaching one is an Error
// (LimitExceeded) that names it.
#pragma once

#include <cstddef>
#include <cstdint>

namespace opcensus::import {

struct ParseLimits {
  std::size_t max_event_bytes = std::size_t{64} << 20;     ///< one element of traceEvents
  std::size_t max_metadata_bytes = std::size_t{16} << 20;  ///< larger header values are skipped
  std::uint32_t max_nesting = 64;                          ///< brackets within one value
  std::size_t max_string_bytes = std::size_t{1} << 20;     ///< a name, shapes or dtypes
  std::size_t max_distinct_strings = std::size_t{16} << 20;

  // No error, but the end of a service: what comes after is not kept.
  std::size_t max_distinct_arguments = std::size_t{64} << 10;  ///< strides and scalars of calls
  std::size_t max_flow_operators = std::size_t{1} << 20;       ///< that arrows can lead to
};

}  // namespace opcensus::import

// SPDX-License-Identifier: Apache-2.0
//
// ProfileInfo: how the profile was made, from profiler_info[_<rank>].json and
// profiler_metadata.json. Both are optional, and so is everything in them.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "src/model/trace.h"

namespace opcensus::import::ascend {

struct ProfileInfo {
  std::string level;  ///< "level 1"; empty = unknown
  std::optional<bool> record_shapes;
  std::optional<std::int64_t> rank;
  std::optional<std::int64_t> world_size;
  std::vector<TraceProperty> properties;
};

/// What the two files hold; a file that is not there, or is no JSON, holds nothing.
[[nodiscard]] ProfileInfo read_profile_info(const std::string& profiler_info,
                                            const std::string& metadata,
                                            std::size_t max_bytes);

/// The number that ends a file's stem (`ascend_pytorch_profiler_3.db`, `profiler_info_3.json`).
[[nodiscard]] std::optional<std::int64_t> rank_of_file_name(std::string_view path);

}  // namespace opcensus::import::ascend

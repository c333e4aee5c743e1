// SPDX-License-Identifier: Apache-2.0
//
// What a file's name tells: its rank, whether it is a merged trace. Names are the second-best
// source; the content (distributedInfo) comes first.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace opcensus {

/// `…rank0.…`, `…rank_0_…`, `…-rank-0.…`, `…-TP-0-…`, `rank_0/…`; nullopt if none is there.
[[nodiscard]] std::optional<std::int64_t> rank_from_path(std::string_view path);

/// For `merged-<profile id>.trace.json.gz` (SGLang): the profile id, with which its parts begin.
[[nodiscard]] std::optional<std::string> merged_profile_id(std::string_view path);

[[nodiscard]] std::string_view file_name_of(std::string_view path);

}  // namespace opcensus

// SPDX-License-Identifier: Apache-2.0
//
// ProfileFiles: which files of a folder are the profile of a rank, and in what state it is.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace opcensus::import::ascend {

enum class ProfileState : std::uint8_t {
  Unknown,  ///< no folder or file of a profiler for Ascend
  Parsed,
  NotParsed,  ///< collected; torch_npu's or msprof's parsing has not been run
  Cluster,    ///< results over several ranks, without events
  NoEvents,   ///< parsed, but the files with events are not there
};

struct ProfileFiles {
  ProfileState state = ProfileState::Unknown;
  std::string database;                     ///< empty: there is none
  std::vector<std::string> kernel_details;  ///< or op_summary files
  std::vector<std::string> trace_views;
  std::string profiler_info;  ///< profiler_info[_<rank>].json; empty: there is none
  std::string metadata;       ///< profiler_metadata.json

  [[nodiscard]] bool has_text() const { return !kernel_details.empty() || !trace_views.empty(); }
};

/// A file, or a folder of one rank. Looks at names, and at the beginnings of single files.
[[nodiscard]] ProfileFiles find_profile_files(const std::string& path);

/// The last part of a path, without a slash at its end.
[[nodiscard]] std::string_view last_part(std::string_view path);

}  // namespace opcensus::import::ascend

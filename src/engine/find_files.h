// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "opcensus/result.h"

namespace opcensus {

struct FoundFile {
  std::string path;
  bool is_explicit = false;  ///< named by the user, not found in a folder
};

/// Files stay as they are, and so does a folder that is one profile (Ascend's *_ascend_pt); other
/// folders are searched (recursively, by name order, hidden ones left out) for names that a trace
/// can have. A file found twice is listed once.
/// Errors: NotFound for a path that does not exist; NothingToReport for folders without a
/// candidate.
[[nodiscard]] Result<std::vector<FoundFile>> find_files(const std::vector<std::string>& paths);

}  // namespace opcensus

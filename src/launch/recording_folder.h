// SPDX-License-Identifier: Apache-2.0
//
// The folder that a recorded run writes into: one *.ocrec file for each process.
#pragma once

#include <cstdint>
#include <string>

#include "opcensus/result.h"

namespace opcensus {

struct RecordingFiles {
  std::uint64_t count = 0;
  std::uint64_t bytes = 0;
};

/// An empty folder counts as no recordings, and so does one that is not there.
[[nodiscard]] RecordingFiles count_recordings(const std::string& folder);

/// Creates the folder and gives its absolute path. One that holds recordings is refused, or with
/// `force` its recordings are removed: two runs in one folder would be read as one.
[[nodiscard]] Result<std::string> prepare_recording_folder(const std::string& folder, bool force);

}  // namespace opcensus

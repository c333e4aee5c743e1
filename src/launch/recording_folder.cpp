// SPDX-License-Identifier: Apache-2.0
#include "src/launch/recording_folder.h"

#include <filesystem>
#include <vector>

#include <unistd.h>

namespace opcensus {
namespace {

namespace fs = std::filesystem;

std::vector<fs::directory_entry> recordings_in(const std::string& folder) {
  std::vector<fs::directory_entry> recordings;
  std::error_code failure;
  for (fs::directory_iterator entry(folder, failure), end; !failure && entry != end;
       entry.increment(failure)) {
    if (entry->path().extension() == ".ocrec") {
      recordings.push_back(*entry);
    }
  }
  return recordings;
}

Error unwritable(const std::string& folder, const std::string& why) {
  return {ErrorCode::Unwritable, "the recording folder cannot be written: " + why, folder, {}, ""};
}

}  // namespace

RecordingFiles count_recordings(const std::string& folder) {
  RecordingFiles files;
  for (const fs::directory_entry& recording : recordings_in(folder)) {
    std::error_code failure;
    const std::uintmax_t bytes = recording.file_size(failure);
    ++files.count;
    files.bytes += failure ? 0 : bytes;
  }
  return files;
}

Result<std::string> prepare_recording_folder(const std::string& folder, bool force) {
  const auto old = recordings_in(folder);
  if (!old.empty() && !force) {
    return Error{ErrorCode::Conflict,
                 "the folder holds recordings already",
                 folder,
                 {},
                 "give another folder, or --force to replace them"};
  }
  std::error_code failure;
  fs::create_directories(folder, failure);
  if (failure) {
    return unwritable(folder, failure.message());
  }
  if (access(folder.c_str(), W_OK | X_OK) != 0) {
    return unwritable(folder, "permission denied");
  }
  for (const fs::directory_entry& recording : old) {
    fs::remove(recording.path(), failure);
    if (failure) {
      return unwritable(recording.path().string(), failure.message());
    }
  }
  const fs::path absolute = fs::canonical(folder, failure);
  return failure ? Result<std::string>(unwritable(folder, failure.message()))
                 : Result<std::string>(absolute.string());
}

}  // namespace opcensus

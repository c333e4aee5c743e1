// SPDX-License-Identifier: Apache-2.0
#include "src/engine/find_files.h"

#include <algorithm>
#include <filesystem>
#include <set>
#include <system_error>

#include "src/engine/file_names.h"
#include "src/engine/read_input.h"

namespace opcensus {
namespace {

namespace fs = std::filesystem;

bool can_be_trace(std::string_view path) {
  const std::string_view name = file_name_of(path);
  return name.find(".json") != std::string_view::npos || name.ends_with(".gz") ||
         name.ends_with(".zst") || name.ends_with(".ocrec") || name.ends_with(".sqlite") ||
         name.ends_with(".nsys-rep") || name.ends_with(".db") || name.starts_with("op_summary");
}

Result<std::vector<std::string>> search_folder(const std::string& folder) {
  std::vector<std::string> found;
  std::error_code error;
  fs::recursive_directory_iterator entry(
      folder, fs::directory_options::skip_permission_denied, error);
  for (const fs::recursive_directory_iterator end; !error && entry != end; entry.increment(error)) {
    const std::string name = entry->path().filename().string();
    std::error_code ignored;
    if (entry->is_directory(ignored) && name.starts_with(".")) {
      entry.disable_recursion_pending();
    } else if (entry->is_directory(ignored) && is_profile_folder(entry->path().string())) {
      found.push_back(entry->path().string());
      entry.disable_recursion_pending();
    } else if (entry->is_regular_file(ignored) && can_be_trace(name)) {
      found.push_back(entry->path().string());
    }
  }
  if (error) {
    return Error{
        ErrorCode::Unreadable, "the folder cannot be searched: " + error.message(), folder, {}, ""};
  }
  std::sort(found.begin(), found.end());
  return found;
}

}  // namespace

Result<std::vector<FoundFile>> find_files(const std::vector<std::string>& paths) {
  std::vector<FoundFile> files;
  std::set<std::string> seen;
  const auto add = [&files, &seen](std::string path, bool is_explicit) {
    std::error_code ignored;
    const std::string canonical = path == "-" ? path : fs::weakly_canonical(path, ignored).string();
    if (seen.insert(canonical).second) {
      files.push_back({std::move(path), is_explicit});
    }
  };
  for (const std::string& path : paths) {
    std::error_code error;
    const fs::file_status status = path == "-" ? fs::file_status() : fs::status(path, error);
    if (path != "-" && !fs::exists(status)) {
      return Error{ErrorCode::NotFound,
                   "no such file or folder",
                   path,
                   {},
                   "check the spelling of the path"};
    }
    if (!fs::is_directory(status) || is_profile_folder(path)) {
      add(path, true);
      continue;
    }
    OPCENSUS_TRY(const std::vector<std::string> found, search_folder(path));
    for (const std::string& file : found) {
      add(file, false);
    }
    if (found.empty()) {
      return Error{ErrorCode::NothingToReport,
                   "the folder holds no trace file (*.json, *.json.gz, *.json.zst, *.ocrec, "
                   "*.sqlite, *_ascend_pt)",
                   path,
                   {},
                   "torch.profiler writes *.pt.trace.json.gz; give the folder that holds them"};
    }
  }
  return files;
}

}  // namespace opcensus

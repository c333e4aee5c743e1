// SPDX-License-Identifier: Apache-2.0
#include "src/import/ascend/profile_files.h"

#include <algorithm>
#include <filesystem>
#include <optional>
#include <system_error>

#include "src/io/byte_source.h"
#include "src/io/sqlite.h"

namespace opcensus::import::ascend {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kSniffBytes = std::size_t{1} << 20;
constexpr std::size_t kMagicBytes = 16;

/// The entries of a folder by name; empty if it cannot be read.
std::vector<std::string> entries_of(const std::string& folder) {
  std::vector<std::string> names;
  std::error_code error;
  fs::directory_iterator entry(folder, error);
  while (!error && entry != fs::directory_iterator()) {
    names.push_back(entry->path().filename().string());
    entry.increment(error);
  }
  std::sort(names.begin(), names.end());
  return names;
}

bool is_folder(const std::string& path) {
  std::error_code error;
  return fs::is_directory(path, error);
}

bool is_like(std::string_view name, std::string_view beginning, std::string_view end) {
  return name.size() >= beginning.size() + end.size() && name.starts_with(beginning) &&
         name.ends_with(end);
}

bool is_database_name(std::string_view name) {
  return is_like(name, "ascend_pytorch_profiler", ".db") || is_like(name, "msprof", ".db");
}

bool is_kernel_details_name(std::string_view name) {
  return name == "kernel_details.csv" || is_like(name, "op_summary", ".csv");
}

bool is_trace_view_name(std::string_view name) {
  return name == "trace_view.json" || is_like(name, "msprof", ".json");
}

/// Notes what one folder holds directly.
void add_files(const std::string& folder, ProfileFiles& files) {
  for (const std::string& name : entries_of(folder)) {
    std::string path = (fs::path(folder) / name).string();
    if (is_folder(path)) {
      continue;
    }
    if (is_database_name(name)) {
      files.database = files.database.empty() ? path : files.database;
    } else if (is_kernel_details_name(name)) {
      files.kernel_details.push_back(path);
    } else if (is_trace_view_name(name)) {
      files.trace_views.push_back(path);
    } else if (name == "profiler_metadata.json") {
      files.metadata = path;
    } else if (is_like(name, "profiler_info", ".json")) {
      files.profiler_info = files.profiler_info.empty() ? path : files.profiler_info;
    }
  }
}

bool has_events(const ProfileFiles& files) {
  return !files.database.empty() || files.has_text();
}

std::string beginning_of(const std::string& path, std::size_t bytes) {
  std::string content(bytes, '\0');
  auto source = open_bytes(path);
  std::size_t filled = 0;
  while (source && filled < bytes) {
    const auto count = (*source)->read({content.data() + filled, bytes - filled});
    if (!count || *count == 0) {
      break;
    }
    filled += *count;
  }
  content.resize(filled);
  return content;
}

bool holds(std::string_view text, std::string_view part) {
  return text.find(part) != std::string_view::npos;
}

/// A JSON array with the lanes of CANN; in a large file they stand far behind, and its name and
/// times in quotes tell.
bool is_trace_view(const std::string& path) {
  const std::string content = beginning_of(path, kSniffBytes);
  const std::size_t first = content.find_first_not_of(" \t\r\n");
  if (first == std::string::npos || content[first] != '[') {
    return false;
  }
  return holds(content, "\"Ascend Hardware\"") || holds(content, "\"CANN\"") ||
         (last_part(path) == "trace_view.json" && holds(content, "\"ts\": \""));
}

bool is_profile_database(const std::string& path) {
  if (!looks_like_sqlite(beginning_of(path, kMagicBytes))) {
    return false;
  }
  auto database = Database::open_read_only(path, ErrorCode::Damaged);
  if (!database) {
    return is_database_name(last_part(path));
  }
  const auto tables = database->tables();
  const auto has = [&tables](std::string_view wanted) {
    return std::find(tables->begin(), tables->end(), wanted) != tables->end();
  };
  return tables ? has("STRING_IDS") && has("TASK") : is_database_name(last_part(path));
}

ProfileFiles single_file(const std::string& path) {
  ProfileFiles files;
  const std::string_view name = last_part(path);
  if (is_kernel_details_name(name)) {
    files.kernel_details.push_back(path);
  } else if (name.ends_with(".json") && is_trace_view(path)) {
    files.trace_views.push_back(path);
  } else if (is_profile_database(path)) {
    files.database = path;
  }
  files.state = has_events(files) ? ProfileState::Parsed : ProfileState::Unknown;
  return files;
}

/// `folder` is ASCEND_PROFILER_OUTPUT; what describes the run lies beside it.
ProfileFiles output_folder(const std::string& folder) {
  ProfileFiles files;
  add_files((fs::path(folder) / "..").lexically_normal().string(), files);
  ProfileFiles out;
  out.profiler_info = files.profiler_info;
  out.metadata = files.metadata;
  add_files(folder, out);
  out.state = has_events(out) ? ProfileState::Parsed : ProfileState::NoEvents;
  return out;
}

bool has_raw_data(const std::vector<std::string>& entries) {
  return std::any_of(entries.begin(), entries.end(), [](const std::string& name) {
    return name == "FRAMEWORK" || name.starts_with("PROF_");
  });
}

ProfileFiles rank_folder(const std::string& folder, const std::vector<std::string>& entries) {
  const std::string output = (fs::path(folder) / "ASCEND_PROFILER_OUTPUT").string();
  if (is_folder(output)) {
    ProfileFiles files;
    add_files(folder, files);
    ProfileFiles out;
    out.profiler_info = files.profiler_info;
    out.metadata = files.metadata;
    add_files(output, out);
    out.state = has_events(out) ? ProfileState::Parsed : ProfileState::NoEvents;
    return out;
  }
  ProfileFiles files;
  files.state = has_raw_data(entries) ? ProfileState::NotParsed : ProfileState::NoEvents;
  return files;
}

/// A folder of msprof: the database lies in it, the texts one below.
ProfileFiles msprof_folder(const std::string& folder) {
  ProfileFiles files;
  add_files(folder, files);
  const std::string output = (fs::path(folder) / "mindstudio_profiler_output").string();
  if (is_folder(output)) {
    add_files(output, files);
  }
  files.state = has_events(files) ? ProfileState::Parsed : ProfileState::NotParsed;
  return files;
}

bool holds_profile(const ProfileFiles& files) {
  const bool has_kernel_details = std::any_of(
      files.kernel_details.begin(), files.kernel_details.end(), [](const std::string& path) {
        return last_part(path) == "kernel_details.csv";
      });
  return !files.database.empty() || has_kernel_details;
}

ProfileFiles find_in_folder(const std::string& folder) {
  const std::string_view name = last_part(folder);
  if (name == "cluster_analysis_output") {
    ProfileFiles files;
    files.state = ProfileState::Cluster;
    return files;
  }
  if (name == "ASCEND_PROFILER_OUTPUT") {
    return output_folder(folder);
  }
  const std::vector<std::string> entries = entries_of(folder);
  const bool has_output =
      std::find(entries.begin(), entries.end(), "ASCEND_PROFILER_OUTPUT") != entries.end();
  if (has_output || name.ends_with("_ascend_pt")) {
    return rank_folder(folder, entries);
  }
  if (name.starts_with("PROF_")) {
    return msprof_folder(folder);
  }
  ProfileFiles files;
  add_files(folder, files);
  files.state = holds_profile(files) ? ProfileState::Parsed : ProfileState::Unknown;
  return files;
}

}  // namespace

std::string_view last_part(std::string_view path) {
  while (path.size() > 1 && path.ends_with('/')) {
    path.remove_suffix(1);
  }
  return path.substr(path.rfind('/') + 1);  // npos + 1 = 0
}

ProfileFiles find_profile_files(const std::string& path) {
  return is_folder(path) ? find_in_folder(path) : single_file(path);
}

}  // namespace opcensus::import::ascend

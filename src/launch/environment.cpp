// SPDX-License-Identifier: Apache-2.0
#include "src/launch/environment.h"

#include <algorithm>
#include <cstdlib>

#include <unistd.h>

namespace opcensus {
namespace {

std::string_view name_of(std::string_view entry) {
  return entry.substr(0, entry.find('='));
}

bool is_changed(std::string_view entry, const std::vector<Variable>& changes) {
  return std::any_of(changes.begin(), changes.end(), [entry](const Variable& change) {
    return change.first == name_of(entry);
  });
}

}  // namespace

std::vector<Variable> recording_variables(const RecordingSettings& settings) {
  std::vector<Variable> variables{{"CUDA_INJECTION64_PATH", settings.agent},
                                  {"OPCENSUS_DIR", settings.folder},
                                  {"OPCENSUS_DETAIL", settings.detail},
                                  {"OPCENSUS_WINDOW", settings.window},
                                  {"OPCENSUS_CONTROL", settings.control ? "1" : ""},
                                  {"OPCENSUS_TORCH_SHIM", settings.torch_shim}};
  if (settings.takes_nvtx) {
    variables.emplace_back("NVTX_INJECTION64_PATH", settings.agent);
  }
  return variables;
}

std::vector<std::string> with_variables(const std::vector<std::string>& current,
                                        const std::vector<Variable>& changes) {
  std::vector<std::string> result;
  for (const std::string& entry : current) {
    if (!is_changed(entry, changes)) {
      result.push_back(entry);
    }
  }
  for (const Variable& change : changes) {
    if (!change.second.empty()) {
      result.push_back(change.first + "=" + change.second);
    }
  }
  return result;
}

std::vector<std::string> current_environment() {
  std::vector<std::string> entries;
  for (char** entry = environ; *entry != nullptr; ++entry) {
    entries.emplace_back(*entry);
  }
  return entries;
}

std::string environment_variable(const char* name) {
  const char* const value = std::getenv(name);  // NOLINT(concurrency-mt-unsafe): one thread
  return value == nullptr ? "" : value;
}

}  // namespace opcensus

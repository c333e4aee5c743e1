// SPDX-License-Identifier: Apache-2.0
#include "src/launch/installed_files.h"

#include <filesystem>

#include "src/launch/environment.h"

namespace opcensus {
namespace {

constexpr const char* kAgent = "libopcensus_agent.so";

bool is_file(const std::string& path) {
  std::error_code ignored;
  return std::filesystem::is_regular_file(path, ignored);
}

std::string absolute(const std::string& path) {
  std::error_code failure;
  const std::filesystem::path result = std::filesystem::weakly_canonical(path, failure);
  return failure ? path : result.string();
}

std::string executable_folder() {
  std::error_code failure;
  const auto executable = std::filesystem::read_symlink("/proc/self/exe", failure);
  return failure ? "." : executable.parent_path().string();
}

bool is_complete(const std::string& root) {
  return is_file(root + "/torch/opcensus_torch.cpp") && is_file(root + "/agent/agent_api.h");
}

}  // namespace

std::vector<std::string> agent_candidates(const std::string& folder) {
  std::vector<std::string> candidates;
  for (const char* beside : {"/", "/../lib/", "/../lib64/", "/../" OPCENSUS_LIBDIR "/"}) {
    candidates.push_back(folder + beside + kAgent);
  }
  return candidates;
}

Result<std::string> find_agent() {
  const std::string given = environment_variable("OPCENSUS_AGENT");
  if (!given.empty()) {
    if (is_file(given)) {
      return absolute(given);
    }
    return Error{ErrorCode::NotFound,
                 "the agent library that OPCENSUS_AGENT names is not there",
                 given,
                 {},
                 "unset OPCENSUS_AGENT to use the installed one"};
  }
  for (const std::string& candidate : agent_candidates(executable_folder())) {
    if (is_file(candidate)) {
      return absolute(candidate);
    }
  }
  return Error{ErrorCode::NotFound,
               "the agent library libopcensus_agent.so is not there",
               "",
               {},
               "install it beside opcensus (in ../lib), or name it in OPCENSUS_AGENT"};
}

Result<std::string> find_file(const std::string& path) {
  return is_file(path) ? Result<std::string>(absolute(path))
                       : Result<std::string>(
                             Error{ErrorCode::NotFound, "there is no such file", path, {}, ""});
}

Result<ShimSources> find_shim_sources() {
  for (const std::string& root :
       {executable_folder() + "/../share/opcensus", std::string(OPCENSUS_SOURCE_TREE)}) {
    if (is_complete(root)) {
      return ShimSources{absolute(root)};
    }
  }
  return Error{ErrorCode::NotFound,
               "the sources of the PyTorch shim are not there",
               "",
               {},
               "install opcensus with its share folder"};
}

}  // namespace opcensus

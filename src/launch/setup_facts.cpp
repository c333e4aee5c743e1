// SPDX-License-Identifier: Apache-2.0
#include "src/launch/setup_facts.h"

#include <cstdint>
#include <cstdlib>

#include <dlfcn.h>

#include "src/launch/environment.h"
#include "src/launch/installed_files.h"
#include "src/launch/python_command.h"
#include "src/launch/shim_build.h"

namespace opcensus {
namespace {

template <class Function>
Function symbol(void* library, const char* name) {
  return reinterpret_cast<Function>(dlsym(library, name));
}

std::string load_problem() {
  const char* const text = dlerror();  // NOLINT(concurrency-mt-unsafe): one thread
  return text == nullptr ? "it cannot be loaded" : text;
}

void find_gpus(void* driver, SetupFacts& facts) {
  const auto init = symbol<int (*)(unsigned)>(driver, "cuInit");
  const auto count = symbol<int (*)(int*)>(driver, "cuDeviceGetCount");
  if (init == nullptr || count == nullptr) {
    facts.gpu_problem = "the driver library is incomplete";
    return;
  }
  int error = init(0);
  if (error == 0) {
    error = count(&facts.gpu_count);
  }
  if (error != 0) {
    facts.gpu_problem = "the driver reports error " + std::to_string(error);
  }
}

void find_driver(SetupFacts& facts) {
  void* const driver = dlopen("libcuda.so.1", RTLD_NOW | RTLD_LOCAL);
  if (driver == nullptr) {
    facts.driver_problem = load_problem();
    facts.gpu_problem = "there is no driver";
    return;
  }
  const auto version = symbol<int (*)(int*)>(driver, "cuDriverGetVersion");
  if (version == nullptr || version(&facts.driver_version) != 0) {
    facts.driver_problem = "it does not tell its version";
  }
  find_gpus(driver, facts);
}

std::optional<CuptiFact> open_cupti(const std::string& path) {
  void* const library = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) {
    return std::nullopt;
  }
  const auto version = symbol<int (*)(std::uint32_t*)>(library, "cuptiGetVersion");
  if (version == nullptr) {
    return std::nullopt;
  }
  CuptiFact fact{path, 0};
  if (version(&fact.api_version) != 0) {
    fact.api_version = 0;
  }
  Dl_info place{};
  if (dladdr(reinterpret_cast<void*>(version), &place) != 0 && place.dli_fname != nullptr) {
    fact.path = place.dli_fname;
  }
  return fact;
}

/// In the agent's order: what the target brings, then the loader's, then the toolkit's.
std::vector<std::string> cupti_candidates(const SetupFacts& facts) {
  std::vector<std::string> candidates;
  const std::string given = environment_variable("OPCENSUS_CUPTI");
  if (!given.empty()) {
    return {given};
  }
  if (facts.torch) {
    candidates = facts.torch->cupti;
  }
  for (const char* folder : {"", "/usr/local/cuda/extras/CUPTI/lib64/", "/usr/local/cuda/lib64/"}) {
    for (const char* name : {"libcupti.so.13", "libcupti.so.12", "libcupti.so.11.8"}) {
      candidates.push_back(std::string(folder) + name);
    }
  }
  return candidates;
}

void find_cupti(SetupFacts& facts) {
  for (const std::string& candidate : cupti_candidates(facts)) {
    facts.cupti = open_cupti(candidate);
    if (facts.cupti) {
      return;
    }
  }
}

void find_torch_facts(const std::string& python, SetupFacts& facts) {
  const std::string path = environment_variable("PATH");
  const auto found = python.empty() ? python_of_command({}, path) : find_program(python, path);
  if (!found) {
    facts.torch_problem = python.empty() ? "there is no python3" : python + " is not there";
    return;
  }
  facts.python = *found;
  auto torch = find_torch(*found);
  if (torch) {
    facts.torch = std::move(torch).value();
  } else {
    facts.torch_problem = torch.error().message;
  }
}

void find_shim(SetupFacts& facts) {
  facts.compiler = find_compiler(environment_variable("CXX"), environment_variable("PATH"));
  const auto sources = find_shim_sources();
  if (!sources) {
    facts.shim_problem = sources.error().message;
    return;
  }
  if (!facts.torch) {
    return;
  }
  const auto plan = plan_shim(*facts.torch, *sources);
  if (!plan) {
    facts.shim_problem = plan.error().message;
  } else if (is_built(*plan)) {
    facts.shim = plan->library;
  }
}

}  // namespace

SetupFacts find_setup_facts(const std::string& python) {
  SetupFacts facts;
  facts.other_injection = environment_variable("CUDA_INJECTION64_PATH");
  unsetenv("CUDA_INJECTION64_PATH");  // NOLINT(concurrency-mt-unsafe): cuInit would load that tool
  find_torch_facts(python, facts);
  find_shim(facts);
  auto agent = find_agent();
  if (agent) {
    facts.agent = *agent;
  } else {
    facts.agent_problem = agent.error().message;
  }
  const std::string nvtx_tool = environment_variable("NVTX_INJECTION64_PATH");
  facts.other_nvtx_tool = nvtx_tool == facts.agent ? "" : nvtx_tool;
  find_driver(facts);
  find_cupti(facts);
  return facts;
}

}  // namespace opcensus

// SPDX-License-Identifier: Apache-2.0
//
// A process that the agent is injected into, and the fake driver that injects it.
#pragma once

#include <cstdint>
#include <cstdio>
#include <cstdlib>

#include <dlfcn.h>

#include "agent/agent_api.h"
#include "agent/cupti_abi.h"
#include "tests/agent/fake_cupti.h"

namespace opcensus::testing {

namespace cupti = opcensus::agent::cupti;

constexpr std::uint32_t kLaunchKernel = 211;
constexpr std::uint32_t kGraphLaunch = 311;
constexpr std::uint32_t kBeginCapture = 315;
constexpr std::uint32_t kEndCapture = 319;

template <class Function>
Function find(void* library, const char* name) {
  auto* found = dlsym(library, name);
  if (found == nullptr) {
    std::fprintf(stderr, "missing %s\n", name);
    std::exit(3);
  }
  return reinterpret_cast<Function>(found);
}

/// The fake driver, and the host's side of the agent.
struct Host {
  explicit Host(const char* agent_path) {
    void* library = dlopen(std::getenv("OPCENSUS_CUPTI"), RTLD_NOW | RTLD_GLOBAL);
    resource = find<decltype(&fake_cupti_resource)>(library, "fake_cupti_resource");
    api_call = find<decltype(&fake_cupti_api)>(library, "fake_cupti_api");
    launch = find<decltype(&fake_cupti_launch)>(library, "fake_cupti_launch");
    kernel = find<decltype(&fake_cupti_kernel)>(library, "fake_cupti_kernel");
    drop = find<decltype(&fake_cupti_drop)>(library, "fake_cupti_drop");
    attribute = find<decltype(&fake_cupti_attribute)>(library, "fake_cupti_attribute");
    refuse = find<decltype(&fake_cupti_refuse)>(library, "fake_cupti_refuse");
    agent = dlopen(agent_path, RTLD_NOW | RTLD_LOCAL);  // privately, as the driver does
  }

  void inject() {
    find<int (*)()>(agent, "InitializeInjection")();
    api = find<const OpcensusAgentApi* (*)()>(agent, "opcensus_agent_api")();
  }

  void op(const char* name, const char* shapes) const {
    api->push(api->this_thread(),
              api->intern_operator(name, shapes, "[\"float\"]", nullptr, nullptr, 0));
  }

  void end_op() const { api->pop(api->this_thread()); }

  void eager(const char* name,
             const char* shapes,
             const char* kernel_name,
             std::uint32_t correlation) const {
    op(name, shapes);
    api_call(cupti::kRuntimeApi, kLaunchKernel, true, correlation, 0);
    end_op();
    kernel(kernel_name, 1000000 + correlation * 10000ULL, 0, correlation, 4);
  }

  /// A graph of two nodes, mm and add with the given shapes, captured and instantiated.
  void capture(std::uint64_t graph,
               std::uint64_t exec,
               const char* shapes,
               std::uint32_t correlation) const {
    api_call(cupti::kRuntimeApi, kBeginCapture, false, correlation, 0);
    for (std::uint32_t node = 0; node < 2; ++node) {
      op(node == 0 ? "aten::mm" : "aten::add", shapes);
      launch(true, correlation + 2 + node, node == 0 ? "gemm" : "elementwise");
      resource(cupti::kGraphNodeCreated, graph, 0, (graph << 32U) | node, 0, 0);
      launch(false, correlation + 2 + node, node == 0 ? "gemm" : "elementwise");
      end_op();
    }
    api_call(cupti::kRuntimeApi, kEndCapture, false, correlation + 1, 0);
    for (std::uint64_t node = 0; node < 2; ++node) {
      resource(cupti::kGraphNodeCreated, exec, 0, (exec << 32U) | node, 0, 0);
      resource(
          cupti::kGraphNodeCloned, exec, graph, (exec << 32U) | node, (graph << 32U) | node, 0);
    }
    resource(cupti::kGraphExecCreated, graph, 0, 0, 0, exec);
    resource(cupti::kGraphDestroyStarting,
             graph,
             0,
             0,
             0,
             0);  // torch destroys the template before the first replay
  }

  void replay(std::uint64_t exec, std::uint32_t correlation) const {
    api_call(cupti::kRuntimeApi, kGraphLaunch, true, correlation, exec);
    for (std::uint64_t node = 0; node < 2; ++node) {
      kernel(node == 0 ? "gemm" : "elementwise",
             2000000 + correlation * 10000ULL + node * 2000,
             (exec << 32U) | node,
             correlation,
             8);
    }
  }

  void* agent = nullptr;
  const OpcensusAgentApi* api = nullptr;
  decltype(&fake_cupti_resource) resource = nullptr;
  decltype(&fake_cupti_api) api_call = nullptr;
  decltype(&fake_cupti_launch) launch = nullptr;
  decltype(&fake_cupti_kernel) kernel = nullptr;
  decltype(&fake_cupti_drop) drop = nullptr;
  decltype(&fake_cupti_attribute) attribute = nullptr;
  decltype(&fake_cupti_refuse) refuse = nullptr;
};

}  // namespace opcensus::testing

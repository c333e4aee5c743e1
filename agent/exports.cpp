/* SPDX-License-Identifier: Apache-2.0
 *
 * The exported symbols (exports.map): what the driver, the torch shim and annotated engines call.
 */
#include <cstdlib>
#include <new>

#include <dlfcn.h>
#include <pthread.h>

#include "agent/agent.h"
#include "agent/agent_api.h"

namespace opcensus::agent {
namespace {

/* The one owned object. Leaked on purpose: threads of the host may be in a callback at exit. */
Agent* g_agent = nullptr; /* NOLINT(cppcoreguidelines-avoid-non-const-global-variables) */

/* The driver loads the agent privately; the shim and annotated engines find it with dlsym. */
void make_visible() {
  Dl_info info{};
  if (dladdr(reinterpret_cast<void*>(&make_visible), &info) != 0 && info.dli_fname != nullptr) {
    dlopen(info.dli_fname, RTLD_NOW | RTLD_NOLOAD | RTLD_GLOBAL);
  }
}

void start_once() {
  make_visible();
  auto* agent = new (std::nothrow) Agent(read_settings());
  if (agent == nullptr) {
    return;
  }
  g_agent = agent; /* before start: the torch shim asks for it */
  if (!agent->start()) {
    return; /* off, and it stays: helpers may hold a pointer */
  }
  std::atexit([] { g_agent->finish(); });
  pthread_atfork(nullptr, nullptr, [] { g_agent->abandon(); });
}

std::uint32_t api_intern(const char* name,
                         const char* shapes,
                         const char* dtypes,
                         const char* strides,
                         const char* concrete,
                         std::uint32_t kind) {
  return g_agent->intern(name, shapes, dtypes, strides, concrete, kind);
}

void api_push(std::uint32_t op) {
  g_agent->push(op);
}

void api_pop() {
  g_agent->pop();
}

void api_set_property(const char* name, const char* value) {
  g_agent->set_property(name, value);
}

void api_set_listener(void (*wanted)(int)) {
  g_agent->set_listener(wanted);
}

constexpr OpcensusAgentApi kApi{OPCENSUS_AGENT_API_VERSION,
                                sizeof(OpcensusAgentApi),
                                api_intern,
                                api_push,
                                api_pop,
                                api_set_property,
                                api_set_listener};

}  // namespace

Agent* the_agent() noexcept {
  return g_agent;
}

}  // namespace opcensus::agent

extern "C" {

/* Called by the CUDA driver in cuInit (CUDA_INJECTION64_PATH). */
__attribute__((visibility("default"))) int InitializeInjection() {
  static const bool once = [] {
    try {
      opcensus::agent::start_once();
    } catch (...) {
    }
    return true;
  }();
  return once ? 1 : 0;
}

__attribute__((visibility("default"))) const OpcensusAgentApi* opcensus_agent_api(void) {
  return opcensus::agent::the_agent() == nullptr ? nullptr : &opcensus::agent::kApi;
}

__attribute__((visibility("default"))) void opcensus_annotate_begin(const char* name,
                                                                    const char* shapes,
                                                                    const char* dtypes) {
  if (opcensus::agent::Agent* agent = opcensus::agent::the_agent()) {
    agent->push(agent->intern(name, shapes, dtypes, nullptr, nullptr, 0));
  }
}

__attribute__((visibility("default"))) void opcensus_annotate_end(void) {
  if (opcensus::agent::Agent* agent = opcensus::agent::the_agent()) {
    agent->pop();
  }
}
}

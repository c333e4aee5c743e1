/* SPDX-License-Identifier: Apache-2.0
 *
 * The exported symbols (exports.map): what the driver, the torch shim and annotated engines call.
 */
#include <atomic>
#include <cstdlib>
#include <new>

#include <dlfcn.h>
#include <pthread.h>

#include "agent/agent.h"
#include "agent/agent_api.h"
#include "agent/nvtx.h"

namespace opcensus::agent {
namespace {

/* The one owned object. Leaked on purpose: threads of the host may be in a callback at exit. */
/* NOLINTNEXTLINE(cppcoreguidelines-avoid-non-const-global-variables) */
std::atomic<Agent*> g_agent{nullptr};

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
  std::atexit([] { the_agent()->finish(); });
  pthread_atfork(nullptr, nullptr, [] { the_agent()->abandon(); });
}

std::uint32_t api_intern(const char* name,
                         const char* shapes,
                         const char* dtypes,
                         const char* strides,
                         const char* concrete,
                         std::uint32_t kind) {
  return the_agent()->intern(name, shapes, dtypes, strides, concrete, kind);
}

/* An annotation is no operator, and 0 is none at all. */
void note_if_operator(Agent& agent, std::uint32_t op, OperatorSource source) {
  if (op != 0 && (op & kAnnotationBit) == 0) {
    agent.note_source(source);
  }
}

void* api_this_thread() {
  return the_agent()->thread();
}

void api_push(void* thread, std::uint32_t op) {
  if (thread != nullptr) {
    note_if_operator(*the_agent(), op, OperatorSource::Torch);
    static_cast<ThreadState*>(thread)->push(op);
  }
}

void api_pop(void* thread) {
  if (thread != nullptr) {
    the_agent()->pop(*static_cast<ThreadState*>(thread));
  }
}

void api_set_property(const char* name, const char* value) {
  the_agent()->set_property(name, value);
}

void api_set_listener(void (*wanted)(int)) {
  the_agent()->set_listener(wanted);
}

constexpr OpcensusAgentApi kApi{OPCENSUS_AGENT_API_VERSION,
                                sizeof(OpcensusAgentApi),
                                api_intern,
                                api_this_thread,
                                api_push,
                                api_pop,
                                api_set_property,
                                api_set_listener};

}  // namespace

Agent* the_agent() noexcept {
  return g_agent.load(std::memory_order_acquire);
}

}  // namespace opcensus::agent

extern "C" {

/* Called by the CUDA driver in cuInit (CUDA_INJECTION64_PATH). */
/* NOLINTNEXTLINE(readability-identifier-naming): NVIDIA's name */
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

/* Called by each NVTX in the process at its first use (NVTX_INJECTION64_PATH), perhaps before the
 * driver, which alone starts the agent: CUPTI is not ready before. 0 = leave us out. */
/* NOLINTNEXTLINE(readability-identifier-naming): NVIDIA's name */
__attribute__((visibility("default"))) int InitializeInjectionNvtx2(
    opcensus::agent::nvtx::GetExportTable get_export_table) {
  return opcensus::agent::attach_nvtx(get_export_table) ? 1 : 0;
}

__attribute__((visibility("default"))) const OpcensusAgentApi* opcensus_agent_api(void) {
  return opcensus::agent::the_agent() == nullptr ? nullptr : &opcensus::agent::kApi;
}

__attribute__((visibility("default"))) void opcensus_annotate_begin(const char* name,
                                                                    const char* shapes,
                                                                    const char* dtypes) {
  if (opcensus::agent::Agent* agent = opcensus::agent::the_agent()) {
    const std::uint32_t op = agent->intern(name, shapes, dtypes, nullptr, nullptr, 0);
    opcensus::agent::note_if_operator(*agent, op, opcensus::agent::OperatorSource::Annotations);
    if (opcensus::agent::ThreadState* thread = agent->thread()) {
      thread->push(op);
    }
  }
}

__attribute__((visibility("default"))) void opcensus_annotate_end(void) {
  if (opcensus::agent::Agent* agent = opcensus::agent::the_agent()) {
    if (opcensus::agent::ThreadState* thread = agent->thread()) {
      agent->pop(*thread);
    }
  }
}
}

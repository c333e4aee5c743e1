// SPDX-License-Identifier: Apache-2.0
//
// libopcensus_torch.so: tells the agent which PyTorch operator runs on which thread, with the
// shapes, dtypes, strides and scalar arguments of its inputs. Built against the torch that the
// target uses
// (`opcensus record` does it), loaded by the agent.
//
// Owns one global RecordFunction callback, off until the agent wants operators. Guarantees: nothing
// is thrown into torch; every push has its pop on the same thread; an operator seen before costs no
// text. Needs torch 1.13 or newer and -DNDEBUG, as every release of torch is built.
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <mutex>

#include <ATen/record_function.h>
#include <dlfcn.h>
#include <torch/version.h>

#include "agent/agent_api.h"
#include "torch/input_key.h"
#include "torch/input_text.h"
#include "torch/layout_check.h"
#include "torch/operator_cache.h"
#include "torch/profiler_watch.h"
#include "torch/thread_stack.h"

// `opcensus record` passes the full version, local part included ("2.11.0+cu130").
#ifndef OPCENSUS_TORCH_VERSION
#define OPCENSUS_TORCH_VERSION TORCH_VERSION
#endif

namespace opcensus::torch_shim {
namespace {

constexpr std::uint32_t kOperator = 0;
constexpr std::uint32_t kAnnotation = 1;

struct ThreadState {
  explicit ThreadState(const OpcensusAgentApi& of_agent)
      : api(of_agent), stack(*new ThreadStack(of_agent)) {}

  const OpcensusAgentApi& api;
  ThreadStack& stack;  // never freed: a scope may end elsewhere, or later than its thread
  OperatorCache cache;
  InputKey key;
  ProfilerWatch profiler;
};

struct Scope : at::ObserverContext {
  explicit Scope(ThreadStack& on) : stack(on) {}

  ThreadStack& stack;
  std::uint64_t number = 0;
};

/// Written once by opcensus_torch_init, before the callback is registered. Never freed: operators
/// may still run while the process exits.
struct Observer {
  const OpcensusAgentApi* api = nullptr;
  at::CallbackHandle callback = at::INVALID_CALLBACK_HANDLE;
  std::mutex mutex;  // of is_on: requests may come from several threads
  bool is_on = false;
};

Observer& observer() {
  // NOLINTNEXTLINE(cppcoreguidelines-avoid-non-const-global-variables): leaked on purpose
  static auto* const self = new Observer;
  return *self;
}

/// What finds this thread's state: one look at thread-local memory an operator.
struct ThreadSlot {
  ThreadState* state = nullptr;
  bool is_gone = false;
};

thread_local ThreadSlot t_slot;  // NOLINT(cppcoreguidelines-avoid-non-const-global-variables)

ThreadState* make_thread_state() {
  struct Owner {
    explicit Owner(const OpcensusAgentApi& api) : state(api) { t_slot.state = &state; }

    Owner(const Owner&) = delete;
    Owner& operator=(const Owner&) = delete;

    ~Owner() { t_slot = {nullptr, true}; }

    ThreadState state;
  };

  const OpcensusAgentApi* const api = observer().api;
  if (t_slot.is_gone || api == nullptr) {
    return nullptr;
  }
  thread_local const Owner owner(*api);
  return t_slot.state;
}

/// Null once this thread's state is destroyed: destructors of other thread-locals may run
/// operators.
ThreadState* thread_state() {
  ThreadState* const known = t_slot.state;
  return known != nullptr ? known : make_thread_state();
}

std::uint32_t intern(const OpcensusAgentApi& api,
                     const at::RecordFunction& function,
                     bool is_annotation) {
  if (is_annotation || function.inputs().empty()) {
    return api.intern_operator(function.name(),
                               nullptr,
                               nullptr,
                               nullptr,
                               nullptr,
                               is_annotation ? kAnnotation : kOperator);
  }
  const InputTexts texts = render_inputs(function.inputs());
  return api.intern_operator(function.name(),
                             texts.shapes.c_str(),
                             texts.dtypes.c_str(),
                             texts.strides.c_str(),
                             texts.concrete.c_str(),
                             kOperator);
}

/// 0 if anything goes wrong: the operator is then unknown, but its place on the stack is kept.
std::uint32_t operator_id(const at::RecordFunction& function, ThreadState& thread) noexcept {
  try {
    const bool is_annotation = function.scope() == at::RecordScope::USER_SCOPE;
    thread.key.start(function.name(), is_annotation);
    if (!is_annotation) {
      for (const c10::IValue& input : function.inputs()) {
        thread.key.add(input);
      }
    }
    std::uint32_t op = thread.cache.find(thread.key);
    if (op == 0) {
      op = intern(thread.api, function, is_annotation);
      if (op != 0) {  // 0 = the agent is off, perhaps not for ever
        thread.cache.insert(thread.key, op);
      }
    }
    return op;
  } catch (...) {
    return 0;
  }
}

std::unique_ptr<at::ObserverContext> on_start(const at::RecordFunction& function) {
  try {
    ThreadState* const thread = thread_state();
    if (thread == nullptr) {
      return nullptr;
    }
    thread->profiler.look();
    auto scope = std::make_unique<Scope>(thread->stack);  // first: after the push nothing throws
    scope->number = thread->stack.push(operator_id(function, *thread));
    return scope;
  } catch (...) {
    return nullptr;  // out of memory: this call is not seen, the others are
  }
}

void on_end(const at::RecordFunction& /*function*/, at::ObserverContext* context) {
  try {
    auto* const scope = static_cast<Scope*>(context);
    if (scope == nullptr) {
      return;
    }
    const ThreadState* const thread = thread_state();
    if (thread != nullptr && &thread->stack == &scope->stack) {
      scope->stack.end(scope->number);
    } else {
      scope->stack.end_elsewhere(scope->number);
    }
  } catch (...) {  // out of memory in end_elsewhere: one stale scope on one thread
  }
}

void on_wanted(int on) {
  try {
    Observer& self = observer();
    const std::lock_guard<std::mutex> lock(self.mutex);
    if (self.is_on == (on != 0)) {
      return;
    }
    self.is_on = on != 0;
    if (self.is_on) {
      at::reenableCallback(self.callback);
    } else {
      at::disableCallback(self.callback);
    }
  } catch (...) {  // stays as it was
  }
}

using ApiFunction = const OpcensusAgentApi* (*)();

/// The agent may have been loaded without RTLD_GLOBAL: then its path tells.
ApiFunction find_api_function() {
  constexpr const char* kName = "opcensus_agent_api";
  void* found = dlsym(RTLD_DEFAULT, kName);
  const char* const path = std::getenv("CUDA_INJECTION64_PATH");  // NOLINT(concurrency-mt-unsafe)
  if (found == nullptr && path != nullptr) {
    void* const agent = dlopen(path, RTLD_LAZY | RTLD_NOLOAD);
    found = agent == nullptr ? nullptr : dlsym(agent, kName);
  }
  return reinterpret_cast<ApiFunction>(found);
}

const OpcensusAgentApi* find_api() {
  const ApiFunction function = find_api_function();
  const OpcensusAgentApi* const api = function == nullptr ? nullptr : function();
  const bool is_ours = api != nullptr && api->version == OPCENSUS_AGENT_API_VERSION &&
                       api->bytes >= sizeof(OpcensusAgentApi);
  return is_ours ? api : nullptr;
}

int refuse(const char* reason) {
  std::fprintf(stderr, "opcensus: no operators from PyTorch: %s\n", reason);
  return 1;
}

void start_observing(const OpcensusAgentApi& api) {
  Observer& self = observer();
  self.api = &api;
  self.callback = at::addGlobalCallback(at::RecordFunctionCallback(&on_start, &on_end)
                                            .needsInputs(true)
                                            .scopes({at::RecordScope::FUNCTION,
                                                     at::RecordScope::BACKWARD_FUNCTION,
                                                     at::RecordScope::TORCHSCRIPT_FUNCTION,
                                                     at::RecordScope::USER_SCOPE}));
  at::disableCallback(self.callback);
  api.set_property("torch_version", OPCENSUS_TORCH_VERSION);
  api.set_listener(&on_wanted);
}

int init() {
  if (observer().api != nullptr) {
    return 0;
  }
  const OpcensusAgentApi* const api = find_api();
  if (api == nullptr) {
    return refuse("the agent is not there, or is of another version");
  }
  if (!layout_is_right()) {
    return refuse("this torch differs from the one that the shim was built for");
  }
  start_observing(*api);
  return 0;
}

}  // namespace
}  // namespace opcensus::torch_shim

/// 0 = on. Called once by the agent, after torch is in the process.
extern "C" __attribute__((visibility("default"))) int opcensus_torch_init(void) {
  try {
    return opcensus::torch_shim::init();
  } catch (...) {
    return opcensus::torch_shim::refuse("torch refused the observer");
  }
}

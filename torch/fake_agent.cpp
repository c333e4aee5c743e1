// SPDX-License-Identifier: Apache-2.0
#include "torch/fake_agent.h"

namespace opcensus::torch_shim {
namespace {

std::string text_of(const char* text) {
  return text == nullptr ? "(null)" : text;
}

std::uint32_t intern_operator(const char* name,
                              const char* shapes,
                              const char* dtypes,
                              const char* strides,
                              const char* concrete,
                              std::uint32_t kind) {
  return fake_agent().intern(
      {text_of(name), text_of(shapes), text_of(dtypes), text_of(strides), text_of(concrete), kind});
}

void* this_thread() {
  return fake_agent().stack_of_this_thread();
}

void push(void* thread, std::uint32_t op) {
  fake_agent().push(thread, op);
}

void pop(void* thread) {
  fake_agent().pop(thread);
}

void set_property(const char* name, const char* value) {
  fake_agent().properties[name] = value;
}

void set_listener(void (*wanted)(int)) {
  fake_agent().listener = wanted;
}

}  // namespace

FakeAgent& fake_agent() {
  // NOLINTNEXTLINE(cppcoreguidelines-avoid-non-const-global-variables): leaked on purpose
  static auto* const agent = new FakeAgent;
  return *agent;
}

}  // namespace opcensus::torch_shim

/// The shim finds it with dlsym: the test program exports its symbols.
extern "C" __attribute__((visibility("default"))) const OpcensusAgentApi* opcensus_agent_api() {
  namespace shim = opcensus::torch_shim;
  static const OpcensusAgentApi api{OPCENSUS_AGENT_API_VERSION,
                                    sizeof(OpcensusAgentApi),
                                    &shim::intern_operator,
                                    &shim::this_thread,
                                    &shim::push,
                                    &shim::pop,
                                    &shim::set_property,
                                    &shim::set_listener};
  return &api;
}

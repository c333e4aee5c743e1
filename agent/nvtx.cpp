/* SPDX-License-Identifier: Apache-2.0 */
#include "agent/nvtx.h"

#include <string_view>

#include "agent/agent.h"
#include "agent/frame_stack.h"
#include "agent/nvtx_names.h"
#include "agent/nvtx_text.h"
#include "agent/thread_state.h"

namespace opcensus::agent {
namespace {

/* Ranges without a domain need one of their own: null is that of the torch shim's operators. */
constexpr char kGlobalDomain = 0;

const void* domain_of(nvtx::Domain domain) noexcept {
  return domain == nullptr ? &kGlobalDomain : domain;
}

/* This thread's ranges while there is no agent, or until it sees the thread. */
FrameStack<NameId>& waiting_ranges() noexcept {
  thread_local FrameStack<NameId> ranges;
  return ranges;
}

NameId name_of(std::string_view text) noexcept {
  try {
    RangeNames* names = RangeNames::get();
    return names == nullptr ? 0 : names->id_of(text);
  } catch (...) {
    return 0; /* out of memory: a range without a name */
  }
}

NameId name_of(const char* text) noexcept {
  return name_of(host_text(text));
}

NameId name_of(const wchar_t* text) noexcept {
  try {
    return name_of(std::string_view(host_text(text)));
  } catch (...) {
    return 0;
  }
}

NameId name_of(nvtx::RegisteredString string) noexcept {
  const RangeNames* names = RangeNames::get();
  return names == nullptr ? 0 : names->checked(reinterpret_cast<std::uintptr_t>(string));
}

NameId name_of(const nvtx::EventAttributes* attributes) noexcept {
  if (attributes == nullptr || attributes->size < sizeof(*attributes)) {
    return 0;
  }
  switch (attributes->message_type) {
    case nvtx::kMessageAscii:
      return name_of(attributes->message.ascii);
    case nvtx::kMessageUnicode:
      return name_of(attributes->message.unicode);
    case nvtx::kMessageRegistered:
      return name_of(attributes->message.registered);
    default:
      return 0;
  }
}

/* Domains and registered strings are known to the host by the number of their text: the same text
 * is the same one in all of the process, and there is nothing to free. Never null, which would be
 * the global domain; XLA has no ranges at all then. */
void* handle_of(NameId id) noexcept {
  const std::uintptr_t number = id == 0 ? RangeNames::kMore : id;
  return reinterpret_cast<void*>(number); /* NOLINT(performance-no-int-to-ptr): never followed */
}

std::uint32_t operator_of(NameId name, Agent& agent) noexcept {
  try {
    RangeNames* names = RangeNames::get();
    const std::uint32_t op = names == nullptr ? 0 : names->operator_of(name, agent);
    if (op != 0 && (op & kAnnotationBit) == 0) {
      agent.note_source(OperatorSource::Nvtx);
    }
    return op;
  } catch (...) {
    return 0;
  }
}

/* An agent that is off takes no names, so that a forked child does no work. */
bool takes_names() noexcept {
  const Agent* agent = the_agent();
  return agent == nullptr || agent->is_on();
}

struct Place {
  Agent* agent;
  ThreadState* thread; /* null = the ranges of this thread wait */
};

Place place_of_this_thread() noexcept {
  Agent* const agent = the_agent();
  return {agent, agent == nullptr ? nullptr : agent->thread()};
}

/* Both return the level of the range in its domain, from 0; negative: not known. */
template <class Message>
int push(nvtx::Domain handle, Message message) noexcept {
  const void* domain = domain_of(handle);
  const NameId name = takes_names() ? name_of(message) : 0;
  if (const Place place = place_of_this_thread(); place.thread != nullptr) {
    const int level = place.thread->level(domain);
    place.thread->push(operator_of(name, *place.agent), domain);
    return level < 0 ? nvtx::kNoPushPopTracking : level;
  }
  FrameStack<NameId>& waiting = waiting_ranges();
  const int level = waiting.is_full() ? nvtx::kNoPushPopTracking : waiting.count(domain);
  waiting.push(name, domain);
  return level;
}

int pop(nvtx::Domain handle) noexcept {
  const void* domain = domain_of(handle);
  if (const Place place = place_of_this_thread(); place.thread != nullptr) {
    const int level = place.thread->level(domain);
    place.agent->pop(*place.thread, domain);
    return level > 0 ? level - 1 : nvtx::kError;
  }
  NameId ended = 0;
  FrameStack<NameId>& waiting = waiting_ranges();
  return waiting.pop(domain, ended) ? waiting.count(domain) : nvtx::kError;
}

int range_push_ex(const nvtx::EventAttributes* attributes) noexcept {
  return push(nullptr, attributes);
}

int range_push_a(const char* message) noexcept {
  return push(nullptr, message);
}

int range_push_w(const wchar_t* message) noexcept {
  return push(nullptr, message);
}

int range_pop() noexcept {
  return pop(nullptr);
}

int domain_range_push_ex(nvtx::Domain domain, const nvtx::EventAttributes* attributes) noexcept {
  return push(domain, attributes);
}

int domain_range_pop(nvtx::Domain domain) noexcept {
  return pop(domain);
}

nvtx::RegisteredString domain_register_string_a(nvtx::Domain /*domain*/,
                                                const char* text) noexcept {
  return handle_of(takes_names() ? name_of(text) : 0);
}

nvtx::RegisteredString domain_register_string_w(nvtx::Domain /*domain*/,
                                                const wchar_t* text) noexcept {
  return handle_of(takes_names() ? name_of(text) : 0);
}

nvtx::Domain domain_create_a(const char* name) noexcept {
  return handle_of(takes_names() ? name_of(name) : 0);
}

nvtx::Domain domain_create_w(const wchar_t* name) noexcept {
  return handle_of(takes_names() ? name_of(name) : 0);
}

/* The functions of one module of one NVTX. */
class Module {
 public:
  Module(const nvtx::CallbackTable& callbacks, int id) noexcept
      : is_known_(callbacks.get_module_functions(id, &slots_, &size_) == 1 && slots_ != nullptr) {}

  [[nodiscard]] bool is_known() const noexcept { return is_known_; }

  /* `function` has the type of the slot; a slot that this NVTX does not have is passed over. */
  template <class Type>
  void set(std::uint32_t slot, Type* function) const noexcept {
    if (slot < size_ && slots_[slot] != nullptr) {
      *slots_[slot] = reinterpret_cast<nvtx::Function>(function);
    }
  }

 private:
  nvtx::Function** slots_ = nullptr;
  unsigned int size_ = 0;
  bool is_known_;
};

void take_core(const Module& core) noexcept {
  core.set<nvtx::RangePushEx>(nvtx::kRangePushEx, range_push_ex);
  core.set<nvtx::RangePushA>(nvtx::kRangePushA, range_push_a);
  core.set<nvtx::RangePushW>(nvtx::kRangePushW, range_push_w);
  core.set<nvtx::RangePop>(nvtx::kRangePop, range_pop);
}

void take_domains(const Module& core2) noexcept {
  core2.set<nvtx::DomainRangePushEx>(nvtx::kDomainRangePushEx, domain_range_push_ex);
  core2.set<nvtx::DomainRangePop>(nvtx::kDomainRangePop, domain_range_pop);
  core2.set<nvtx::DomainRegisterStringA>(nvtx::kDomainRegisterStringA, domain_register_string_a);
  core2.set<nvtx::DomainRegisterStringW>(nvtx::kDomainRegisterStringW, domain_register_string_w);
  core2.set<nvtx::DomainCreateA>(nvtx::kDomainCreateA, domain_create_a);
  core2.set<nvtx::DomainCreateW>(nvtx::kDomainCreateW, domain_create_w);
}

void tell_version(nvtx::GetExportTable get_export_table) noexcept {
  const auto* table =
      static_cast<const nvtx::VersionTable*>(get_export_table(nvtx::kTableOfVersion));
  if (table != nullptr && table->struct_size >= sizeof(*table) &&
      table->set_injection_version != nullptr) {
    table->set_injection_version(nvtx::kVersion);
  }
}

}  // namespace

bool attach_nvtx(nvtx::GetExportTable get_export_table) noexcept {
  if (get_export_table == nullptr) {
    return false;
  }
  const auto* callbacks =
      static_cast<const nvtx::CallbackTable*>(get_export_table(nvtx::kTableOfCallbacks));
  if (callbacks == nullptr || callbacks->struct_size < sizeof(*callbacks) ||
      callbacks->get_module_functions == nullptr) {
    return false;
  }
  const Module core(*callbacks, nvtx::kCore);
  if (!core.is_known()) {
    return false;
  }
  tell_version(get_export_table);
  take_core(core);
  const Module core2(*callbacks, nvtx::kCore2);
  if (core2.is_known()) { /* NVTX 1 has no domains */
    take_domains(core2);
  }
  return true;
}

void hand_over_ranges(Agent& agent, ThreadState& thread) noexcept {
  FrameStack<NameId>& waiting = waiting_ranges();
  for (const auto& range : waiting.open()) {
    thread.push(operator_of(range.value, agent), range.domain);
  }
  waiting.clear();
}

}  // namespace opcensus::agent

// SPDX-License-Identifier: Apache-2.0
//
// One NVTX as a library of the host has it: its tables of functions, attached the way NVTX's own
// header does it. `Instance` tells several in one process apart.
#pragma once

#include <array>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "agent/nvtx_abi.h"

namespace opcensus::testing {

namespace nvtx = opcensus::agent::nvtx;

template <int Instance>
class FakeNvtx {
 public:
  /// What NVTX does at its first call. `init`: the tool's InitializeInjectionNvtx2.
  static int attach(int (*init)(nvtx::GetExportTable)) {
    for (std::size_t i = 0; i < kSlots; ++i) {
      core_[i] = core2_[i] = &not_taken;
      core_table_[i] = i == 0 ? nullptr : &core_[i];
      core2_table_[i] = i == 0 ? nullptr : &core2_[i];
    }
    const int result = init(&export_table);
    for (auto* table : {&core_, &core2_}) {
      for (nvtx::Function& slot : *table) {
        slot = result == 0 || slot == &not_taken ? nullptr : slot;
      }
    }
    return result;
  }

  /// The functions as a program calls them: those that the tool did not take do nothing.
  static int push(const char* text) { return call<nvtx::RangePushA>(core_[9], text); }

  static int push(const wchar_t* text) { return call<nvtx::RangePushW>(core_[10], text); }

  static int push(const nvtx::EventAttributes* attributes) {
    return call<nvtx::RangePushEx>(core_[8], attributes);
  }

  static int pop() { return call<nvtx::RangePop>(core_[11]); }

  static int push(nvtx::Domain domain, const nvtx::EventAttributes* attributes) {
    return call<nvtx::DomainRangePushEx>(core2_[4], domain, attributes);
  }

  static int push(nvtx::Domain domain, const char* text) {
    nvtx::EventAttributes attributes = named(nvtx::kMessageAscii);
    attributes.message.ascii = text;
    return push(domain, &attributes);
  }

  static int pop(nvtx::Domain domain) { return call<nvtx::DomainRangePop>(core2_[5], domain); }

  static nvtx::RegisteredString string(nvtx::Domain domain, const char* text) {
    return call<nvtx::DomainRegisterStringA>(core2_[10], domain, text);
  }

  static nvtx::RegisteredString string(nvtx::Domain domain, const wchar_t* text) {
    return call<nvtx::DomainRegisterStringW>(core2_[11], domain, text);
  }

  static nvtx::Domain domain(const char* name) {
    return call<nvtx::DomainCreateA>(core2_[12], name);
  }

  static nvtx::Domain domain(const wchar_t* name) {
    return call<nvtx::DomainCreateW>(core2_[13], name);
  }

  /// nvtxRangeStartA, which is not for us.
  static bool takes_start_and_end() { return core_[5] != nullptr || core_[7] != nullptr; }

  static nvtx::EventAttributes named(std::int32_t message_type) {
    nvtx::EventAttributes attributes{};
    attributes.version = 3;
    attributes.size = sizeof(attributes);
    attributes.message_type = message_type;
    return attributes;
  }

  static inline bool has_domains = true;
  static inline bool is_known = true;

 private:
  static constexpr std::size_t kSlots = 16;  // of both modules, with the empty one

  static void not_taken() {}

  template <class Type, class... Arguments>
  static auto call(nvtx::Function slot, Arguments... arguments) {
    using Result = decltype(static_cast<Type*>(nullptr)(arguments...));
    return slot == nullptr ? Result() : reinterpret_cast<Type*>(slot)(arguments...);
  }

  static int module_functions(int module, nvtx::Function*** table, unsigned int* size) {
    if (!is_known || (module != 1 && !(module == 5 && has_domains))) {
      return 0;
    }
    *table = module == 1 ? core_table_.data() : core2_table_.data();
    *size = kSlots;
    return 1;
  }

  static const void* export_table(std::uint32_t id) {
    static const nvtx::CallbackTable callbacks{sizeof(callbacks), &module_functions};
    return id == 1 ? &callbacks : nullptr;
  }

  static inline std::array<nvtx::Function, kSlots> core_{};
  static inline std::array<nvtx::Function, kSlots> core2_{};
  static inline std::array<nvtx::Function*, kSlots> core_table_{};
  static inline std::array<nvtx::Function*, kSlots> core2_table_{};
};

}  // namespace opcensus::testing

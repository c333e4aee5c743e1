/* SPDX-License-Identifier: Apache-2.0
 *
 * The part of NVTX's tool interface that the agent uses, declared here so that it builds without
 * NVTX headers. From nvtxDetail/nvtxTypes.h and nvToolsExt.h, and compared with those of the wheels
 * nvidia-nvtx-cu12 12.1.105 and 12.9.79. libnvToolsExt.so.1 of the former, which older engines
 * link, goes the same way.
 *
 * How it goes: at its first call, each library that uses NVTX loads the file that
 * NVTX_INJECTION64_PATH names and calls its InitializeInjectionNvtx2. Every one has its own table
 * of functions, so that this happens several times in a process. A slot that stays as it was
 * becomes a call that does nothing.
 */
#pragma once

#include <cstddef>
#include <cstdint>

namespace opcensus::agent::nvtx {

using Function = void (*)(); /* NvtxFunctionPointer: cast to its own type before use */

/* NvtxExportTableID */
constexpr std::uint32_t kTableOfCallbacks = 1;
constexpr std::uint32_t kTableOfVersion = 3;

/* NvtxGetExportTableFunc_t */
using GetExportTable = const void* (*)(std::uint32_t id);

struct CallbackTable { /* NvtxExportTableCallbacks */
  std::size_t struct_size;
  /* `table`: an array of pointers to slots, `size` of them; by id, the first is null. 1 = good. */
  int (*get_module_functions)(int module, Function*** table, unsigned int* size);
};

struct VersionTable { /* NvtxExportTableVersionInfo */
  std::size_t struct_size;
  std::uint32_t version; /* of the host's NVTX */
  std::uint32_t reserved;
  void (*set_injection_version)(std::uint32_t version);
};

constexpr std::uint32_t kVersion = 3; /* NVTX_VERSION */

/* NvtxCallbackModule */
constexpr int kCore = 1;
constexpr int kCore2 = 5;

/* NvtxCallbackIdCore */
constexpr std::uint32_t kRangePushEx = 8;
constexpr std::uint32_t kRangePushA = 9;
constexpr std::uint32_t kRangePushW = 10;
constexpr std::uint32_t kRangePop = 11;

/* NvtxCallbackIdCore2 */
constexpr std::uint32_t kDomainRangePushEx = 4;
constexpr std::uint32_t kDomainRangePop = 5;
constexpr std::uint32_t kDomainRegisterStringA = 10;
constexpr std::uint32_t kDomainRegisterStringW = 11;
constexpr std::uint32_t kDomainCreateA = 12;
constexpr std::uint32_t kDomainCreateW = 13;

/* nvtxMessageType_t */
constexpr std::int32_t kMessageAscii = 1;
constexpr std::int32_t kMessageUnicode = 2;
constexpr std::int32_t kMessageRegistered = 3;

/* nvtxDomainHandle_t and nvtxStringHandle_t: ours to choose; null = the global domain, no string.
 */
using Domain = void*;
using RegisteredString = void*;

union Message { /* nvtxMessageValue_t */
  const char* ascii;
  const wchar_t* unicode;
  RegisteredString registered;
};

struct EventAttributes { /* nvtxEventAttributes_v2; version 1 has the same layout */
  std::uint16_t version;
  std::uint16_t size;
  std::uint32_t category;
  std::int32_t color_type;
  std::uint32_t color;
  std::int32_t payload_type;
  std::int32_t reserved;
  std::uint64_t payload;
  std::int32_t message_type;
  Message message;
};

static_assert(offsetof(EventAttributes, payload) == 24);
static_assert(offsetof(EventAttributes, message_type) == 32);
static_assert(offsetof(EventAttributes, message) == 40 && sizeof(EventAttributes) == 48);

/* What push and pop return beside a level. */
constexpr int kError = -1;             /* "a negative value" */
constexpr int kNoPushPopTracking = -2; /* NVTX_NO_PUSH_POP_TRACKING */

using RangePushEx = int(const EventAttributes*);
using RangePushA = int(const char*);
using RangePushW = int(const wchar_t*);
using RangePop = int();
using DomainRangePushEx = int(Domain, const EventAttributes*);
using DomainRangePop = int(Domain);
using DomainRegisterStringA = RegisteredString(Domain, const char*);
using DomainRegisterStringW = RegisteredString(Domain, const wchar_t*);
using DomainCreateA = Domain(const char*);
using DomainCreateW = Domain(const wchar_t*);

}  // namespace opcensus::agent::nvtx

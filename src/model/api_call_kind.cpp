// SPDX-License-Identifier: Apache-2.0
#include "src/model/api_call_kind.h"

#include <algorithm>
#include <array>

namespace opcensus {
namespace {

enum class Match : std::uint8_t {
  Name,    ///< the whole name; a suffix after '_' (_v2, _ptsz, _spt, _v7000) may follow
  Prefix,  ///< any name that begins so
};

struct CallName {
  std::string_view name;  ///< without the vendor's prefix
  ApiCallKind kind;
  Match match;
};

// A vendor's runtime and driver differ from CUDA's in the prefix only; longest first, so that
// "cudaX" is not read as "cu" + "daX".
constexpr std::array<std::string_view, 14> kVendorPrefixes{
    "aclmdlRI",  // Ascend: captured graphs
    "aclrt",     // Ascend runtime
    "cuda",      // NVIDIA runtime; MetaX and Iluvatar where they keep CUDA's names
    "musa",      // Moore Threads runtime
    "cnrt",      // Cambricon runtime
    "hip",       // AMD
    "syn",       // Intel Gaudi (Habana) Synapse
    "cu",        // NVIDIA driver
    "mu",        // Moore Threads driver
    "mc",        // MetaX MACA
    "cn",        // Cambricon driver
    "ur",        // Intel Unified Runtime
    "pi",        // Intel SYCL plugin interface, before the Unified Runtime
    "ze",        // Intel Level Zero
};

constexpr std::array kCallNames{
    // kernels
    CallName{"LaunchKernel", ApiCallKind::LaunchKernel, Match::Name},
    CallName{"LaunchKernelEx", ApiCallKind::LaunchKernel, Match::Name},
    CallName{"LaunchKernelExC", ApiCallKind::LaunchKernel, Match::Name},
    CallName{"LaunchKernelGGL", ApiCallKind::LaunchKernel, Match::Name},
    CallName{"LaunchCooperativeKernel", ApiCallKind::LaunchKernel, Match::Name},
    CallName{"LaunchCooperativeKernelMultiDevice", ApiCallKind::LaunchKernel, Match::Name},
    CallName{"Launch", ApiCallKind::LaunchKernel, Match::Name},
    CallName{"LaunchExt", ApiCallKind::LaunchKernel, Match::Name},
    CallName{"LaunchWithExternalEvents", ApiCallKind::LaunchKernel, Match::Prefix},
    CallName{"LaunchGrid", ApiCallKind::LaunchKernel, Match::Name},
    CallName{"LaunchGridAsync", ApiCallKind::LaunchKernel, Match::Name},
    CallName{"LaunchByPtr", ApiCallKind::LaunchKernel, Match::Name},
    CallName{"ModuleLaunchKernel", ApiCallKind::LaunchKernel, Match::Name},
    CallName{"ModuleLaunchKernelExt", ApiCallKind::LaunchKernel, Match::Name},
    CallName{"ModuleLaunchCooperativeKernel", ApiCallKind::LaunchKernel, Match::Name},
    CallName{"ModuleLaunchCooperativeKernelMultiDevice", ApiCallKind::LaunchKernel, Match::Name},
    CallName{"DrvLaunchKernelEx", ApiCallKind::LaunchKernel, Match::Name},
    CallName{"ExtLaunchKernel", ApiCallKind::LaunchKernel, Match::Name},
    CallName{"ExtLaunchMultiKernelMultiDevice", ApiCallKind::LaunchKernel, Match::Name},
    CallName{"ExtModuleLaunchKernel", ApiCallKind::LaunchKernel, Match::Name},
    CallName{"HccModuleLaunchKernel", ApiCallKind::LaunchKernel, Match::Name},
    CallName{"InvokeKernel", ApiCallKind::LaunchKernel, Match::Name},
    CallName{"InvokeKernelEx", ApiCallKind::LaunchKernel, Match::Name},
    CallName{"EnqueueKernelLaunch", ApiCallKind::LaunchKernel, Match::Prefix},
    CallName{"EnqueueCooperativeKernelLaunch", ApiCallKind::LaunchKernel, Match::Prefix},
    CallName{"CommandListAppendLaunchKernel", ApiCallKind::LaunchKernel, Match::Prefix},
    CallName{"CommandListAppendLaunchCooperativeKernel", ApiCallKind::LaunchKernel, Match::Prefix},
    // copies: Memcpy, MemcpyAsync, Memcpy2D, Memcpy3DPeerAsync, MemcpyHtoD, MemcpyWithStream …
    CallName{"Memcpy", ApiCallKind::Memcpy, Match::Prefix},
    CallName{"MemCopyAsync", ApiCallKind::Memcpy, Match::Prefix},
    CallName{"EnqueueUSMMemcpy", ApiCallKind::Memcpy, Match::Prefix},
    CallName{"extUSMEnqueueMemcpy", ApiCallKind::Memcpy, Match::Prefix},
    CallName{"EnqueueMemBufferCopy", ApiCallKind::Memcpy, Match::Prefix},
    CallName{"EnqueueMemBufferRead", ApiCallKind::Memcpy, Match::Prefix},
    CallName{"EnqueueMemBufferWrite", ApiCallKind::Memcpy, Match::Prefix},
    CallName{"CommandListAppendMemoryCopy", ApiCallKind::Memcpy, Match::Prefix},
    // sets: Memset, MemsetAsync, MemsetD8, MemsetD2D32Async …
    CallName{"Memset", ApiCallKind::Memset, Match::Prefix},
    CallName{"EnqueueUSMFill", ApiCallKind::Memset, Match::Prefix},
    CallName{"extUSMEnqueueFill", ApiCallKind::Memset, Match::Prefix},
    CallName{"extUSMEnqueueMemset", ApiCallKind::Memset, Match::Prefix},
    CallName{"EnqueueMemBufferFill", ApiCallKind::Memset, Match::Prefix},
    CallName{"CommandListAppendMemoryFill", ApiCallKind::Memset, Match::Prefix},
    // graphs
    CallName{"GraphLaunch", ApiCallKind::GraphLaunch, Match::Name},
    CallName{"TaskTopoEntityInvoke", ApiCallKind::GraphLaunch, Match::Name},
    CallName{"EnqueueCommandBufferExp", ApiCallKind::GraphLaunch, Match::Name},
    CallName{"CommandBufferEnqueueExp", ApiCallKind::GraphLaunch, Match::Name},
    CallName{"Execute", ApiCallKind::GraphLaunch, Match::Prefix},  // aclmdlRIExecuteAsync
    CallName{"CaptureBegin", ApiCallKind::BeginCapture, Match::Name},
    CallName{"CaptureEnd", ApiCallKind::EndCapture, Match::Name},
    CallName{"StreamBeginCapture", ApiCallKind::BeginCapture, Match::Prefix},
    CallName{"QueueBeginCapture", ApiCallKind::BeginCapture, Match::Prefix},
    CallName{"StreamEndCapture", ApiCallKind::EndCapture, Match::Prefix},
    CallName{"QueueEndCapture", ApiCallKind::EndCapture, Match::Prefix},
    CallName{"StreamWaitEvent", ApiCallKind::WaitEvent, Match::Name},
    CallName{"QueueWaitNotifier", ApiCallKind::WaitEvent, Match::Name},
    CallName{"GraphInstantiate", ApiCallKind::GraphInstantiate, Match::Prefix},
    CallName{"TaskTopoInstantiate", ApiCallKind::GraphInstantiate, Match::Prefix},
};

// Names without a prefix: what Meta's MTIA runtime writes.
constexpr std::array kWholeNames{
    CallName{"runFunction", ApiCallKind::LaunchKernel, Match::Prefix},
    CallName{"enqueueCommand memcpy", ApiCallKind::Memcpy, Match::Prefix},
    CallName{"enqueueCommand waitOnEvent", ApiCallKind::WaitEvent, Match::Name},
};

bool matches(const CallName& row, std::string_view name) {
  if (!name.starts_with(row.name)) {
    return false;
  }
  const std::string_view rest = name.substr(row.name.size());
  return row.match == Match::Prefix || rest.empty() || rest.front() == '_';
}

template <std::size_t kCount>
ApiCallKind find_kind(const std::array<CallName, kCount>& rows, std::string_view name) {
  const auto* const row =
      std::ranges::find_if(rows, [&](const CallName& known) { return matches(known, name); });
  return row == rows.end() ? ApiCallKind::Other : row->kind;
}

}  // namespace

ApiCallKind classify_api_call(std::string_view name) {
  const auto* const prefix = std::ranges::find_if(
      kVendorPrefixes, [&](std::string_view vendor) { return name.starts_with(vendor); });
  return prefix == kVendorPrefixes.end() ? find_kind(kWholeNames, name)
                                         : find_kind(kCallNames, name.substr(prefix->size()));
}

bool launches_module_function(std::string_view name) {
  constexpr std::array<std::string_view, 6> kBeginnings{"cuLaunchKernel",
                                                        "cuLaunchCooperativeKernel",
                                                        "muLaunchKernel",
                                                        "cnInvokeKernel",
                                                        "hipModuleLaunch",
                                                        "mcModuleLaunch"};
  return std::any_of(kBeginnings.begin(), kBeginnings.end(), [name](std::string_view beginning) {
    return name.starts_with(beginning);
  });
}

}  // namespace opcensus

// SPDX-License-Identifier: Apache-2.0
//
// What a runtime or driver call does, by its name. The names are data: one row per spelling, so
// a new vendor is a new row (api_call_kind.cpp). Sources: CUPTI 13.0 callback names, ROCm traces,
// the MUSA, Cambricon and XPU forks of Kineto.
#pragma once

#include <cstdint>
#include <string_view>

namespace opcensus {

enum class ApiCallKind : std::uint8_t {
  Other,
  LaunchKernel,
  Memcpy,
  Memset,
  GraphLaunch,
  BeginCapture,
  EndCapture,
  GraphInstantiate,
  WaitEvent,  ///< a stream waits for another one
};

[[nodiscard]] ApiCallKind classify_api_call(std::string_view name);

/// True for launches of a function out of a loaded module: what Triton and other just-in-time
/// compilers use, while compiled-in kernels go through the runtime.
[[nodiscard]] bool launches_module_function(std::string_view name);

/// True for the calls that become a device event, or a node of a graph under capture.
[[nodiscard]] constexpr bool is_launch(ApiCallKind kind) {
  return kind == ApiCallKind::LaunchKernel || kind == ApiCallKind::Memcpy ||
         kind == ApiCallKind::Memset;
}

}  // namespace opcensus

/* SPDX-License-Identifier: Apache-2.0 */
#include "agent/call_table.h"

#include <array>

#include "agent/cupti_abi.h"

namespace opcensus::agent {
namespace {

using cupti::kDriverApi;
using cupti::kRuntimeApi;
using wire::CallKind;

constexpr std::array kAlways{
    CallId{kRuntimeApi, 311, CallKind::GraphLaunch}, /* cudaGraphLaunch */
    CallId{kRuntimeApi, 312, CallKind::GraphLaunch}, /* _ptsz */
    CallId{kDriverApi, 514, CallKind::GraphLaunch},  /* cuGraphLaunch */
    CallId{kDriverApi, 515, CallKind::GraphLaunch},
    CallId{kRuntimeApi, 315, CallKind::BeginCapture}, /* cudaStreamBeginCapture */
    CallId{kRuntimeApi, 316, CallKind::BeginCapture},
    CallId{kRuntimeApi, 452, CallKind::BeginCapture}, /* cudaStreamBeginCaptureToGraph */
    CallId{kRuntimeApi, 453, CallKind::BeginCapture},
    CallId{kDriverApi, 495, CallKind::BeginCapture}, /* cuStreamBeginCapture */
    CallId{kDriverApi, 496, CallKind::BeginCapture},
    CallId{kDriverApi, 539, CallKind::BeginCapture}, /* _v2 */
    CallId{kDriverApi, 540, CallKind::BeginCapture},
    CallId{kDriverApi, 720, CallKind::BeginCapture}, /* cuStreamBeginCaptureToGraph */
    CallId{kDriverApi, 721, CallKind::BeginCapture},
    CallId{kRuntimeApi, 319, CallKind::EndCapture}, /* cudaStreamEndCapture */
    CallId{kRuntimeApi, 320, CallKind::EndCapture},
    CallId{kDriverApi, 497, CallKind::EndCapture}, /* cuStreamEndCapture */
    CallId{kDriverApi, 498, CallKind::EndCapture},
};

constexpr std::array kLaunches{
    CallId{kRuntimeApi, 211, CallKind::LaunchKernel}, /* cudaLaunchKernel */
    CallId{kRuntimeApi, 214, CallKind::LaunchKernel},
    CallId{kRuntimeApi, 269, CallKind::LaunchKernel}, /* cudaLaunchCooperativeKernel */
    CallId{kRuntimeApi, 270, CallKind::LaunchKernel},
    CallId{kRuntimeApi, 430, CallKind::LaunchKernel}, /* cudaLaunchKernelExC */
    CallId{kRuntimeApi, 431, CallKind::LaunchKernel},
    CallId{kDriverApi, 307, CallKind::LaunchFunction}, /* cuLaunchKernel */
    CallId{kDriverApi, 442, CallKind::LaunchFunction},
    CallId{kDriverApi, 477, CallKind::LaunchFunction}, /* cuLaunchCooperativeKernel */
    CallId{kDriverApi, 478, CallKind::LaunchFunction},
    CallId{kDriverApi, 652, CallKind::LaunchFunction}, /* cuLaunchKernelEx */
    CallId{kDriverApi, 653, CallKind::LaunchFunction},
    CallId{kRuntimeApi, 31, CallKind::Memcpy}, /* cudaMemcpy */
    CallId{kRuntimeApi, 41, CallKind::Memcpy}, /* cudaMemcpyAsync */
    CallId{kRuntimeApi, 225, CallKind::Memcpy},
    CallId{kDriverApi, 276, CallKind::Memcpy}, /* cuMemcpyHtoD_v2 */
    CallId{kDriverApi, 277, CallKind::Memcpy}, /* cuMemcpyHtoDAsync_v2 */
    CallId{kDriverApi, 278, CallKind::Memcpy}, /* cuMemcpyDtoH_v2 */
    CallId{kDriverApi, 279, CallKind::Memcpy}, /* cuMemcpyDtoHAsync_v2 */
    CallId{kDriverApi, 280, CallKind::Memcpy}, /* cuMemcpyDtoD_v2 */
    CallId{kDriverApi, 281, CallKind::Memcpy}, /* cuMemcpyDtoDAsync_v2 */
    CallId{kDriverApi, 306, CallKind::Memcpy}, /* cuMemcpyAsync */
    CallId{kDriverApi, 418, CallKind::Memcpy},
    CallId{kRuntimeApi, 51, CallKind::Memset}, /* cudaMemsetAsync */
    CallId{kRuntimeApi, 235, CallKind::Memset},
    CallId{kDriverApi, 216, CallKind::Memset}, /* cuMemsetD8Async */
    CallId{kDriverApi, 218, CallKind::Memset}, /* cuMemsetD16Async */
    CallId{kDriverApi, 220, CallKind::Memset}, /* cuMemsetD32Async */
    CallId{kDriverApi, 428, CallKind::Memset},
    CallId{kDriverApi, 429, CallKind::Memset},
    CallId{kDriverApi, 430, CallKind::Memset},
};

constexpr std::size_t kIdLimit = 1024;

struct KindTable {
  std::array<std::array<CallKind, kIdLimit>, 3> kind{};
};

constexpr KindTable make_table() {
  KindTable table;
  for (const CallId& call : kAlways) {
    table.kind[call.domain][call.id] = call.kind;
  }
  for (const CallId& call : kLaunches) {
    table.kind[call.domain][call.id] = call.kind;
  }
  return table;
}

constexpr KindTable kTable = make_table();

}  // namespace

std::span<const CallId> always_watched_calls() {
  return kAlways;
}

std::span<const CallId> launch_calls() {
  return kLaunches;
}

wire::CallKind kind_of_call(std::uint32_t domain, std::uint32_t id) {
  return domain < kTable.kind.size() && id < kIdLimit ? kTable.kind[domain][id]
                                                      : wire::CallKind::Other;
}

}  // namespace opcensus::agent

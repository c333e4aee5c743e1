// SPDX-License-Identifier: Apache-2.0
#include "src/model/api_call_kind.h"

#include <string_view>

#include <gtest/gtest.h>

namespace opcensus {
namespace {

struct Case {
  std::string_view name;
  ApiCallKind kind;
};

class ApiCallNames : public testing::TestWithParam<Case> {};

TEST_P(ApiCallNames, AreClassified) {
  EXPECT_EQ(classify_api_call(GetParam().name), GetParam().kind) << GetParam().name;
}

INSTANTIATE_TEST_SUITE_P(
    LaunchKernel,
    ApiCallNames,
    testing::Values(Case{"cudaLaunchKernel", ApiCallKind::LaunchKernel},
                    Case{"cudaLaunchKernelExC", ApiCallKind::LaunchKernel},
                    Case{"cudaLaunchKernel_ptsz", ApiCallKind::LaunchKernel},
                    Case{"cudaLaunchKernel_v7000", ApiCallKind::LaunchKernel},
                    Case{"cudaLaunchCooperativeKernel", ApiCallKind::LaunchKernel},
                    Case{"cuLaunchKernel", ApiCallKind::LaunchKernel},
                    Case{"cuLaunchKernelEx", ApiCallKind::LaunchKernel},
                    Case{"cuLaunchKernelEx_ptsz", ApiCallKind::LaunchKernel},
                    Case{"cuLaunchCooperativeKernel", ApiCallKind::LaunchKernel},
                    Case{"hipLaunchKernel", ApiCallKind::LaunchKernel},
                    Case{"hipLaunchKernelExC", ApiCallKind::LaunchKernel},
                    Case{"hipModuleLaunchKernel", ApiCallKind::LaunchKernel},
                    Case{"hipExtModuleLaunchKernel", ApiCallKind::LaunchKernel},
                    Case{"hipExtLaunchKernel", ApiCallKind::LaunchKernel},
                    Case{"musaLaunchKernel", ApiCallKind::LaunchKernel},
                    Case{"muLaunchKernel", ApiCallKind::LaunchKernel},
                    Case{"mcLaunchKernel", ApiCallKind::LaunchKernel},
                    Case{"cnInvokeKernel", ApiCallKind::LaunchKernel},
                    Case{"urEnqueueKernelLaunch", ApiCallKind::LaunchKernel},
                    Case{"piEnqueueKernelLaunch", ApiCallKind::LaunchKernel},
                    Case{"synLaunchExt", ApiCallKind::LaunchKernel},
                    Case{"synLaunchWithExternalEventsExt", ApiCallKind::LaunchKernel},
                    Case{"runFunction - job_prep_and_submit_for_execution",
                         ApiCallKind::LaunchKernel},
                    Case{"zeCommandListAppendLaunchKernel", ApiCallKind::LaunchKernel}));

INSTANTIATE_TEST_SUITE_P(CopyAndSet,
                         ApiCallNames,
                         testing::Values(Case{"cudaMemcpyAsync", ApiCallKind::Memcpy},
                                         Case{"cudaMemcpy", ApiCallKind::Memcpy},
                                         Case{"cudaMemcpy2DAsync", ApiCallKind::Memcpy},
                                         Case{"cudaMemcpy3DPeerAsync", ApiCallKind::Memcpy},
                                         Case{"hipMemcpyWithStream", ApiCallKind::Memcpy},
                                         Case{"cuMemcpyHtoDAsync_v2", ApiCallKind::Memcpy},
                                         Case{"urEnqueueUSMMemcpy", ApiCallKind::Memcpy},
                                         Case{"piextUSMEnqueueMemcpy", ApiCallKind::Memcpy},
                                         Case{"piextUSMEnqueueFill", ApiCallKind::Memset},
                                         Case{"synMemCopyAsync", ApiCallKind::Memcpy},
                                         Case{"synMemsetD32Async", ApiCallKind::Memset},
                                         Case{"enqueueCommand memcpyHtoDAsync",
                                              ApiCallKind::Memcpy},
                                         Case{"cudaMemsetAsync", ApiCallKind::Memset},
                                         Case{"cuMemsetD8Async", ApiCallKind::Memset},
                                         Case{"cuMemsetD16_v2", ApiCallKind::Memset},
                                         Case{"cuMemsetD32Async_ptsz", ApiCallKind::Memset},
                                         Case{"mcMemsetAsync", ApiCallKind::Memset},
                                         Case{"aclrtMemcpyAsync", ApiCallKind::Memcpy},
                                         Case{"aclrtMemsetAsync", ApiCallKind::Memset}));

INSTANTIATE_TEST_SUITE_P(
    Graphs,
    ApiCallNames,
    testing::Values(Case{"cudaGraphLaunch", ApiCallKind::GraphLaunch},
                    Case{"cuGraphLaunch_ptsz", ApiCallKind::GraphLaunch},
                    Case{"hipGraphLaunch", ApiCallKind::GraphLaunch},
                    Case{"musaGraphLaunch", ApiCallKind::GraphLaunch},
                    Case{"cnGraphLaunch", ApiCallKind::GraphLaunch},
                    Case{"mcGraphLaunch", ApiCallKind::GraphLaunch},
                    Case{"cudaStreamBeginCapture", ApiCallKind::BeginCapture},
                    Case{"cudaStreamBeginCaptureToGraph", ApiCallKind::BeginCapture},
                    Case{"cuStreamBeginCapture_v2", ApiCallKind::BeginCapture},
                    Case{"hipStreamEndCapture", ApiCallKind::EndCapture},
                    Case{"aclmdlRIExecuteAsync", ApiCallKind::GraphLaunch},
                    Case{"aclmdlRICaptureBegin", ApiCallKind::BeginCapture},
                    Case{"aclmdlRICaptureEnd", ApiCallKind::EndCapture},
                    Case{"cudaGraphInstantiate", ApiCallKind::GraphInstantiate},
                    Case{"cudaGraphInstantiateWithFlags", ApiCallKind::GraphInstantiate}));

INSTANTIATE_TEST_SUITE_P(Other,
                         ApiCallNames,
                         testing::Values(Case{"", ApiCallKind::Other},
                                         Case{"LaunchKernel", ApiCallKind::Other},
                                         Case{"cudaLaunchHostFunc", ApiCallKind::Other},
                                         Case{"cudaStreamIsCapturing", ApiCallKind::Other},
                                         Case{"cudaStreamGetCaptureInfo_v2", ApiCallKind::Other},
                                         Case{"cudaGraphDestroy", ApiCallKind::Other},
                                         Case{"cudaGraphLaunchX", ApiCallKind::Other},
                                         Case{"aclmdlRIDestroy", ApiCallKind::Other},
                                         Case{"aclmdlRICaptureGetInfo", ApiCallKind::Other},
                                         Case{"synchronizeStream", ApiCallKind::Other},
                                         Case{"recordEvent", ApiCallKind::Other},
                                         Case{"aten::mm", ApiCallKind::Other}));

TEST(ApiCallKind, KernelCopyAndSetAreLaunches) {
  EXPECT_TRUE(is_launch(ApiCallKind::LaunchKernel));
  EXPECT_TRUE(is_launch(ApiCallKind::Memcpy));
  EXPECT_TRUE(is_launch(ApiCallKind::Memset));
  EXPECT_FALSE(is_launch(ApiCallKind::GraphLaunch));
  EXPECT_FALSE(is_launch(ApiCallKind::Other));
}

}  // namespace
}  // namespace opcensus

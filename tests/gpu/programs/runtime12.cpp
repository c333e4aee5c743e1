// SPDX-License-Identifier: Apache-2.0
//
// A program for the CUDA 12 runtime that needs no CUDA compiler: kernels come as PTX. Captures a
// graph, replays it, updates it with another kernel (which CUPTI 12 does not report), replays it.
#include <cstdio>
#include <cstdlib>

#include <cuda_runtime.h>

#include "opcensus/annotate.h"

namespace {

constexpr const char* kModule = R"(
.version 7.0
.target sm_70
.address_size 64
.visible .entry add_one(.param .u64 pointer) {
  .reg .u64 %a; .reg .u32 %v;
  ld.param.u64 %a, [pointer]; cvta.to.global.u64 %a, %a;
  ld.global.u32 %v, [%a]; add.u32 %v, %v, 1; st.global.u32 [%a], %v; ret;
}
.visible .entry add_two(.param .u64 pointer) {
  .reg .u64 %a; .reg .u32 %v;
  ld.param.u64 %a, [pointer]; cvta.to.global.u64 %a, %a;
  ld.global.u32 %v, [%a]; add.u32 %v, %v, 2; st.global.u32 [%a], %v; ret;
}
)";

void check(cudaError_t error, const char* what) {
  if (error != cudaSuccess) {
    std::printf("%s: %s\n", what, cudaGetErrorString(error));
    std::exit(1);
  }
}

void launch(const char* op, cudaKernel_t kernel, void* pointer, cudaStream_t stream) {
  void* arguments[] = {&pointer};
  opcensus_op_begin(op, "[[1]]", "[\"int\"]");
  check(cudaLaunchKernel(kernel, dim3(1), dim3(1), arguments, 0, stream), "cudaLaunchKernel");
  opcensus_op_end();
}

cudaGraph_t capture(cudaKernel_t first, cudaKernel_t second, void* pointer, cudaStream_t stream) {
  check(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal), "cudaStreamBeginCapture");
  launch("graph::first", first, pointer, stream);
  opcensus_op_begin("graph::memset", "[[1]]", "[\"int\"]");
  check(cudaMemsetAsync(pointer, 0, 4, stream), "cudaMemsetAsync");
  opcensus_op_end();
  launch("graph::second", second, pointer, stream);
  cudaGraph_t graph = nullptr;
  check(cudaStreamEndCapture(stream, &graph), "cudaStreamEndCapture");
  return graph;
}

void run(cudaGraphExec_t exec, int times, cudaStream_t stream) {
  for (int i = 0; i < times; ++i) {
    check(cudaGraphLaunch(exec, stream), "cudaGraphLaunch");
  }
  check(cudaStreamSynchronize(stream), "cudaStreamSynchronize");
}

}  // namespace

int main() {
  void* pointer = nullptr;
  cudaStream_t stream = nullptr;
  cudaLibrary_t library = nullptr;
  cudaKernel_t add_one = nullptr;
  cudaKernel_t add_two = nullptr;
  check(cudaMalloc(&pointer, 64), "cudaMalloc");
  check(cudaStreamCreate(&stream), "cudaStreamCreate");
  check(cudaLibraryLoadData(&library, kModule, nullptr, nullptr, 0, nullptr, nullptr, 0),
        "cudaLibraryLoadData");
  check(cudaLibraryGetKernel(&add_one, library, "add_one"), "cudaLibraryGetKernel");
  check(cudaLibraryGetKernel(&add_two, library, "add_two"), "cudaLibraryGetKernel");
  launch("eager::first", add_one, pointer, stream);
  cudaGraphExec_t exec = nullptr;
  check(cudaGraphInstantiate(&exec, capture(add_one, add_two, pointer, stream), 0),
        "cudaGraphInstantiate");
  run(exec, 3, stream);
  cudaGraphExecUpdateResultInfo result{};
  check(cudaGraphExecUpdate(exec, capture(add_two, add_two, pointer, stream), &result),
        "cudaGraphExecUpdate");
  run(exec, 2, stream);
  std::printf("done runtime12\n");
}

// SPDX-License-Identifier: Apache-2.0
//
// Every kind of graph node and every way to change a graph that CUDA 13 has callbacks for: copies,
// memsets, child graphs two levels deep, a conditional body, an updated executable graph, streams
// that fork and join, and a capture that is thrown away. All of it annotated.
#include <cstdio>
#include <cstdlib>

#include <cuda_runtime.h>

#include "opcensus/annotate.h"

#include "check.h"

__global__ void add_one(float* x) { x[threadIdx.x] += 1; }
__global__ void twice(float* x) { x[threadIdx.x] *= 2; }
__global__ void less_three(float* x) { x[threadIdx.x] -= 3; }
__global__ void add_nine(float* x) { x[threadIdx.x] += 9; }

namespace {

cudaStream_t stream;
float* buffer;

template <class Launch>
void op(const char* name, Launch launch) {
  opcensus_op_begin(name, "[[32]]", "[\"float\"]");
  launch();
  opcensus_op_end();
}

void begin() { CHECK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal)); }

cudaGraph_t end() {
  cudaGraph_t graph = nullptr;
  CHECK(cudaStreamEndCapture(stream, &graph));
  return graph;
}

cudaGraphExec_t instantiate(cudaGraph_t graph) {
  cudaGraphExec_t exec = nullptr;
  CHECK(cudaGraphInstantiate(&exec, graph, 0));
  return exec;
}

void run(cudaGraphExec_t exec, int times) {
  for (int i = 0; i < times; ++i) {
    CHECK(cudaGraphLaunch(exec, stream));
  }
  CHECK(cudaStreamSynchronize(stream));
}

void memset_op(const char* name) {
  op(name, [] { CHECK(cudaMemsetAsync(buffer, 0, 128, stream)); });
}

void memcpy_op(const char* name) {
  op(name, [] {
    CHECK(cudaMemcpyAsync(buffer + 64, buffer, 128, cudaMemcpyDeviceToDevice, stream));
  });
}

cudaGraph_t linear() {
  begin();
  op("linear::add_one", [] { add_one<<<1, 32, 0, stream>>>(buffer); });
  memset_op("linear::memset");
  op("linear::twice", [] { twice<<<1, 32, 0, stream>>>(buffer); });
  memcpy_op("linear::memcpy");
  return end();
}

/// The same graph with other kernels, for an update.
cudaGraph_t linear_updated() {
  begin();
  op("updated::less_three", [] { less_three<<<1, 32, 0, stream>>>(buffer); });
  memset_op("updated::memset");
  op("updated::add_nine", [] { add_nine<<<1, 32, 0, stream>>>(buffer); });
  memcpy_op("updated::memcpy");
  return end();
}

cudaGraph_t forked() {
  cudaStream_t side = nullptr;
  cudaEvent_t fork = nullptr;
  cudaEvent_t join = nullptr;
  CHECK(cudaStreamCreate(&side));
  CHECK(cudaEventCreate(&fork));
  CHECK(cudaEventCreate(&join));
  begin();
  op("forked::first", [] { add_one<<<1, 32, 0, stream>>>(buffer); });
  CHECK(cudaEventRecord(fork, stream));
  CHECK(cudaStreamWaitEvent(side, fork, 0));
  op("forked::side", [side] { twice<<<1, 32, 0, side>>>(buffer + 256); });
  op("forked::main", [] { twice<<<1, 32, 0, stream>>>(buffer); });
  CHECK(cudaEventRecord(join, side));
  CHECK(cudaStreamWaitEvent(stream, join, 0));
  op("forked::last", [] { less_three<<<1, 32, 0, stream>>>(buffer); });
  return end();
}

cudaGraphNode_t add_kernel(cudaGraph_t graph, cudaGraphNode_t after, const char* name, unsigned blocks) {
  cudaKernelNodeParams parameters{};
  void* arguments[] = {&buffer};
  parameters.func = reinterpret_cast<void*>(add_nine);
  parameters.gridDim = dim3(blocks);
  parameters.blockDim = dim3(32);
  parameters.kernelParams = arguments;
  cudaGraphNode_t node = nullptr;
  op(name, [&] {
    CHECK(cudaGraphAddKernelNode(
        &node, graph, after == nullptr ? nullptr : &after, after == nullptr ? 0 : 1, &parameters));
  });
  return node;
}

cudaGraphNode_t add_child(cudaGraph_t graph, cudaGraphNode_t after, cudaGraph_t child) {
  cudaGraphNode_t node = nullptr;
  CHECK(cudaGraphAddChildGraphNode(
      &node, graph, after == nullptr ? nullptr : &after, after == nullptr ? 0 : 1, child));
  return node;
}

cudaGraph_t conditional() {
  cudaGraph_t graph = nullptr;
  cudaGraphConditionalHandle handle{};
  CHECK(cudaGraphCreate(&graph, 0));
  CHECK(cudaGraphConditionalHandleCreate(&handle, graph, 1, cudaGraphCondAssignDefault));
  cudaGraphNodeParams parameters{};
  parameters.type = cudaGraphNodeTypeConditional;
  parameters.conditional.handle = handle;
  parameters.conditional.type = cudaGraphCondTypeIf;
  parameters.conditional.size = 1;
  cudaGraphNode_t node = nullptr;
#if CUDART_VERSION >= 13000
  CHECK(cudaGraphAddNode(&node, graph, nullptr, nullptr, 0, &parameters));
#else
  CHECK(cudaGraphAddNode(&node, graph, nullptr, 0, &parameters));
#endif
  cudaGraph_t body = parameters.conditional.phGraph_out[0];
  CHECK(cudaStreamBeginCaptureToGraph(
      stream, body, nullptr, nullptr, 0, cudaStreamCaptureModeGlobal));
  op("conditional::body", [] { less_three<<<1, 32, 0, stream>>>(buffer); });
  CHECK(cudaStreamEndCapture(stream, nullptr));
  return graph;
}

}  // namespace

int main() {
  CHECK(cudaMalloc(&buffer, 4096));
  CHECK(cudaStreamCreate(&stream));

  begin();  // thrown away
  op("aborted::add_one", [] { add_one<<<1, 32, 0, stream>>>(buffer); });
  CHECK(cudaGraphDestroy(end()));

  const cudaGraph_t base = linear();
  const cudaGraphExec_t exec = instantiate(base);
  run(exec, 2);

  cudaGraph_t nested = nullptr;
  CHECK(cudaGraphCreate(&nested, 0));
  const cudaGraphNode_t first = add_kernel(nested, nullptr, "nested::first", 2);
  const cudaGraphNode_t child = add_child(nested, first, base);
  add_kernel(nested, child, "nested::last", 3);
  cudaGraph_t outer = nullptr;
  CHECK(cudaGraphCreate(&outer, 0));
  add_child(outer, add_kernel(outer, nullptr, "outer::first", 4), nested);
  run(instantiate(nested), 1);
  run(instantiate(outer), 1);

  const cudaGraph_t changed = linear_updated();
  cudaGraphExecUpdateResultInfo result{};
  CHECK(cudaGraphExecUpdate(exec, changed, &result));
  run(exec, 3);

  run(instantiate(conditional()), 2);
  run(instantiate(forked()), 2);
  CHECK(cudaDeviceSynchronize());
  std::printf("done graph_kinds\n");
}

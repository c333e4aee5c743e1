// SPDX-License-Identifier: Apache-2.0
//
// Replays one graph of 1,832 kernels of a few microseconds, as a decode step of a 28-layer model.
//
//     replay_loop MODE [START STOP]       START and STOP: shell commands
//
// MODE  plain     2,000 replays
//       windows   600 replays, then START, 100 replays, STOP, then 600 replays
//       thousand  1,000 times START, one replay, STOP
//       forever   until killed
// Prints one JSON line; times are µs a replay, by CUDA events over runs of 50 replays.
#include <algorithm>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <string>
#include <vector>

#include <cuda_runtime.h>

#include "opcensus/annotate.h"

#include "check.h"

constexpr int kKernels = 1832;
/* Each kernel works on a page of its own: how far one address lies from its multiprocessor is worth 6 % of
 * such a small kernel, and anything that allocates before moves it. Over many pages that evens out. */
constexpr int kThreads = 128;
constexpr int kPageFloats = 1024;

__global__ void work(float* x, int rounds) {
  float value = x[threadIdx.x];
  for (int i = 0; i < rounds; ++i) {
    value = value * 1.0001F + 0.5F;
  }
  x[threadIdx.x] = value;
}

namespace {

cudaStream_t stream;

cudaGraphExec_t capture(float* buffer) {
  CHECK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
  for (int i = 0; i < kKernels; ++i) {
    opcensus_op_begin(i % 2 == 0 ? "loop::even" : "loop::odd", "[[128]]", "[\"float\"]");
    work<<<1, kThreads, 0, stream>>>(buffer + i * kPageFloats, 600);
    opcensus_op_end();
  }
  cudaGraph_t graph = nullptr;
  CHECK(cudaStreamEndCapture(stream, &graph));
  cudaGraphExec_t exec = nullptr;
  CHECK(cudaGraphInstantiate(&exec, graph, 0));
  CHECK(cudaGraphDestroy(graph));
  return exec;
}

std::vector<double> timed(cudaGraphExec_t exec, int runs) {
  constexpr int kReplays = 50;
  cudaEvent_t start = nullptr;
  cudaEvent_t stop = nullptr;
  CHECK(cudaEventCreate(&start));
  CHECK(cudaEventCreate(&stop));
  std::vector<double> times;
  for (int run = 0; run < runs; ++run) {
    CHECK(cudaEventRecord(start, stream));
    for (int i = 0; i < kReplays; ++i) {
      CHECK(cudaGraphLaunch(exec, stream));
    }
    CHECK(cudaEventRecord(stop, stream));
    CHECK(cudaStreamSynchronize(stream));
    float milliseconds = 0;
    CHECK(cudaEventElapsedTime(&milliseconds, start, stop));
    times.push_back(double{milliseconds} * 1000 / kReplays);
  }
  return times;
}

double median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return values[values.size() / 2];
}

double mean(const std::vector<double>& values) {
  double sum = 0;
  for (const double value : values) {
    sum += value;
  }
  return sum / static_cast<double>(values.size());
}

long resident_kilobytes() {
  std::ifstream status("/proc/self/status");
  std::string word;
  while (status >> word) {
    if (word == "VmRSS:") {
      long kilobytes = 0;
      status >> kilobytes;
      return kilobytes;
    }
  }
  return 0;
}

void command(const char* text) {
  if (std::system(text) != 0) {
    std::printf("failed: %s\n", text);
    std::exit(1);
  }
}

void thousand(cudaGraphExec_t exec, const char* start, const char* stop) {
  long before = 0;
  for (int i = 0; i < 1000; ++i) {
    if (i == 100) {
      before = resident_kilobytes();  // pools have their size by then
    }
    command(start);
    CHECK(cudaGraphLaunch(exec, stream));
    CHECK(cudaStreamSynchronize(stream));
    command(stop);
  }
  std::printf("{\"windows\": 1000, \"rss_kb_at_100\": %ld, \"rss_kb_at_1000\": %ld}\n", before,
              resident_kilobytes());
}

}  // namespace

int main(int argc, char** argv) {
  const std::string mode = argc > 1 ? argv[1] : "plain";
  float* buffer = nullptr;
  constexpr std::size_t kBufferBytes = sizeof(float) * kPageFloats * kKernels;
  CHECK(cudaMalloc(&buffer, kBufferBytes));
  CHECK(cudaMemset(buffer, 0, kBufferBytes));
  CHECK(cudaStreamCreate(&stream));
  const cudaGraphExec_t exec = capture(buffer);
  timed(exec, 4);  // clocks up
  if (mode == "plain") {
    const auto times = timed(exec, 40);
    std::printf("{\"mean_us\": %.2f, \"median_us\": %.2f}\n", mean(times), median(times));
  } else if (mode == "windows" && argc == 4) {
    const auto before = timed(exec, 12);
    command(argv[2]);
    const auto inside = timed(exec, 2);
    command(argv[3]);
    const auto after = timed(exec, 12);
    std::printf("{\"before_us\": %.2f, \"inside_us\": %.2f, \"after_us\": %.2f}\n", median(before),
                median(inside), median(after));
  } else if (mode == "thousand" && argc == 4) {
    thousand(exec, argv[2], argv[3]);
  } else if (mode == "forever") {
    std::printf("running\n");
    std::fflush(stdout);
    while (true) {
      timed(exec, 1);
    }
  } else {
    std::fprintf(stderr, "usage: replay_loop plain|windows|thousand|forever [START STOP]\n");
    return 2;
  }
  return 0;
}

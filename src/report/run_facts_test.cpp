// SPDX-License-Identifier: Apache-2.0
#include "src/report/run_facts.h"

#include <gtest/gtest.h>

#include "src/analyze/example_census.h"

namespace opcensus {
namespace {

TEST(RunFacts, SayWhatRan) {
  const Census census = example_census();
  EXPECT_EQ(describe_run(census), "NVIDIA H200 · 1 rank · vLLM 0.11.2 · CUDA 13.0");
  EXPECT_EQ(describe_graphs(census), "4 graphs (bs 8 4 2 1), 77 nodes each, 16 replays");
  EXPECT_EQ(describe_steps(census), "steps: 16 decode, 1 prefill");
}

TEST(RunFacts, DecodeVersionNumbersAndNameEachOnce) {
  Census census;
  census.ranks = {{0, "AMD Instinct MI300X ×8", R"({"hip_runtime_version":70226015})"},
                  {1, "AMD Instinct MI300X ×8", R"({"hip_runtime_version":70226015})"}};
  EXPECT_EQ(describe_run(census), "AMD Instinct MI300X ×8 · 2 ranks · ROCm 7.2");
  census.ranks = {{0, "GPU", R"({"cuda_runtime_version":12040,"nccl_version":"2.27.7"})"}};
  EXPECT_EQ(describe_run(census), "GPU · 1 rank · CUDA 12.4 · NCCL 2.27.7");
}

TEST(RunFacts, OfNothing) {
  EXPECT_EQ(describe_run(Census{}), "unknown device");
  EXPECT_EQ(describe_graphs(Census{}), "");
  EXPECT_EQ(describe_steps(Census{}), "");
}

TEST(RunFacts, ManyGraphsAreSummedUp) {
  Census census;
  for (std::int64_t size = 1; size <= 20; ++size) {
    CensusGraph graph;
    graph.batch_size = size;
    graph.nodes = 100 + static_cast<std::uint64_t>(size);
    census.graphs.push_back(graph);
  }
  EXPECT_EQ(describe_graphs(census),
            "20 graphs (bs 1 … 20, 20 sizes), 101 to 120 nodes, 0 replays");
}

}  // namespace
}  // namespace opcensus

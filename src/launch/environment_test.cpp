// SPDX-License-Identifier: Apache-2.0
#include "src/launch/environment.h"

#include <gtest/gtest.h>

namespace opcensus {
namespace {

using Entries = std::vector<std::string>;

TEST(Environment, SettingsBecomeTheAgentsVariables) {
  const RecordingSettings settings{
      "/lib/agent.so", "/runs/a", "node", "every=200", "/cache/shim.so", true};
  EXPECT_EQ(with_variables({}, recording_variables(settings)),
            (Entries{"CUDA_INJECTION64_PATH=/lib/agent.so",
                     "OPCENSUS_DIR=/runs/a",
                     "OPCENSUS_DETAIL=node",
                     "OPCENSUS_WINDOW=every=200",
                     "OPCENSUS_CONTROL=1",
                     "OPCENSUS_TORCH_SHIM=/cache/shim.so",
                     "NVTX_INJECTION64_PATH=/lib/agent.so"}));
}

TEST(Environment, AnotherToolKeepsNvtx) {
  RecordingSettings settings;
  settings.takes_nvtx = false;
  const Entries entries =
      with_variables({"NVTX_INJECTION64_PATH=/other.so"}, recording_variables(settings));
  EXPECT_EQ(entries, Entries{"NVTX_INJECTION64_PATH=/other.so"});
}

TEST(Environment, OthersStayInTheirOrder) {
  EXPECT_EQ(with_variables({"B=2", "A=1", "EMPTY="}, {{"C", "3"}}),
            (Entries{"B=2", "A=1", "EMPTY=", "C=3"}));
}

TEST(Environment, AVariableIsReplacedNotRepeated) {
  EXPECT_EQ(with_variables({"A=1", "AB=2", "A=3"}, {{"A", "4"}}), (Entries{"AB=2", "A=4"}));
}

TEST(Environment, AnOldShimIsNotInherited) {
  EXPECT_EQ(with_variables({"OPCENSUS_TORCH_SHIM=/old.so"}, {{"OPCENSUS_TORCH_SHIM", ""}}),
            Entries{});
}

}  // namespace
}  // namespace opcensus

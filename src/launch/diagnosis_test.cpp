// SPDX-License-Identifier: Apache-2.0
#include "src/launch/diagnosis.h"

#include <gtest/gtest.h>

namespace opcensus {
namespace {

SetupFacts everything() {
  SetupFacts facts;
  facts.driver_version = 13000;
  facts.gpu_count = 1;
  facts.cupti = CuptiFact{"/lib/libcupti.so.13", 130000};
  facts.python = "/usr/bin/python3";
  facts.torch = TorchInstall{};
  facts.torch->version = "2.11.0";
  facts.compiler = "/usr/bin/g++";
  facts.agent = "/lib/libopcensus_agent.so";
  return facts;
}

Finding finding(const SetupFacts& facts, const std::string& name) {
  for (const Finding& each : diagnose(facts).findings) {
    if (each.name == name) {
      return each;
    }
  }
  ADD_FAILURE() << name;
  return {};
}

TEST(Diagnosis, WithEverythingEverythingWorks) {
  const Diagnosis diagnosis = diagnose(everything());
  EXPECT_TRUE(diagnosis.can_record);
  EXPECT_TRUE(diagnosis.can_name_operators);
  EXPECT_TRUE(diagnosis.does_not_work.empty());
  EXPECT_EQ(finding(everything(), "driver").text, "NVIDIA driver for CUDA 13.0");
  EXPECT_EQ(finding(everything(), "gpu").text, "1 GPU");
  EXPECT_EQ(finding(everything(), "cupti").text, "CUPTI 130000: /lib/libcupti.so.13");
}

TEST(Diagnosis, ACuptiThatDoesNotTellItsVersionIsNamedWithoutOne) {
  SetupFacts facts = everything();
  facts.cupti->api_version = 0;
  EXPECT_EQ(finding(facts, "cupti").text, "CUPTI: /lib/libcupti.so.13");
}

TEST(Diagnosis, EachMissingPartPreventsARecordingAndNamesTheWayOut) {
  SetupFacts facts = everything();
  facts.driver_problem = "libcuda.so.1: cannot open";
  EXPECT_FALSE(diagnose(facts).can_record);
  EXPECT_FALSE(finding(facts, "driver").hint.empty());
  facts = everything();
  facts.gpu_count = 0;
  EXPECT_FALSE(diagnose(facts).can_record);
  EXPECT_FALSE(finding(facts, "gpu").hint.empty());
  facts = everything();
  facts.cupti.reset();
  EXPECT_FALSE(diagnose(facts).can_record);
  EXPECT_FALSE(finding(facts, "cupti").hint.empty());
  facts = everything();
  facts.agent_problem = "it is not there";
  EXPECT_FALSE(diagnose(facts).can_record);
  EXPECT_FALSE(finding(facts, "agent").hint.empty());
}

TEST(Diagnosis, WithoutTorchARecordingHasNoOperators) {
  SetupFacts facts = everything();
  facts.torch.reset();
  facts.torch_problem = "there is no torch";
  const Diagnosis diagnosis = diagnose(facts);
  EXPECT_TRUE(diagnosis.can_record);
  EXPECT_FALSE(diagnosis.can_name_operators);
  ASSERT_EQ(diagnosis.does_not_work.size(), 1U);
}

TEST(Diagnosis, WithoutACompilerABuiltShimDoes) {
  SetupFacts facts = everything();
  facts.compiler.clear();
  EXPECT_FALSE(diagnose(facts).can_name_operators);
  EXPECT_EQ(finding(facts, "compiler").state, FindingState::Limits);
  facts.shim = "/cache/libopcensus_torch.so";
  EXPECT_TRUE(diagnose(facts).can_name_operators);
  EXPECT_EQ(finding(facts, "compiler").state, FindingState::Good);
}

TEST(Diagnosis, AnotherInjectedToolIsNamed) {
  SetupFacts facts = everything();
  facts.other_injection = "/opt/nsys/inject.so";
  EXPECT_NE(finding(facts, "conflict").text.find("/opt/nsys/inject.so"), std::string::npos);
  EXPECT_TRUE(diagnose(facts).can_record);
}

TEST(Diagnosis, AToolThatHasNvtxIsNamed) {
  SetupFacts facts = everything();
  facts.other_nvtx_tool = "/opt/other/nvtx.so";
  EXPECT_NE(finding(facts, "conflict").text.find("/opt/other/nvtx.so"), std::string::npos);
  EXPECT_TRUE(diagnose(facts).can_record);
}

TEST(Diagnosis, VersionsReadAsPeopleWriteThem) {
  EXPECT_EQ(cuda_version_text(13000), "13.0");
  EXPECT_EQ(cuda_version_text(12080), "12.8");
}

}  // namespace
}  // namespace opcensus

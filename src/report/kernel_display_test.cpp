// SPDX-License-Identifier: Apache-2.0
#include "src/report/kernel_display.h"

#include <string>

#include <gtest/gtest.h>

namespace opcensus {
namespace {

TEST(CompactKernelName, LeavesPlainNamesAlone) {
  for (const char* name : {"nvjet_sm90_tst_64x8_64x16_4x1_v_bz_TNT",
                           "Memcpy DtoD (Device -> Device)",
                           "Memset (Device)",
                           "triton_red_fused_add_mean_mul_pow_rsqrt_0"}) {
    EXPECT_EQ(compact_kernel_name(name), name);
  }
}

TEST(CompactKernelName, KeepsTheKernelAndWhatItComputes) {
  EXPECT_EQ(
      compact_kernel_name(
          "void at::native::elementwise_kernel<128, 4, at::native::gpu_kernel_impl_nocast<at::"
          "native::direct_copy_kernel_cuda(at::TensorIteratorBase&)::{lambda()#3}::operator()() "
          "const::{lambda()#12}::operator()() const::{lambda(c10::BFloat16)#1}>(at::"
          "TensorIteratorBase&)::{lambda(int)#1}>(int, at::native::gpu_kernel_impl_nocast<int>)"),
      "elementwise_kernel<direct_copy_kernel_cuda>");
  EXPECT_EQ(compact_kernel_name(
                "void at::native::vectorized_elementwise_kernel<8, at::native::BinaryFunctor<c10::"
                "BFloat16, c10::BFloat16, c10::BFloat16, at::native::binary_internal::MulFunctor<"
                "float> >, std::array<char*, 3ul> >(int, std::array<char*, 3ul>)"),
            "vectorized_elementwise_kernel<BinaryFunctor<bf16,MulFunctor<float>>>");
  EXPECT_EQ(compact_kernel_name(
                "void at::native::(anonymous namespace)::CatArrayBatchedCopy<at::native::("
                "anonymous namespace)::OpaqueType<2u>, unsigned int, 4, 64, 64>(int)"),
            "CatArrayBatchedCopy<OpaqueType<2u>>");
}

TEST(CompactKernelName, KeepsPartsOfATemplateClass) {
  EXPECT_EQ(compact_kernel_name("void ns::Gemm<float, 4>::run<2>(int)"), "Gemm<float>::run<2>");
}

TEST(CompactKernelName, ReadsTheBeginningOfMangledNames) {
  EXPECT_EQ(compact_kernel_name("_ZN7cutlass13device_kernelIN2at4cuda6detailE"),
            "device_kernel<…>");
  EXPECT_EQ(compact_kernel_name("_Z6vecAddPfS_"), "vecAdd");
  EXPECT_EQ(compact_kernel_name("_Z99short"), "_Z99short");
  EXPECT_EQ(compact_kernel_name("_Z"), "_Z");
}

TEST(CompactKernelName, SurvivesWhatIsNoName) {
  std::string nested = "void f";
  for (int i = 0; i < 100000; ++i) {
    nested += "<a";
  }
  EXPECT_LT(compact_kernel_name(nested).size(), 100U);
  for (const char* name : {"",
                           "void ",
                           "<",
                           "::",
                           "a<,,>>>",
                           "f<(((",
                           "f<{",
                           "(anonymous namespace)::",
                           "a::b<c\n>"}) {
    EXPECT_EQ(compact_kernel_name(name).find('\n'), std::string::npos);
  }
}

}  // namespace
}  // namespace opcensus

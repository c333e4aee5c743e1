// SPDX-License-Identifier: Apache-2.0
#include "agent/kernel_names.h"

#include <array>
#include <cstddef>
#include <cstdio>
#include <cstring>

#include <gtest/gtest.h>

namespace opcensus::agent {
namespace {

TEST(KernelNames, AreThoseOfTheDefinitions) {
  Definitions definitions;
  KernelNames names;
  EXPECT_EQ(names.id_of("gemm", definitions), definitions.text("gemm"));
  EXPECT_EQ(names.id_of("gemm", definitions), definitions.text("gemm"));
  EXPECT_NE(names.id_of("add", definitions), names.id_of("gemm", definitions));
}

TEST(KernelNames, AnotherNameAtTheSameAddressIsAnotherKernel) {
  Definitions definitions;
  KernelNames names;
  std::array<char, 8> memory{};
  std::strcpy(memory.data(), "gemm");
  EXPECT_EQ(names.id_of(memory.data(), definitions), definitions.text("gemm"));
  std::strcpy(memory.data(), "gelu");  // a module was unloaded, another one loaded
  EXPECT_EQ(names.id_of(memory.data(), definitions), definitions.text("gelu"));
}

TEST(KernelNames, MoreNamesThanTheTableHolds) {
  Definitions definitions;
  KernelNames names;
  std::array<std::array<char, 8>, 2000> all{};
  for (int pass = 0; pass < 2; ++pass) {
    for (std::size_t i = 0; i < all.size(); ++i) {
      std::snprintf(all.at(i).data(), all.at(i).size(), "k%zu", i);
      EXPECT_EQ(names.id_of(all.at(i).data(), definitions), definitions.text(all.at(i).data()));
    }
  }
}

}  // namespace
}  // namespace opcensus::agent

// SPDX-License-Identifier: Apache-2.0
#include "src/launch/torch_install.h"

#include <cstdlib>
#include <filesystem>

#include <gtest/gtest.h>

#include "tests/support/temporary_folder.h"

namespace opcensus {
namespace {

TEST(TorchAnswer, AmongOtherOutput) {
  const auto torch = parse_torch_answer(
      "Welcome!\nopcensus:version=2.11.0+cu130\nopcensus:include=/s/torch/include\n"
      "opcensus:include=/s/torch/include/a=b\nopcensus:lib=/s/torch/lib\nopcensus:abi=0\n"
      "opcensus:cupti=/s/nvidia/cu13/lib/libcupti.so.13\nopcensus:later=1\nopcensus:\n");
  ASSERT_TRUE(torch);
  EXPECT_EQ(torch->version, "2.11.0+cu130");
  EXPECT_EQ(torch->includes,
            (std::vector<std::string>{"/s/torch/include", "/s/torch/include/a=b"}));
  EXPECT_EQ(torch->libraries, "/s/torch/lib");
  EXPECT_EQ(torch->cxx11_abi, 0);
  EXPECT_EQ(torch->cupti, (std::vector<std::string>{"/s/nvidia/cu13/lib/libcupti.so.13"}));
}

TEST(TorchAnswer, WithoutALineEnd) {
  const auto torch = parse_torch_answer("opcensus:lib=/l\nopcensus:version=1.13.1");
  ASSERT_TRUE(torch);
  EXPECT_EQ(torch->version, "1.13.1");
  EXPECT_EQ(torch->cxx11_abi, 1);
}

TEST(TorchAnswer, WithoutTorch) {
  for (const char* answer : {"", "Welcome!\n", "opcensus:version=2.0\n", "version=2.0\nlib=/l\n"}) {
    const auto torch = parse_torch_answer(answer);
    ASSERT_FALSE(torch) << answer;
    EXPECT_EQ(torch.error().code, ErrorCode::NotFound);
  }
}

/// A made-up torch on PYTHONPATH: the facts are read without importing it.
class FindTorch : public ::testing::Test {
 protected:
  void SetUp() override {
    std::filesystem::create_directories(folder_ / "torch/lib");
    std::filesystem::create_directories(folder_ / "torch/include");
    static_cast<void>(folder_.write("torch/__init__.py", "raise SystemError('was imported')\n"));
    setenv("PYTHONPATH", folder_.path().c_str(), 1);  // NOLINT(concurrency-mt-unsafe): one thread
  }

  void TearDown() override { unsetenv("PYTHONPATH"); }  // NOLINT(concurrency-mt-unsafe): one thread

  testing::TemporaryFolder folder_;
};

TEST_F(FindTorch, ReadsVersionFoldersAndAbi) {
  static_cast<void>(folder_.write("torch/version.py",
                                  "from typing import Optional\n__version__ = '2.6.0+cu124'\n"));
  static_cast<void>(
      folder_.write("torch/lib/libc10.so", "..._ZN3c105ErrorC1ENS_14SourceLocationESs..."));
  const auto torch = find_torch("python3");
  ASSERT_TRUE(torch) << torch.error().message;
  EXPECT_EQ(torch->version, "2.6.0+cu124");
  EXPECT_EQ(torch->includes, (std::vector<std::string>{folder_ / "torch/include"}));
  EXPECT_EQ(torch->libraries, folder_ / "torch/lib");
  EXPECT_EQ(torch->cxx11_abi, 0);
}

TEST_F(FindTorch, TheNewAbiAndAnnotatedVersion) {
  static_cast<void>(folder_.write("torch/version.py", "__version__: str = \"2.12.0\"\n"));
  static_cast<void>(
      folder_.write("torch/lib/libc10.so",
                    "..._ZN3c105ErrorC2ENS_14SourceLocationENSt7__cxx1112basic_string..."));
  const auto torch = find_torch("python3");
  ASSERT_TRUE(torch) << torch.error().message;
  EXPECT_EQ(torch->version, "2.12.0");
  EXPECT_EQ(torch->cxx11_abi, 1);
}

TEST_F(FindTorch, ABrokenTorchIsAnError) {
  static_cast<void>(folder_.write("torch/version.py", "nothing\n"));
  const auto torch = find_torch("python3");
  ASSERT_FALSE(torch);
  EXPECT_EQ(torch.error().code, ErrorCode::Unreadable);
}

TEST(FindTorchOf, AMissingPythonIsAnError) {
  const auto torch = find_torch("/no/such/python3");
  ASSERT_FALSE(torch);
  EXPECT_EQ(torch.error().code, ErrorCode::NotFound);
}

}  // namespace
}  // namespace opcensus

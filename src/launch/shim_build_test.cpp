// SPDX-License-Identifier: Apache-2.0
#include "src/launch/shim_build.h"

#include <algorithm>
#include <cstdlib>
#include <filesystem>

#include <gtest/gtest.h>

#include "tests/support/temporary_folder.h"

namespace opcensus {
namespace {

TorchInstall some_torch() {
  TorchInstall torch;
  torch.version = "2.11.0+cu130";
  torch.includes = {"/t/include", "/t/include/api"};
  torch.libraries = "/t/lib";
  torch.cxx11_abi = 0;
  return torch;
}

TEST(CacheFolder, XdgThenHome) {
  EXPECT_EQ(cache_folder("/x", "/home/a"), "/x/opcensus");
  EXPECT_EQ(cache_folder("", "/home/a"), "/home/a/.cache/opcensus");
  EXPECT_EQ(cache_folder("relative", "/home/a"), "/home/a/.cache/opcensus");
  EXPECT_EQ(cache_folder("", ""), "");
}

TEST(ContentHash, ChangesWithEveryTextAndBoundary) {
  EXPECT_EQ(content_hash({"a", "b"}), content_hash({"a", "b"}));
  EXPECT_NE(content_hash({"a", "b"}), content_hash({"ab"}));
  EXPECT_NE(content_hash({"a", "b"}), content_hash({"b", "a"}));
  EXPECT_NE(content_hash({}), content_hash({""}));
  EXPECT_EQ(content_hash({"a"}).size(), 16U);
}

TEST(ShimFolderName, SaysVersionAbiAndSources) {
  EXPECT_EQ(shim_folder_name(some_torch(), "0123"), "2.11.0+cu130-abi0-0123");
}

TEST(ShimFolderName, StaysInTheCache) {
  TorchInstall torch = some_torch();
  torch.version = "../../x y\"";
  EXPECT_EQ(shim_folder_name(torch, "0"), "_.._.._x_y_-abi0-0");
}

TEST(ShimCompileCommand, HasWhatTheLayoutDependsOn) {
  const auto command = shim_compile_command("g++", some_torch(), {"/src"}, 20, "/out.so");
  for (const char* word : {"-std=c++20",
                           "-DNDEBUG",
                           "-D_GLIBCXX_USE_CXX11_ABI=0",
                           "-I/src",
                           "/t/include/api",
                           "/src/torch/opcensus_torch.cpp",
                           "-L/t/lib",
                           "-DOPCENSUS_TORCH_VERSION=\"2.11.0+cu130\"",
                           "/out.so"}) {
    EXPECT_NE(std::find(command.begin(), command.end(), word), command.end()) << word;
  }
  EXPECT_EQ(command.front(), "g++");
}

/// A made-up compiler counts its calls.
class BuildShim : public ::testing::Test {
 protected:
  void SetUp() override {
    std::filesystem::create_directories(folder_ / "torch");
    std::filesystem::create_directories(folder_ / "agent");
    static_cast<void>(folder_.write("torch/opcensus_torch.cpp", "// first"));
    static_cast<void>(folder_.write("agent/agent_api.h", "// api"));
    // NOLINTNEXTLINE(concurrency-mt-unsafe): one thread
    setenv("XDG_CACHE_HOME", (folder_ / "cache").c_str(), 1);
    set_compiler("shift; while [ \"$1\" != -o ]; do shift; done; echo libstdc++.so.6 > \"$2\"");
  }

  void TearDown() override {
    unsetenv("XDG_CACHE_HOME");  // NOLINT(concurrency-mt-unsafe): one thread
    unsetenv("CXX");             // NOLINT(concurrency-mt-unsafe): one thread
  }

  void set_compiler(const std::string& script) {
    const std::string compiler = folder_.write(
        "compiler", "#!/bin/sh\necho call >> '" + (folder_ / "calls") + "'\n" + script);
    std::filesystem::permissions(compiler, std::filesystem::perms::owner_all);
    setenv("CXX", compiler.c_str(), 1);  // NOLINT(concurrency-mt-unsafe): one thread
  }

  [[nodiscard]] long calls() const {
    const std::string text = testing::read_file(folder_ / "calls");
    return std::count(text.begin(), text.end(), '\n');
  }

  [[nodiscard]] ShimSources sources() const { return {folder_.path().string()}; }

  testing::TemporaryFolder folder_;
};

TEST_F(BuildShim, IsBuiltOnce) {
  const auto first = build_shim(some_torch(), sources());
  ASSERT_TRUE(first) << first.error().message;
  EXPECT_GT(first->build_seconds, 0);
  EXPECT_EQ(testing::read_file(first->library), "libstdc++.so.6\n");
  const auto second = build_shim(some_torch(), sources());
  ASSERT_TRUE(second);
  EXPECT_EQ(second->build_seconds, 0);
  EXPECT_EQ(second->library, first->library);
  EXPECT_EQ(calls(), 1);
}

TEST_F(BuildShim, IsBuiltAgainForOtherSourcesOrAnotherTorch) {
  ASSERT_TRUE(build_shim(some_torch(), sources()));
  static_cast<void>(folder_.write("torch/input_key.h", "// new"));
  ASSERT_TRUE(build_shim(some_torch(), sources()));
  TorchInstall other = some_torch();
  other.cxx11_abi = 1;
  ASSERT_TRUE(build_shim(other, sources()));
  EXPECT_EQ(calls(), 3);
}

TEST_F(BuildShim, OldCompilersGetCpp17) {
  set_compiler(
      "[ \"$1\" = -std=c++17 ] || exit 1\n"
      "while [ \"$1\" != -o ]; do shift; done; echo libstdc++.so.6 > \"$2\"");
  EXPECT_TRUE(build_shim(some_torch(), sources()));
  EXPECT_EQ(calls(), 2);
}

TEST_F(BuildShim, AFailureNamesTheLogAndLeavesNoLibrary) {
  set_compiler("echo 'fatal: no such header' >&2; exit 1");
  const auto shim = build_shim(some_torch(), sources());
  ASSERT_FALSE(shim);
  const auto plan = plan_shim(some_torch(), sources());
  ASSERT_TRUE(plan);
  EXPECT_FALSE(is_built(*plan));
  EXPECT_NE(shim.error().hint.find(plan->log), std::string::npos);
  EXPECT_NE(testing::read_file(plan->log).find("fatal: no such header"), std::string::npos);
}

TEST(FindCompiler, CxxFirst) {
  const testing::TemporaryFolder folder;
  for (const char* name : {"g++", "mine"}) {
    std::filesystem::permissions(folder.write(name, ""), std::filesystem::perms::owner_all);
  }
  const std::string path = folder.path().string();
  EXPECT_EQ(find_compiler("mine", path), folder / "mine");
  EXPECT_EQ(find_compiler("", path), folder / "g++");
  EXPECT_EQ(find_compiler("gone", path), folder / "g++");
  EXPECT_EQ(find_compilers("mine", path).front(), folder / "mine");
}

TEST(ShimBuild, ALibraryWithItsOwnCxxLibraryIsTold) {
  const testing::TemporaryFolder folder;
  EXPECT_TRUE(needs_shared_cxx_library(folder.write("shared.so",
                                                    "\x7f"
                                                    "ELF libstdc++.so.6 libc.so.6")));
  EXPECT_FALSE(needs_shared_cxx_library(folder.write("static.so",
                                                     "\x7f"
                                                     "ELF libc.so.6")));
  EXPECT_FALSE(needs_shared_cxx_library(folder / "missing.so"));
}

}  // namespace
}  // namespace opcensus

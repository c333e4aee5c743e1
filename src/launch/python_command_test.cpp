// SPDX-License-Identifier: Apache-2.0
#include "src/launch/python_command.h"

#include <filesystem>

#include <gtest/gtest.h>

#include "tests/support/temporary_folder.h"

namespace opcensus {
namespace {

TEST(IsPython, NamesWithVersionsAndFolders) {
  for (const char* name : {"python", "python3", "python3.12", "/opt/venv/bin/python3"}) {
    EXPECT_TRUE(is_python(name)) << name;
  }
  for (const char* name :
       {"", "vllm", "ipython", "pythonw-config", "python3-config", "/python/run"}) {
    EXPECT_FALSE(is_python(name)) << name;
  }
}

TEST(PythonOfScript, PlainShebang) {
  EXPECT_EQ(python_of_script("#!/opt/venv/bin/python3\nimport sys\n"), "/opt/venv/bin/python3");
  EXPECT_EQ(python_of_script("#! /opt/venv/bin/python3 -u\n"), "/opt/venv/bin/python3");
  EXPECT_EQ(python_of_script("#!/opt/venv/bin/python3"), "/opt/venv/bin/python3");
}

TEST(PythonOfScript, Env) {
  EXPECT_EQ(python_of_script("#!/usr/bin/env python3\n"), "python3");
  EXPECT_EQ(python_of_script("#!/usr/bin/env -S python3 -u\n"), "python3");
  EXPECT_EQ(python_of_script("#!/usr/bin/env bash\n"), std::nullopt);
}

TEST(PythonOfScript, ThePathThatIsTooLongForAShebang) {
  EXPECT_EQ(python_of_script("#!/bin/sh\n'''exec' \"/a long/bin/python3\" \"$0\" \"$@\"\n' '''\n"),
            "/a long/bin/python3");
  EXPECT_EQ(python_of_script("#!/bin/sh\n'''exec' /long/bin/python3 \"$0\" \"$@\"\n"),
            "/long/bin/python3");
}

TEST(PythonOfScript, OtherFiles) {
  for (const char* text : {"",
                           "#!",
                           "#!\n",
                           "#!/bin/sh\n",
                           "#!/bin/sh",
                           "\177ELF",
                           "python3\n",
                           "#!/bin/sh\n'''exec' \"/bin/perl\"\n"}) {
    EXPECT_EQ(python_of_script(text), std::nullopt) << text;
  }
}

class PythonOfCommand : public ::testing::Test {
 protected:
  std::string add(const std::string& name, const std::string& content) {
    std::string file = folder_.write(name, content);
    std::filesystem::permissions(file, std::filesystem::perms::owner_all);
    return file;
  }

  [[nodiscard]] std::optional<std::string> find(const std::vector<std::string>& command) const {
    return python_of_command(command, "/nowhere:" + folder_.path().string());
  }

  testing::TemporaryFolder folder_;
};

TEST_F(PythonOfCommand, FirstWordInPath) {
  const std::string python = add("python3.9", "");
  add("python3", "");
  EXPECT_EQ(find({"python3.9", "serve.py"}), python);
}

TEST_F(PythonOfCommand, FirstWordIsAScript) {
  const std::string python = add("python3.9", "");
  add("python3", "");
  add("vllm", "#!" + python + "\n");
  EXPECT_EQ(find({"vllm", "serve"}), python);
  EXPECT_EQ(find({folder_ / "vllm", "serve"}), python);
}

TEST_F(PythonOfCommand, BehindAnotherProgram) {
  const std::string python = add("python3.9", "");
  add("python3", "");
  EXPECT_EQ(find({"env", "A=1", "python3.9", "serve.py"}), python);
}

TEST_F(PythonOfCommand, OtherwisePython3) {
  add("tool", "#!/bin/sh\n");
  EXPECT_EQ(find({"tool"}), std::nullopt);
  const std::string python = add("python3", "");
  EXPECT_EQ(find({"tool"}), python);
  EXPECT_EQ(find({}), python);
}

TEST_F(PythonOfCommand, AFileThatCannotBeExecutedIsNoProgram) {
  static_cast<void>(folder_.write("python3", ""));
  EXPECT_EQ(find({"python3"}), std::nullopt);
}

}  // namespace
}  // namespace opcensus

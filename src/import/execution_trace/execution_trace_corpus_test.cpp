// SPDX-License-Identifier: Apache-2.0
//
// Real execution traces of the public corpus. OPCENSUS_CORPUS names the folder; without it these
// tests are skipped.
#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <string_view>

#include <gtest/gtest.h>

#include "src/import/execution_trace/execution_trace_test_support.h"

namespace opcensus::import {
namespace {

using testing::ExecutionReading;

struct Case {
  std::string_view file;
  std::string_view member;  ///< of a tar archive; empty: the file itself
  std::string_view schema;
  std::size_t operators;     ///< distinct record function ids
  std::size_t with_inputs;   ///< of them with inputs
  std::size_t with_strides;  ///< and with their strides
};

constexpr std::string_view kParam = "facebookresearch+param/et_replay/tests/inputs/";

// Counted by another program.
const Case kCases[] = {
    {"linear_et.json.gz", "", "1.0.1", 928, 818, 0},
    {"resnet_et.json.gz", "", "1.1.0-chakra.0.0.4", 14389, 13342, 0},
    {"1.0.3-chakra.0.0.4/resnet_1gpu_et.json.gz", "", "1.0.3-chakra.0.0.4", 14388, 13341, 0},
    {"1.1.0-chakra.0.0.4/resnet_2gpu_et.json.gz", "", "1.1.0-chakra.0.0.4", 14389, 13342, 0},
    // Two of six are Triton calls, whose last input (the stream) has no entry in `strides`.
    {"pt2_et.json.tar.gz", "pt2_et.json", "1.1.1-chakra.0.0.4", 18, 6, 4},
    {"resnet_1gpu_et.json.tar.gz",
     "resnet_1gpu_et.json",
     "1.1.1-chakra.0.0.4",
     14389,
     13342,
     13342},
    {"hf_GPT2_et.json.tar.gz", "hf_GPT2_et.json", "1.1.0-chakra.0.0.4", 27153, 24790, 0},
};

std::filesystem::path corpus() {
  const char* const folder = std::getenv("OPCENSUS_CORPUS");  // NOLINT(concurrency-mt-unsafe)
  return folder == nullptr ? std::filesystem::path() : std::filesystem::path(folder);
}

/// The file to read: the member of an archive is unpacked with tar, where there is one.
std::filesystem::path unpacked(const std::filesystem::path& file, std::string_view member) {
  if (member.empty()) {
    return file;
  }
  const auto folder = std::filesystem::path(::testing::TempDir()) / "opcensus_execution_trace";
  std::filesystem::create_directories(folder);
  const std::string command =
      "tar -xzf '" + file.string() + "' -C '" + folder.string() + "' " + std::string(member);
  const bool is_unpacked = std::system(command.c_str()) == 0;  // NOLINT(concurrency-mt-unsafe)
  return is_unpacked ? folder / member : std::filesystem::path();
}

class RealExecutionTraces : public ::testing::TestWithParam<Case> {};

TEST_P(RealExecutionTraces, AreReadInFull) {
  const std::filesystem::path file = corpus() / kParam / GetParam().file;
  if (corpus().empty() || !std::filesystem::exists(file)) {
    GTEST_SKIP() << "set OPCENSUS_CORPUS to the folder that holds " << kParam << GetParam().file;
  }
  const std::filesystem::path path = unpacked(file, GetParam().member);
  if (path.empty()) {
    GTEST_SKIP() << "tar is needed to unpack " << file;
  }
  auto source = open_bytes(path.string());
  ASSERT_TRUE(source);
  auto trace = read_execution_trace(**source, path.string());
  ASSERT_TRUE(trace) << trace.error().message;
  EXPECT_EQ(trace->schema, GetParam().schema);
  EXPECT_EQ(trace->operators.size(), GetParam().operators);
  EXPECT_TRUE(trace->complete);
  EXPECT_FALSE(trace->diagnostics.has(Severity::DataLoss));
  const auto count_of = [&](auto member) {
    return static_cast<std::size_t>(std::ranges::count_if(
        trace->operators, [member](const auto& op) { return (op.*member).has_value(); }));
  };
  EXPECT_EQ(count_of(&ExecutionOperator::input_shapes), GetParam().with_inputs);
  EXPECT_EQ(count_of(&ExecutionOperator::input_dtypes), GetParam().with_inputs);
  EXPECT_EQ(count_of(&ExecutionOperator::input_strides), GetParam().with_strides);
}

INSTANTIATE_TEST_SUITE_P(Files, RealExecutionTraces, ::testing::ValuesIn(kCases));

}  // namespace
}  // namespace opcensus::import

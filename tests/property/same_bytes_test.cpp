// SPDX-License-Identifier: Apache-2.0
//
// Invariant 2 (docs/invariants.md) on recorded runs, down to the bytes of every output file: the
// size of chunks. It is no option of the program; tests/e2e/same_bytes.py has what is.
#include <algorithm>
#include <cstddef>
#include <map>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "src/attribute/attribute.h"
#include "src/census/build_census.h"
#include "src/import/kineto/kineto_reader.h"
#include "src/io/byte_source.h"
#include "src/model/append.h"
#include "src/report/output_files.h"

namespace opcensus::testing {
namespace {

using Files = std::map<std::string, std::string>;

void import_into(Model& model, const std::string& path, const import::KinetoOptions& options) {
  auto source = open_bytes(path);
  ASSERT_TRUE(source) << path;
  Model one;
  const auto status = import::read_kineto_trace(**source, path, options, one);
  ASSERT_TRUE(status) << path << ": " << status.error().message;
  append_traces(model, std::move(one));
}

/// What `opcensus report --out` writes.
Files output_files(const std::string& set, const import::KinetoOptions& options) {
  Model model;
  for (const char* const kind : {".capture.json.gz", ".runtime.json.gz"}) {
    import_into(model, std::string(OPCENSUS_RECORDED_RUNS "/") + set + kind, options);
  }
  Files files;
  for (OutputFile& file : render_output_files(build_census(model, attribute(model), 0))) {
    files[file.name] = std::move(file.content);
  }
  return files;
}

std::size_t lines(const std::string& text) {
  return static_cast<std::size_t>(std::count(text.begin(), text.end(), '\n'));
}

class SameBytes : public ::testing::TestWithParam<const char*> {};

TEST_P(SameBytes, TheSizeOfChunksShowsInNoFile) {
  const Files expected = output_files(GetParam(), {});
  ASSERT_GE(expected.size(), 7U);
  EXPECT_GT(lines(expected.at("operators.csv")), 10U);
  EXPECT_GT(lines(expected.at("graph_nodes.csv")), 10U);
  for (const std::size_t kibibytes : {4U, 64U, 1'024U, 65'536U}) {
    for (const int threads : {1, 7}) {
      import::KinetoOptions options;
      options.chunk_bytes = kibibytes << 10U;
      options.threads = threads;
      const Files files = output_files(GetParam(), options);
      ASSERT_EQ(files.size(), expected.size());
      for (const auto& [name, content] : expected) {
        EXPECT_TRUE(files.at(name) == content)
            << name << ", chunks of " << kibibytes << " KiB, " << threads << " threads";
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(RecordedRuns, SameBytes, ::testing::Values("z1", "q2"));

}  // namespace
}  // namespace opcensus::testing

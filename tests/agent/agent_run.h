// SPDX-License-Identifier: Apache-2.0
//
// Runs a host process under the agent (OPCENSUS_SCENARIO), and takes the census of its recording.
#pragma once

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <sstream>
#include <string>

#include <gtest/gtest.h>
#include <sys/wait.h>

#include "src/engine/engine.h"

#include "tests/support/temporary_folder.h"

namespace opcensus::testing {

struct HostRun {
  int status = 0;  // as waitpid() gives it
  std::string out;
  std::string err;
  std::size_t recordings = 0;
};

inline std::string read_text(const std::filesystem::path& path) {
  std::ifstream file(path);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

class AgentTest : public ::testing::Test {
 protected:
  HostRun run(const std::string& scenario, const std::string& environment = "") {
    const std::string folder = temporary_.path().string();
    const std::string command = "OPCENSUS_DIR=" + folder +
                                " OPCENSUS_CUPTI=" OPCENSUS_FAKE_CUPTI " " + environment +
                                " " OPCENSUS_SCENARIO " " OPCENSUS_AGENT " " + scenario + " > " +
                                folder + "/out 2> " + folder + "/err";
    HostRun result;
    result.status =
        std::system(("exec env " + command).c_str());  // NOLINT(concurrency-mt-unsafe,cert-env33-c)
    result.out = read_text(folder + "/out");
    result.err = read_text(folder + "/err");
    for (const auto& entry : std::filesystem::directory_iterator(folder)) {
      result.recordings += entry.path().extension() == ".ocrec" ? 1 : 0;
    }
    return result;
  }

  Census census() {
    auto result = make_census({{folder().string()}, std::nullopt, {}});
    EXPECT_TRUE(result.has_value()) << (result ? "" : result.error().message);
    return result ? *result : Census();
  }

  [[nodiscard]] const std::filesystem::path& folder() const { return temporary_.path(); }

 private:
  testing::TemporaryFolder temporary_;
};

inline void expect_untouched(const HostRun& host) {
  EXPECT_TRUE(WIFEXITED(host.status));
  EXPECT_EQ(WEXITSTATUS(host.status), 7);
  EXPECT_EQ(host.out, "host output\n");
  EXPECT_EQ(host.recordings, 1U);
}

/// "operator shapes" -> executions, of every replayed node.
inline std::map<std::string, std::uint64_t> executions(const Census& census) {
  std::map<std::string, std::uint64_t> found;
  for (const CensusGraphNode& node : census.graph_nodes) {
    if (node.executions > 0 && node.signature != kNoIndex) {
      const CensusSignature& signature = census.signatures[node.signature];
      found[signature.operator_name + " " + signature.input_shapes] += node.executions;
    }
  }
  return found;
}

inline std::uint64_t events_of(const Census& census, Tier tier) {
  std::uint64_t events = 0;
  for (const DeviceTime& row : census.device_times) {
    events += row.tier == tier ? row.events : 0;
  }
  return events;
}

}  // namespace opcensus::testing

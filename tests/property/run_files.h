// SPDX-License-Identifier: Apache-2.0
//
// From a generated run to what the library makes of it.
#pragma once

#include <string>
#include <vector>

#include "src/census/census.h"
#include "src/model/model.h"
#include "src/segments/row_store.h"

#include "tests/property/server_run.h"
#include "tests/support/temporary_folder.h"
#include "tests/support/trace_text.h"

namespace opcensus::testing {

/// The traces as files of one folder, which goes with this object.
class RunFiles {
 public:
  explicit RunFiles(const ServerRun& run, const Layout& layout = {}, bool gzipped = false);

  [[nodiscard]] const std::vector<std::string>& paths() const { return paths_; }

  /// The paths of one rank's traces.
  [[nodiscard]] std::vector<std::string> paths_of(const ServerRun& run, int rank) const;

 private:
  TemporaryFolder folder_;
  std::vector<std::string> paths_;
};

/// make_census(); a failure is a test failure, and gives an empty census.
[[nodiscard]] Census census_of(const std::vector<std::string>& paths,
                               const RowStoreOptions& long_traces = {});

/// What depends on the files' folder and size is taken out.
[[nodiscard]] Census without_file_facts(Census census);

/// One rank's traces in one model, imported in memory.
[[nodiscard]] Model import_rank(const ServerRun& run,
                                int rank,
                                std::size_t chunk_bytes = std::size_t{1} << 20U);

}  // namespace opcensus::testing

// SPDX-License-Identifier: Apache-2.0
//
// load_traces(): from paths to the traces of each rank, and what became of every file.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "opcensus/result.h"

#include "src/base/diagnostics.h"
#include "src/base/progress.h"
#include "src/census/census.h"
#include "src/model/model.h"
#include "src/segments/row_store.h"

namespace opcensus {

/// A file that was found and is no trace of the result.
struct SkippedFile {
  std::string path;
  std::string note;      ///< one sentence: why
  bool is_used = false;  ///< an execution trace: it told more about the operators of another file
};

struct LoadedInputs {
  std::map<std::int64_t, Model> ranks;
  std::vector<Census> censuses;  ///< *.census files among the paths
  std::vector<SkippedFile> skipped;
  Diagnostics diagnostics;
};

/// Progress over several files. Called by one thread at a time, but not always the same.
class LoadObserver {
 public:
  LoadObserver() = default;
  LoadObserver(const LoadObserver&) = delete;
  LoadObserver& operator=(const LoadObserver&) = delete;
  virtual ~LoadObserver() = default;

  /// `consumed` of `total` bytes of file `number` (from 1) of `count`; total 0 = unknown.
  virtual void on_read(const std::string& path,
                       std::size_t number,
                       std::size_t count,
                       std::uint64_t consumed,
                       std::uint64_t total) = 0;
};

struct LoadOptions {
  int threads = 1;  ///< files are read side by side; what is left over helps within a file
  RowStoreOptions long_traces;
  LoadObserver* observer = nullptr;  ///< may be null
};

/// The result does not depend on the number of threads. Errors: NotFound, NothingToReport; for a
/// file named by the user, whatever its reader says. A file that was only found in a folder and
/// cannot be read is skipped and counted.
[[nodiscard]] Result<LoadedInputs> load_traces(const std::vector<std::string>& paths,
                                               const LoadOptions& options);

}  // namespace opcensus

// SPDX-License-Identifier: Apache-2.0
#include "tests/property/run_files.h"

#include <filesystem>
#include <utility>

#include <gtest/gtest.h>

#include "src/engine/engine.h"
#include "src/import/kineto/kineto_reader.h"
#include "src/io/byte_source.h"
#include "src/io/gzip_test_data.h"
#include "src/model/append.h"

namespace opcensus::testing {

RunFiles::RunFiles(const ServerRun& run, const Layout& layout, bool gzipped) {
  for (const GeneratedTrace& trace : run.traces) {
    const std::string text = render(trace.text, layout);
    paths_.push_back(folder_.write(trace.file_name, gzipped ? gzip(text) : text));
  }
}

std::vector<std::string> RunFiles::paths_of(const ServerRun& run, int rank) const {
  std::vector<std::string> paths;
  for (std::size_t i = 0; i < run.traces.size(); ++i) {
    if (run.traces[i].rank == rank) {
      paths.push_back(paths_[i]);
    }
  }
  return paths;
}

Census census_of(const std::vector<std::string>& paths, const RowStoreOptions& long_traces) {
  CensusRequest request;
  request.paths = paths;
  request.load.long_traces = long_traces;
  auto census = make_census(request);
  if (!census) {
    ADD_FAILURE() << census.error().file << ": " << census.error().message;
    return {};
  }
  return std::move(census).value();
}

Census without_file_facts(Census census) {
  for (CensusInput& input : census.inputs) {
    input.path = std::filesystem::path(input.path).filename().string();
    input.bytes = 0;
  }
  for (CensusDiagnostic& diagnostic : census.diagnostics) {
    diagnostic.places.clear();
  }
  return census;
}

Model import_rank(const ServerRun& run, int rank, std::size_t chunk_bytes) {
  Model model;
  import::KinetoOptions options;
  options.chunk_bytes = chunk_bytes;
  for (const GeneratedTrace& trace : run.traces) {
    if (trace.rank != rank) {
      continue;
    }
    const std::string text = render(trace.text);
    Model one;
    const auto status =
        import::read_kineto_trace(*bytes_in_memory(text), trace.file_name, options, one);
    if (!status) {
      ADD_FAILURE() << status.error().message;
      continue;
    }
    append_traces(model, std::move(one));
  }
  return model;
}

}  // namespace opcensus::testing

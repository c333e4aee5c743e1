// SPDX-License-Identifier: Apache-2.0
#include <filesystem>
#include <memory>
#include <string>

#include "src/census/census_file.h"
#include "src/engine/engine.h"
#include "src/io/atomic_file.h"

#include "apps/opcensus/census_outcome.h"
#include "apps/opcensus/messages.h"
#include "apps/opcensus/options.h"
#include "apps/opcensus/verbs.h"

namespace opcensus::cli {
namespace {

struct CensusArguments {
  CensusRequest request;
  std::string output;
  bool strict = false;
};

int run_census(CensusArguments arguments, Streams& streams) {
  const std::filesystem::path folder = std::filesystem::path(arguments.output).parent_path();
  if (auto status = check_writable_directory(folder.empty() ? "." : folder.string()); !status) {
    return report_error(status.error(), streams);
  }
  ProgressBar progress(streams);
  arguments.request.load.observer = &progress;
  const auto census = make_census(arguments.request);
  progress.clear();
  if (!census) {
    return report_error(census.error(), streams);
  }
  if (auto status = write_census(*census, arguments.output); !status) {
    return report_error(status.error(), streams);
  }
  return judge_census(*census, arguments.strict, streams);
}

}  // namespace

void add_census_verb(CLI::App& app, Run& run) {
  auto arguments = std::make_shared<CensusArguments>();
  CLI::App* verb = app.add_subcommand("census", "the same in SQLite, to keep, merge or query");
  add_paths(*verb, arguments->request.paths, "traces, their folders, .census files to merge");
  verb->add_option("-o,--output", arguments->output, "the file to write")
      ->type_name("FILE.census")
      ->required();
  add_rank(*verb, arguments->request.rank);
  add_load(*verb, arguments->request.load);
  add_strict(*verb, arguments->strict);
  verb->footer(
      "Example:\n  opcensus census profile/ -o run.census\n"
      "  sqlite3 run.census 'SELECT * FROM ledger'");
  verb->callback([arguments, &run] {
    run = [arguments](Streams& streams) { return run_census(*arguments, streams); };
  });
}

}  // namespace opcensus::cli

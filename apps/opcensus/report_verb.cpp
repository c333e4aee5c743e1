// SPDX-License-Identifier: Apache-2.0
#include <memory>
#include <string>
#include <vector>

#include "src/engine/engine.h"
#include "src/io/atomic_file.h"
#include "src/report/json_report.h"
#include "src/report/output_files.h"
#include "src/report/terminal_report.h"

#include "apps/opcensus/census_outcome.h"
#include "apps/opcensus/messages.h"
#include "apps/opcensus/options.h"
#include "apps/opcensus/verbs.h"

namespace opcensus::cli {
namespace {

struct ReportArguments {
  CensusRequest request;
  std::string out;
  std::string format;
  ReportOptions options;
  bool strict = false;
};

Status write_output_files(const Census& census, const std::string& folder) {
  for (const OutputFile& file : render_output_files(census)) {
    OPCENSUS_CHECK_OK(write_file_atomically(folder + "/" + file.name, file.content));
  }
  return Done{};
}

int run_report(ReportArguments arguments, Streams& streams) {
  if (!arguments.out.empty()) {
    if (auto status = check_writable_directory(arguments.out); !status) {
      return report_error(status.error(), streams);
    }
  }
  ProgressBar progress(streams);
  arguments.request.load.observer = &progress;
  arguments.options.rank = arguments.request.rank;
  arguments.options.width = streams.width;
  arguments.options.color = streams.color;
  const auto census = make_census(arguments.request);
  progress.clear();
  if (!census) {
    return report_error(census.error(), streams);
  }
  if (!arguments.out.empty()) {
    if (auto status = write_output_files(*census, arguments.out); !status) {
      return report_error(status.error(), streams);
    }
  }
  streams.out << (arguments.format == "json" ? render_json_report(*census, arguments.options)
                                             : render_terminal_report(*census, arguments.options));
  return judge_census(*census, arguments.strict, streams);
}

}  // namespace

void add_report_verb(CLI::App& app, Run& run) {
  auto arguments = std::make_shared<ReportArguments>();
  CLI::App* verb = app.add_subcommand("report", "what ran, and where the device time goes");
  add_paths(*verb, arguments->request.paths, "traces, folders of traces, or .census files");
  verb->add_option("--out", arguments->out, "also write CSV files and summary.json there")
      ->type_name("DIR");
  add_choice(*verb,
             "--phase",
             arguments->options.phase,
             Choices<Phase>{{"warmup", Phase::Warmup},
                            {"capture", Phase::Capture},
                            {"eager", Phase::Eager},
                            {"replay", Phase::Replay}},
             "only this phase (default: replay and eager)");
  add_count(*verb, "--top", arguments->options.top, "rows of each table, 0 = all (default: 20)");
  add_choice(
      *verb,
      "--sort",
      arguments->options.sort,
      Choices<SortBy>{{"device", SortBy::Device}, {"cpu", SortBy::Cpu}, {"calls", SortBy::Calls}},
      "order of the rows (default: device)");
  add_rank(*verb, arguments->request.rank);
  add_load(*verb, arguments->request.load);
  add_format(*verb, arguments->format, {"table", "json"});
  add_strict(*verb, arguments->strict);
  verb->footer("Example:\n  opcensus report profile/ profile/capture_traces --out census/");
  verb->callback([arguments, &run] {
    run = [arguments](Streams& streams) { return run_report(*arguments, streams); };
  });
}

}  // namespace opcensus::cli

// SPDX-License-Identifier: Apache-2.0
#include <memory>
#include <string>

#include "src/engine/engine.h"
#include "src/report/inspection_text.h"

#include "apps/opcensus/messages.h"
#include "apps/opcensus/options.h"
#include "apps/opcensus/verbs.h"

namespace opcensus::cli {
namespace {

struct InspectArguments {
  CensusRequest request;
  std::string format;
};

int run_inspect(InspectArguments arguments, Streams& streams) {
  ProgressBar progress(streams);
  arguments.request.load.observer = &progress;
  const auto report = make_inspection(arguments.request);
  progress.clear();
  if (!report) {
    return report_error(report.error(), streams);
  }
  streams.out << (arguments.format == "json"
                      ? render_inspection_json(*report)
                      : render_inspection_text(*report, streams.width, streams.color));
  return kExitOk;
}

}  // namespace

void add_inspect_verb(CLI::App& app, Run& run) {
  auto arguments = std::make_shared<InspectArguments>();
  CLI::App* verb = app.add_subcommand("inspect", "what each file is, holds, and lacks");
  add_paths(*verb, arguments->request.paths, "traces or folders of traces");
  add_rank(*verb, arguments->request.rank);
  add_load(*verb, arguments->request.load);
  add_format(*verb, arguments->format, {"table", "json"});
  verb->footer("Example:\n  opcensus inspect profile/");
  verb->callback([arguments, &run] {
    run = [arguments](Streams& streams) { return run_inspect(*arguments, streams); };
  });
}

}  // namespace opcensus::cli

// SPDX-License-Identifier: Apache-2.0
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <unistd.h>

#include "opcensus/version.h"

#include "src/census/census.h"
#include "src/report/json_report.h"
#include "src/report/text_safety.h"

#include "apps/opcensus/messages.h"
#include "apps/opcensus/options.h"
#include "apps/opcensus/record_command.h"
#include "apps/opcensus/terminal.h"
#include "apps/opcensus/verbs.h"

namespace opcensus::cli {
namespace {

std::string version_text() {
  return fmt::format("opcensus {}\ncensus schema {}\nreport schema {}",
                     kVersion,
                     kCensusSchemaVersion,
                     kReportSchemaVersion);
}

int report_no_verb(const CLI::App& app, const CLI::ParseError& error, Streams& streams) {
  std::vector<std::string> names;
  for (const CLI::App* verb : app.get_subcommands([](const CLI::App*) { return true; })) {
    names.push_back(verb->get_name());
  }
  const std::vector<std::string> words = app.remaining();
  const bool is_other_verb = !words.empty() && !words.front().starts_with("-");
  const bool is_missing =
      words.empty() && dynamic_cast<const CLI::RequiredError*>(&error) != nullptr;
  streams.err << "opcensus: error: "
              << (is_other_verb ? "there is no verb " + safe_text(words.front())
                  : is_missing  ? "a verb is missing"
                                : safe_text(error.what()))
              << "\nhint: the verbs are " << join(names, ", ")
              << "; opcensus --help explains them\n";
  return kExitUsage;
}

int report_usage(const CLI::App& app, const CLI::ParseError& error, Streams& streams) {
  if (error.get_exit_code() == 0) {  // --help, --version
    std::ostream& out = streams.out;
    return app.exit(error, out, streams.err) == 0 ? kExitOk : kExitUsage;
  }
  const auto verbs = app.get_subcommands();
  if (verbs.empty()) {
    return report_no_verb(app, error, streams);
  }
  streams.err << "opcensus: error: " << safe_text(error.what()) << "\nhint: opcensus "
              << verbs.front()->get_name() << " --help lists the options\n";
  return kExitUsage;
}

}  // namespace

int run_command_line(int argc, const char* const* argv, Streams& streams, bool out_is_fixed) {
  CLI::App app("The operators of a graph-mode LLM run: which, what shapes, how often, how long.",
               "opcensus");
  app.require_subcommand(1);
  app.set_version_flag("--version", version_text(), "print versions and exit");
  std::string color = "auto";
  app.add_option("--color", color, "colours in the output (default: auto)")
      ->type_name("auto|always|never")
      ->check(CLI::IsMember({"auto", "always", "never"}).description(""));
  bool quiet = false;
  app.add_flag("--quiet", quiet, "no progress on stderr");
  app.fallthrough();
  app.get_formatter()->column_width(34);

  Run run;
  add_report_verb(app, run);
  add_census_verb(app, run);
  add_inspect_verb(app, run);
  add_table_verb(app, run);
  SplitArguments split = split_record_command(argc, argv);
  add_record_verb(app, run, std::move(split.command));
  add_window_verb(app, run);
  add_doctor_verb(app, run);
  try {
    app.parse(static_cast<int>(split.own.size()), split.own.data());
  } catch (const CLI::ParseError& error) {
    return report_usage(app, error, streams);
  }
  if (!out_is_fixed) {
    streams.width = terminal_width(STDOUT_FILENO);
    streams.color = wants_color(color, STDOUT_FILENO);
    streams.show_progress = isatty(STDERR_FILENO) != 0;
  }
  streams.show_progress = streams.show_progress && !quiet;
  return run(streams);
}

}  // namespace opcensus::cli

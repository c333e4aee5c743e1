// SPDX-License-Identifier: Apache-2.0
//
// The verbs. Each add_… describes one to the parser and keeps its arguments; the function it
// stores in `run` is called after everything on the command line was validated.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include <CLI/CLI.hpp>

#include "apps/opcensus/streams.h"

namespace opcensus::cli {

using Run = std::function<int(Streams&)>;

void add_report_verb(CLI::App& app, Run& run);
void add_census_verb(CLI::App& app, Run& run);
void add_inspect_verb(CLI::App& app, Run& run);
void add_table_verb(CLI::App& app, Run& run);
void add_doctor_verb(CLI::App& app, Run& run);
void add_window_verb(CLI::App& app, Run& run);

/// `command`: what stands after --.
void add_record_verb(CLI::App& app, Run& run, std::vector<std::string> command);

/// Parses, runs, and returns the exit code. `argv` as main() gets it.
int run_command_line(int argc, const char* const* argv, Streams& streams, bool out_is_fixed);

}  // namespace opcensus::cli

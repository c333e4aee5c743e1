// SPDX-License-Identifier: Apache-2.0
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "src/launch/environment.h"
#include "src/launch/installed_files.h"
#include "src/launch/process.h"
#include "src/launch/python_command.h"
#include "src/launch/recording_folder.h"
#include "src/launch/shim_build.h"
#include "src/launch/window.h"
#include "src/launch/window_control.h"
#include "src/report/text_safety.h"
#include "src/report/units.h"

#include "apps/opcensus/messages.h"
#include "apps/opcensus/options.h"
#include "apps/opcensus/verbs.h"

namespace opcensus::cli {
namespace {

struct RecordArguments {
  std::string folder;
  std::string detail = "node";
  std::string window;      // empty: all, or none where commands open them
  std::string torch_shim;  // empty: find it; "off": none
  bool control = false;
  bool force = false;
  std::vector<std::string> command;
};

/// A shell's: what started was not the target.
constexpr int kExitNotFound = 127;
constexpr int kExitNotExecutable = 126;

void note(Streams& streams, const std::string& text) {
  streams.err << "opcensus: " << text << std::endl;  // before the target writes
}

/// The run goes on without operators of PyTorch.
std::string without_shim(const Error& error, Streams& streams) {
  const std::string place = error.file.empty() ? "" : " (" + safe_text(error.file) + ")";
  note(streams,
       "no PyTorch operators in this recording: " + safe_text(error.message) + place +
           (error.hint.empty() ? "" : "; " + safe_text(error.hint)));
  return "";
}

/// Empty where the command has no torch: then there is nothing to say, either.
std::string prepared_shim(const std::vector<std::string>& command, Streams& streams) {
  const auto python = python_of_command(command, environment_variable("PATH"));
  if (!python) {
    return "";
  }
  const auto torch = find_torch(*python);
  if (!torch) {
    return torch.error().code == ErrorCode::NotFound ? "" : without_shim(torch.error(), streams);
  }
  const auto sources = find_shim_sources();
  if (!sources) {
    return without_shim(sources.error(), streams);
  }
  if (const auto plan = plan_shim(*torch, *sources); plan && !is_built(*plan)) {
    note(streams, "building the shim for PyTorch " + safe_text(torch->version) + ", once");
  }
  const auto shim = build_shim(*torch, *sources);
  if (!shim) {
    return without_shim(shim.error(), streams);
  }
  if (shim->build_seconds > 0) {
    note(streams, fmt::format("built it in {:.1f} s", shim->build_seconds));
  }
  return shim->library;
}

/// A library that the user names must be there: checked before anything is created.
Result<std::string> given_shim(const std::string& path) {
  if (path.empty() || path == "off") {
    return std::string();
  }
  return find_file(path);
}

void tell_result(const std::string& folder, const std::string& shown, Streams& streams) {
  const RecordingFiles files = count_recordings(folder);
  if (files.count == 0) {
    note(streams,
         "no recording was written: CUDA was not used; opcensus doctor says what is missing");
    return;
  }
  note(streams,
       fmt::format("{} {}, {}; opcensus report {}",
                   files.count,
                   files.count == 1 ? "recording" : "recordings",
                   format_bytes(files.bytes),
                   safe_text(shown)));
}

int report_not_started(const Error& error, Streams& streams) {
  report_error(error, streams);
  return error.code == ErrorCode::NotFound ? kExitNotFound : kExitNotExecutable;
}

int report_no_command(Streams& streams) {
  streams.err << "opcensus: error: the command to record is missing\n"
                 "hint: it comes after --, as in opcensus record -o run -- python3 serve.py\n";
  return kExitUsage;
}

Result<RecordingSettings> prepare(const RecordArguments& arguments, Streams& streams) {
  RecordingSettings settings;
  settings.detail = arguments.detail;
  settings.window = arguments.window;
  if (settings.window.empty()) {
    settings.window = arguments.control ? "none" : "all";
  }
  settings.control = arguments.control;
  OPCENSUS_TRY(settings.agent, find_agent());
  const std::string nvtx_tool = environment_variable("NVTX_INJECTION64_PATH");
  settings.takes_nvtx = nvtx_tool.empty() || nvtx_tool == settings.agent;
  OPCENSUS_TRY(settings.torch_shim, given_shim(arguments.torch_shim));
  OPCENSUS_TRY(settings.folder, prepare_recording_folder(arguments.folder, arguments.force));
  if (arguments.torch_shim.empty()) {
    settings.torch_shim = prepared_shim(arguments.command, streams);
  }
  return settings;
}

int run_record(const RecordArguments& arguments, Streams& streams) {
  if (arguments.command.empty()) {
    return report_no_command(streams);
  }
  const auto settings = prepare(arguments, streams);
  if (!settings) {
    return report_error(settings.error(), streams);
  }
  if (const std::string other = environment_variable("CUDA_INJECTION64_PATH"); !other.empty()) {
    note(streams, "takes the place of the tool in CUDA_INJECTION64_PATH: " + safe_text(other));
  }
  if (!settings->takes_nvtx) {
    note(streams,
         "leaves NVTX ranges to the tool in NVTX_INJECTION64_PATH: " +
             safe_text(environment_variable("NVTX_INJECTION64_PATH")));
  }
  streams.out.flush();
  const auto status = run_target(
      arguments.command, with_variables(current_environment(), recording_variables(*settings)));
  if (!status) {
    return report_not_started(status.error(), streams);
  }
  remove_dead_sockets(settings->folder);
  tell_result(settings->folder, arguments.folder, streams);
  return *status;
}

/// An option that says when to time. `parse` gives its value for the agent.
CLI::Option* add_window_option(CLI::App& verb,
                               std::string& window,
                               const std::string& name,
                               std::string_view forms,
                               Result<std::string> (*parse)(std::string_view),
                               const std::string& description) {
  const auto take = [&window, parse](const std::string& text) {
    if (auto parsed = parse(text)) {
      window = std::move(parsed).value();
    }
  };
  return verb.add_option_function<std::string>(name, take, description)
      ->type_name(std::string(forms))
      ->check([parse](const std::string& text) {
        const auto parsed = parse(text);
        return parsed ? std::string() : parsed.error().hint + ", not " + text;
      });
}

}  // namespace

void add_record_verb(CLI::App& app, Run& run, std::vector<std::string> command) {
  auto arguments = std::make_shared<RecordArguments>();
  arguments->command = std::move(command);
  CLI::App* verb = app.add_subcommand("record", "run a program, record what its graphs execute");
  verb->add_option("-o,--out", arguments->folder, "folder for the recordings, created if missing")
      ->type_name("DIR")
      ->required();
  add_named_choice(
      *verb,
      "--detail",
      {"node", "graph"},
      [arguments](const std::string& name) { arguments->detail = name; },
      "time each kernel, or whole graph launches\n(default: node)");
  CLI::Option* window = add_window_option(
      *verb,
      arguments->window,
      "--window",
      kWindowForms,
      parse_window,
      "when to time: always, never, or in a range of\ngraph launches or seconds (default: all)");
  add_window_option(*verb,
                    arguments->window,
                    "--sample",
                    kSampleForms,
                    parse_sample,
                    "time one of every N graph launches")
      ->excludes(window);
  verb->add_flag("--control",
                 arguments->control,
                 "listen to opcensus window start|stop|status;\nno window before that");
  verb->add_option(
          "--torch-shim",
          arguments->torch_shim,
          "a built libopcensus_torch.so, or off (default:\nbuilt for the torch of CMD, once)")
      ->type_name("PATH|off");
  verb->add_flag("--force", arguments->force, "replace the recordings in DIR");
  verb->footer(
      "The command to run comes after --. Its output, signals and exit status pass\n"
      "through untouched.\n\n"
      "Example:\n  opcensus record -o run --sample every=200 -- vllm serve Qwen/Qwen3-0.6B");
  verb->callback([arguments, &run] {
    run = [arguments](Streams& streams) { return run_record(*arguments, streams); };
  });
}

}  // namespace opcensus::cli

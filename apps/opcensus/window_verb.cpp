// SPDX-License-Identifier: Apache-2.0
#include <chrono>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "src/launch/window_control.h"
#include "src/report/json_writer.h"
#include "src/report/text_safety.h"
#include "src/report/units.h"

#include "apps/opcensus/messages.h"
#include "apps/opcensus/verbs.h"

namespace opcensus::cli {
namespace {

/// A stop answers when everything is in the recording.
constexpr std::chrono::seconds kPatience{60};
constexpr std::int64_t kWindowSchemaVersion = 1;

/// What is wrong with `text` as a number from 1 up; "" if nothing is.
std::string check_count(const std::string& text) {
  const bool is_number = !text.empty() && text.size() < 19 && text.front() != '0' &&
                         text.find_first_not_of("0123456789") == std::string::npos;
  return is_number ? "" : "must be a number from 1 up, not " + text;
}

struct WindowArguments {
  std::string action;
  std::string folder;
  std::uint64_t launches = 0;
  std::uint64_t seconds = 0;
  bool is_json = false;
};

std::string command_of(const WindowArguments& arguments) {
  std::string command = arguments.action;
  if (arguments.launches > 0) {
    command += " launches=" + std::to_string(arguments.launches);
  }
  if (arguments.seconds > 0) {
    command += " seconds=" + std::to_string(arguments.seconds);
  }
  return command;
}

std::string render_text(const std::vector<ProcessWindow>& windows) {
  constexpr const char* kRow = "{:>9}  {:<7} {:>8} {:>15} {:>15} {:>7}\n";
  std::string text =
      fmt::format(kRow, "process", "window", "windows", "graph launches", "device events", "lost");
  for (const ProcessWindow& window : windows) {
    if (window.process > 0) {
      text += fmt::format(kRow,
                          window.process,
                          window.is_open ? "open" : "closed",
                          format_count(window.windows),
                          format_count(window.graph_launches),
                          format_count(window.device_events),
                          format_count(window.lost));
    }
    if (!window.error.empty()) {
      text += fmt::format("{:>9}  {}: {}\n", "", safe_text(window.name), safe_text(window.error));
    }
  }
  return text;
}

std::string render_json(const std::vector<ProcessWindow>& windows) {
  JsonWriter json;
  json.begin_object();
  json.member("schema_version", kWindowSchemaVersion);
  json.key("processes");
  json.begin_array();
  for (const ProcessWindow& window : windows) {
    json.begin_object();
    json.member("name", std::string_view(window.name));
    json.member("process", window.process);
    json.member("is_open", window.is_open);
    json.member("windows", window.windows);
    json.member("graph_launches", window.graph_launches);
    json.member("device_events", window.device_events);
    json.member("lost", window.lost);
    json.member("threads", window.threads);
    json.member("error", std::string_view(window.error));
    json.end_object();
  }
  json.end_array();
  json.end_object();
  return std::move(json).finish();
}

int run_window(const WindowArguments& arguments, Streams& streams) {
  const auto windows = command_windows(arguments.folder, command_of(arguments), kPatience);
  if (!windows) {
    return report_error(windows.error(), streams);
  }
  streams.out << (arguments.is_json ? render_json(*windows) : render_text(*windows));
  for (const ProcessWindow& window : *windows) {
    if (!window.error.empty()) {
      return kExitFailed;
    }
  }
  return kExitOk;
}

void add_action(CLI::App& verb,
                const std::string& name,
                const std::string& description,
                const std::shared_ptr<WindowArguments>& arguments,
                Run& run) {
  CLI::App* action = verb.add_subcommand(name, description);
  action->add_option("DIR", arguments->folder, "folder of the run (-o of opcensus record)")
      ->type_name("")
      ->required();
  if (name == "start") {
    action->add_option("--launches", arguments->launches, "close it after N graph launches")
        ->type_name("N")
        ->check(check_count);
    action->add_option("--seconds", arguments->seconds, "close it after N seconds")
        ->type_name("N")
        ->check(check_count);
  }
  action->add_flag("--json", arguments->is_json, "the same for programs");
  action->callback([arguments, name, &run] {
    arguments->action = name;
    run = [arguments](Streams& streams) { return run_window(*arguments, streams); };
  });
}

}  // namespace

void add_window_verb(CLI::App& app, Run& run) {
  auto arguments = std::make_shared<WindowArguments>();
  CLI::App* verb = app.add_subcommand("window", "open and close timing windows while it runs");
  verb->require_subcommand(1);
  add_action(*verb, "start", "open a window in every process", arguments, run);
  add_action(
      *verb, "stop", "close it; returns when the recordings\nhold everything", arguments, run);
  add_action(*verb, "status", "what each process has recorded so far", arguments, run);
  verb->footer(
      "The run must have been started with opcensus record --control.\n\n"
      "Example:\n"
      "  opcensus record -o run --control -- vllm serve Qwen/Qwen3-0.6B &\n"
      "  opcensus window start run --launches 50");
}

}  // namespace opcensus::cli

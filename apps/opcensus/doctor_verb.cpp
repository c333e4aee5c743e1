// SPDX-License-Identifier: Apache-2.0
#include <memory>
#include <string>

#include "src/launch/diagnosis.h"
#include "src/launch/setup_facts.h"
#include "src/report/json_writer.h"
#include "src/report/text_safety.h"

#include "apps/opcensus/options.h"
#include "apps/opcensus/verbs.h"

namespace opcensus::cli {
namespace {

constexpr int kDoctorSchemaVersion = 1;

struct DoctorArguments {
  std::string python;
  bool is_json = false;
  bool is_required = false;
};

const char* name_of(FindingState state) {
  switch (state) {
    case FindingState::Good:
      return "good";
    case FindingState::Limits:
      return "limits";
    case FindingState::Prevents:
      return "prevents";
  }
  return "";
}

const char* mark_of(FindingState state) {
  switch (state) {
    case FindingState::Good:
      return "ok  ";
    case FindingState::Limits:
      return "less";
    case FindingState::Prevents:
      return "no  ";
  }
  return "";
}

std::string render_text(const Diagnosis& diagnosis) {
  std::string text;
  for (const Finding& finding : diagnosis.findings) {
    text += std::string(mark_of(finding.state)) + "  " + safe_text(finding.text) + "\n";
    if (!finding.hint.empty()) {
      text += "      " + safe_text(finding.hint) + "\n";
    }
  }
  text += "\n";
  for (const std::string& sentence : diagnosis.works) {
    text += "works: " + sentence + "\n";
  }
  for (const std::string& sentence : diagnosis.does_not_work) {
    text += "does not work: " + sentence + "\n";
  }
  return text;
}

void write_sentences(JsonWriter& json,
                     const char* name,
                     const std::vector<std::string>& sentences) {
  json.key(name);
  json.begin_array();
  for (const std::string& sentence : sentences) {
    json.value(std::string_view(sentence));
  }
  json.end_array();
}

void write_findings(JsonWriter& json, const std::vector<Finding>& findings) {
  json.key("findings");
  json.begin_array();
  for (const Finding& finding : findings) {
    json.begin_object();
    json.member("name", std::string_view(finding.name));
    json.member("state", name_of(finding.state));
    json.member("text", std::string_view(finding.text));
    json.member("hint", std::string_view(finding.hint));
    json.end_object();
  }
  json.end_array();
}

void write_facts(JsonWriter& json, const SetupFacts& facts) {
  json.key("facts");
  json.begin_object();
  json.member("driver_version", facts.driver_version);
  json.member("gpu_count", facts.gpu_count);
  json.member("cupti_path", std::string_view(facts.cupti ? facts.cupti->path : ""));
  json.member("cupti_version", facts.cupti ? facts.cupti->api_version : 0);
  json.member("python", std::string_view(facts.python));
  json.member("torch_version", std::string_view(facts.torch ? facts.torch->version : ""));
  json.member("compiler", std::string_view(facts.compiler));
  json.member("torch_shim", std::string_view(facts.shim));
  json.member("agent", std::string_view(facts.agent));
  json.end_object();
}

std::string render_json(const SetupFacts& facts, const Diagnosis& diagnosis) {
  JsonWriter json;
  json.begin_object();
  json.member("schema_version", kDoctorSchemaVersion);
  json.member("can_record", diagnosis.can_record);
  json.member("can_name_operators", diagnosis.can_name_operators);
  write_facts(json, facts);
  write_findings(json, diagnosis.findings);
  write_sentences(json, "works", diagnosis.works);
  write_sentences(json, "does_not_work", diagnosis.does_not_work);
  json.end_object();
  return std::move(json).finish();
}

int run_doctor(const DoctorArguments& arguments, Streams& streams) {
  const SetupFacts facts = find_setup_facts(arguments.python);
  const Diagnosis diagnosis = diagnose(facts);
  streams.out << (arguments.is_json ? render_json(facts, diagnosis) : render_text(diagnosis));
  return arguments.is_required && !diagnosis.can_record ? kExitFailed : kExitOk;
}

}  // namespace

void add_doctor_verb(CLI::App& app, Run& run) {
  auto arguments = std::make_shared<DoctorArguments>();
  CLI::App* verb = app.add_subcommand("doctor", "what can be recorded here, and what is missing");
  verb->add_option("--python", arguments->python, "of your server (default: python3 in PATH)")
      ->type_name("PYTHON");
  verb->add_flag("--json", arguments->is_json, "the same for programs");
  verb->add_flag("--require", arguments->is_required, "exit 1 if nothing can be recorded here");
  verb->footer("Example:\n  opcensus doctor --python /opt/venv/bin/python3");
  verb->callback([arguments, &run] {
    run = [arguments](Streams& streams) { return run_doctor(*arguments, streams); };
  });
}

}  // namespace opcensus::cli

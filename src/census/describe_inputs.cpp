// SPDX-License-Identifier: Apache-2.0
#include "src/census/describe_inputs.h"

#include <algorithm>
#include <map>
#include <set>
#include <string>

#include <fmt/format.h>

namespace opcensus {
namespace {

std::string json_string(std::string_view text) {
  std::string out = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') {
      out += '\\';
      out += c;
    } else if (static_cast<unsigned char>(c) < 0x20) {
      out += fmt::format("\\u{:04x}", static_cast<unsigned char>(c));
    } else {
      out += c;
    }
  }
  return out + "\"";
}

/// The devices that ran something; all listed ones if that is not known.
std::string describe_devices(const Model& model) {
  std::set<std::int64_t> used;
  for (const Trace& trace : model.traces) {
    for (const Stream& stream : trace.streams) {
      used.insert(stream.device);
    }
  }
  std::map<std::int64_t, std::string> names;
  for (const Trace& trace : model.traces) {
    for (const DeviceInfo& device : trace.devices) {
      if (!device.name.empty() && (used.empty() || used.count(device.id) > 0)) {
        names.emplace(device.id, device.name);
      }
    }
  }
  std::map<std::string, std::size_t> counts;
  for (const auto& [id, name] : names) {
    ++counts[name];
  }
  std::string text;
  for (const auto& [name, count] : counts) {
    text += text.empty() ? "" : ", ";
    text += count == 1 ? name : fmt::format("{} ×{}", name, count);
  }
  return text;
}

std::string describe_properties(const Model& model) {
  std::map<std::string, std::string> values;  // sorted keys
  for (const Trace& trace : model.traces) {
    for (const TraceProperty& property : trace.properties) {
      values.emplace(property.name, property.value);
    }
    if (trace.world_size) {
      values.emplace("world_size", fmt::format("{}", *trace.world_size));
    }
  }
  std::string text = "{";
  for (const auto& [name, value] : values) {
    text += text.size() == 1 ? "" : ",";
    text += json_string(name) + ":" + json_string(value);
  }
  return text + "}";
}

std::string describe_place(const IssuePlace& place) {
  std::string text = place.file;
  if (place.byte_offset) {
    text += fmt::format(" (byte {})", *place.byte_offset);
  }
  if (!place.detail.empty()) {
    text += (text.empty() ? "" : ": ") + place.detail;
  }
  return text;
}

/// What only the whole of a rank's traces can tell.
Diagnostics judge_rank(const Model& model, const Attribution& attribution) {
  Diagnostics found;
  bool any_device_event = false;
  for (std::size_t i = 0; i < model.traces.size(); ++i) {
    const Trace& trace = model.traces[i];
    const TraceRole& role = attribution.traces[i].role;
    any_device_event = any_device_event || role.has_device_events;
    // Ranges have names only: that is told already, and a setting of the profiler changes nothing.
    const bool are_ranges = trace.diagnostics.times(Issue::RangesAsOperators) > 0;
    if (role.has_operators && !role.has_shapes && !are_ranges) {
      found.count(Issue::NoInputShapes, {trace.path, std::nullopt, ""});
    }
  }
  if (!any_device_event && !model.traces.empty()) {
    found.count(Issue::NoDeviceEvents, {model.traces.front().path, std::nullopt, ""});
  }
  if (attribution.first_replay_in.has_value() && attribution.steps.empty()) {
    const TraceId trace = attribution.first_replay_in;
    found.count(Issue::NoStepAnnotation, {model.traces[trace.index()].path, std::nullopt, ""});
  }
  return found;
}

std::uint64_t event_count(const Trace& trace) {
  std::uint64_t events = 0;
  for (const CategoryCount& category : trace.categories) {
    events += category.events;
  }
  return events;
}

}  // namespace

std::string_view role_name(const TraceRole& role) {
  if (!role.has_captures) {
    return "runtime";
  }
  return role.has_graph_launches ? "capture+runtime" : "capture";
}

std::vector<CensusDiagnostic> describe_diagnostics(const Diagnostics& diagnostics) {
  std::vector<CensusDiagnostic> rows;
  for (std::size_t i = 0; i < kIssueCount; ++i) {
    const auto issue = static_cast<Issue>(i);
    if (diagnostics.times(issue) == 0) {
      continue;
    }
    CensusDiagnostic row;
    row.name = issue_info(issue).name;
    row.severity = severity_name(issue_info(issue).severity);
    row.times = diagnostics.times(issue);
    std::set<std::string> places;
    for (const IssuePlace& place : diagnostics.samples(issue)) {
      places.insert(describe_place(place));
    }
    for (const std::string& place : places) {
      row.places += (row.places.empty() ? "" : "\n") + place;
    }
    rows.push_back(std::move(row));
  }
  return rows;
}

void describe_inputs(const Model& model,
                     const Attribution& attribution,
                     std::int64_t rank,
                     Census& census) {
  Diagnostics all = attribution.diagnostics;
  all.merge(judge_rank(model, attribution));
  for (std::size_t i = 0; i < model.traces.size(); ++i) {
    const Trace& trace = model.traces[i];
    all.merge(trace.diagnostics);
    CensusInput input;
    input.path = trace.path;
    input.format = trace.format;
    input.role = role_name(attribution.traces[i].role);
    input.rank = rank;
    input.bytes = trace.bytes;
    input.events = event_count(trace);
    input.complete = trace.complete;
    input.note = trace.complete ? "" : "the rest is missing or damaged";
    census.inputs.push_back(std::move(input));
  }
  census.ranks.push_back({rank, describe_devices(model), describe_properties(model)});
  for (CensusDiagnostic& row : describe_diagnostics(all)) {
    census.diagnostics.push_back(std::move(row));
  }
}

}  // namespace opcensus

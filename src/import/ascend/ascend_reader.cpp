// SPDX-License-Identifier: Apache-2.0
#include "src/import/ascend/ascend_reader.h"

#include <algorithm>
#include <filesystem>
#include <string_view>
#include <system_error>
#include <utility>

#include "src/import/ascend/database_source.h"
#include "src/import/ascend/profile_files.h"
#include "src/import/ascend/profile_info.h"
#include "src/import/ascend/text_source.h"
#include "src/import/ascend/trace_rows.h"

namespace opcensus::import {
namespace {

using ascend::ProfileFiles;
using ascend::ProfileInfo;
using ascend::ProfileRows;
using ascend::ProfileState;

bool is_folder(const std::string& path) {
  std::error_code error;
  return std::filesystem::is_directory(path, error);
}

Error unusable(ProfileState state, const std::string& path) {
  switch (state) {
    case ProfileState::NotParsed:
      return {ErrorCode::UnsupportedFormat,
              "the profile was collected but not parsed",
              path,
              {},
              "on a machine with torch_npu: from torch_npu.profiler.profiler import analyse; "
              "analyse(\"" +
                  path + "\")"};
    case ProfileState::Cluster:
      return {ErrorCode::UnsupportedFormat,
              "the folder holds results over several ranks, no events",
              path,
              {},
              "give the folders of the ranks (*_ascend_pt)"};
    case ProfileState::NoEvents:
      return {ErrorCode::UnsupportedFormat,
              "the profile lacks the files with events: a database, kernel_details.csv or "
              "trace_view.json",
              path,
              {},
              "copy the whole ASCEND_PROFILER_OUTPUT folder, or export the profile again"};
    case ProfileState::Unknown:
    case ProfileState::Parsed:
      break;
  }
  return {ErrorCode::NotATrace,
          "not a profile of an Ascend NPU",
          path,
          {},
          "give a folder *_ascend_pt, or a file of its ASCEND_PROFILER_OUTPUT"};
}

bool has_operators(const Trace& trace) {
  return std::any_of(trace.host_spans.begin(), trace.host_spans.end(), [](const HostSpan& span) {
    return span.kind == HostSpanKind::Operator;
  });
}

/// What this profile leaves out, told by what is in it rather than by its level.
std::vector<std::string> find_gaps(const Model& model, const Trace& trace) {
  const auto has_kernel = [&trace](auto&& fits) {
    return std::any_of(
        trace.device_events.begin(), trace.device_events.end(), [&fits](const DeviceEvent& event) {
          return event.kind == DeviceEventKind::Kernel && fits(event);
        });
  };
  const bool has_shapes = has_kernel([&model](const DeviceEvent& event) {
    return event.recorded.has_value() && model.signatures[event.recorded].input_shapes.has_value();
  });
  const bool has_blocks = has_kernel([&model](const DeviceEvent& event) {
    return event.dims.has_value() && model.dims[event.dims].grid[0] > 0;
  });
  const bool has_graphs =
      has_kernel([](const DeviceEvent& event) { return event.graph_node_id != 0; });
  std::vector<std::string> gaps;
  if (!has_shapes) {
    gaps.emplace_back("input shapes and dtypes of kernels");
  }
  if (!has_blocks) {
    gaps.emplace_back("block counts of kernels");
  }
  if (trace.api_calls.empty()) {
    gaps.emplace_back("which call launched a kernel");
  }
  if (!has_operators(trace)) {
    gaps.emplace_back("operators of the framework");
  }
  if (has_graphs) {
    gaps.emplace_back("framework operators of replayed kernels");
  }
  gaps.emplace_back("strides and scalar arguments of operators");
  return gaps;
}

void describe(const ProfileFiles& files, ProfileInfo info, bool is_database, Trace& trace) {
  const std::string form = is_database ? "database" : "text";
  trace.variant = info.level.empty() ? form : info.level + ", " + form;
  trace.record_shapes = info.record_shapes;
  trace.world_size = info.world_size;
  std::move(info.properties.begin(), info.properties.end(), std::back_inserter(trace.properties));
  trace.properties.push_back({"source", form});
  if (is_database && files.has_text()) {
    trace.properties.push_back({"also_there", "text, not read: the database says the same"});
  }
  std::sort(trace.properties.begin(),
            trace.properties.end(),
            [](const TraceProperty& a, const TraceProperty& b) { return a.name < b.name; });
}

/// A database that is still open elsewhere has its newest rows in a file beside it, which reading
/// without locks leaves out.
void note_write_ahead_log(const std::string& database, Trace& trace) {
  std::error_code error;
  const auto bytes = std::filesystem::file_size(database + "-wal", error);
  if (!error && bytes > 0) {
    trace.complete = false;
    trace.diagnostics.count(Issue::UnmergedLog, {database, {}, ""});
  }
}

std::optional<std::int64_t> choose_rank(const ProfileFiles& files,
                                        const ProfileInfo& info,
                                        const ProfileRows& rows) {
  if (info.rank) {
    return info.rank;
  }
  if (rows.rank) {
    return rows.rank;
  }
  // msprof's databases end in a time, and its slices are numbered.
  const bool is_named = ascend::last_part(files.database).starts_with("ascend_pytorch_profiler");
  return is_named ? ascend::rank_of_file_name(files.database) : std::nullopt;
}

}  // namespace

bool is_ascend_folder(const std::string& path) {
  return is_folder(path) && ascend::find_profile_files(path).state != ProfileState::Unknown;
}

bool is_ascend_file(const std::string& path) {
  std::error_code error;
  return std::filesystem::is_regular_file(path, error) &&
         ascend::find_profile_files(path).state == ProfileState::Parsed;
}

Result<Done> read_ascend_profile(const std::string& path,
                                 const AscendOptions& options,
                                 Model& model) {
  std::error_code error;
  if (!std::filesystem::exists(path, error)) {
    return Error{ErrorCode::NotFound, "no such file or folder", path, {}, "check the path"};
  }
  const ProfileFiles files = ascend::find_profile_files(path);
  if (files.state != ProfileState::Parsed) {
    return unusable(files.state, path);
  }
  Trace trace;
  trace.path = path;
  trace.format = "ascend";
  trace.device_type = "NPU";
  const bool is_database = !files.database.empty();
  auto rows = is_database ? ascend::read_database_source(files.database, model.strings)
                          : ascend::read_text_source(
                                files.kernel_details, files.trace_views, options, model.strings);
  if (!rows) {
    return std::move(rows).error().in_file(path);
  }
  ProfileInfo info =
      ascend::read_profile_info(files.profiler_info, files.metadata, options.limits.max_info_bytes);
  trace.rank = choose_rank(files, info, *rows);
  ascend::build_trace(std::move(rows).value(), model, trace);
  describe(files, std::move(info), is_database, trace);
  trace.cannot_tell = find_gaps(model, trace);
  if (is_database) {
    trace.bytes = std::filesystem::file_size(files.database, error);
    note_write_ahead_log(files.database, trace);
  }
  model.traces.push_back(std::move(trace));
  return Done{};
}

}  // namespace opcensus::import

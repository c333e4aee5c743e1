// SPDX-License-Identifier: Apache-2.0
#include "src/import/nsys/nsys_reader.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <filesystem>
#include <system_error>
#include <utility>

#include "src/import/nsys/device_rows.h"
#include "src/import/nsys/graph_nodes.h"
#include "src/import/nsys/host_rows.h"
#include "src/import/nsys/nsys_tables.h"
#include "src/import/nsys/range_operators.h"
#include "src/import/nsys/row_intake.h"
#include "src/import/nsys/trace_info.h"
#include "src/io/first_bytes.h"
#include "src/io/sqlite.h"

namespace opcensus::import {
namespace {

constexpr std::array<std::string_view, 3> kReportEndings{".nsys-rep", ".qdrep", ".qdstrm"};

std::uint64_t size_of(const std::string& path) {
  std::error_code error;
  const std::uintmax_t size = std::filesystem::file_size(path, error);
  return error ? 0 : size;
}

bool ends_with_ignoring_case(std::string_view text, std::string_view ending) {
  return text.size() >= ending.size() &&
         std::equal(ending.begin(),
                    ending.end(),
                    text.end() - static_cast<std::ptrdiff_t>(ending.size()),
                    [](char a, char b) {
                      return a == static_cast<char>(std::tolower(static_cast<unsigned char>(b)));
                    });
}

/// Tells the observer how many of the tables' readers are through.
class Steps {
 public:
  Steps(ProgressObserver* observer, std::uint64_t bytes) : observer_(observer), bytes_(bytes) {}

  void next() {
    ++done_;
    if (observer_ != nullptr) {
      observer_->on_progress(bytes_ / kSteps * std::min(done_, kSteps), bytes_);
    }
  }

 private:
  static constexpr std::uint64_t kSteps = 5;

  ProgressObserver* observer_;
  std::uint64_t bytes_;
  std::uint64_t done_ = 0;
};

Nanoseconds first_time(const Trace& trace) {
  Nanoseconds first;
  bool is_first = true;
  for (const DeviceEvent& event : trace.device_events) {
    first = is_first ? event.start : std::min(first, event.start);
    is_first = false;
  }
  return first;
}

void note_limits(const RowIntake& intake,
                 const TraceInfo& info,
                 const Ranges& ranges,
                 Trace& trace) {
  const bool has_replays = std::any_of(
      trace.device_events.begin(), trace.device_events.end(), [](const DeviceEvent& event) {
        return event.graph_node_id != 0;
      });
  const auto cannot_tell = [&trace](const char* what) { trace.cannot_tell.emplace_back(what); };
  if (!ranges.has_operators) {
    cannot_tell("operators (PyTorch's ranges were not recorded)");
  } else if (!ranges.has_shapes) {
    cannot_tell("input shapes of operators");
  }
  cannot_tell("input dtypes of operators");
  if (trace.raw_device.at(static_cast<std::size_t>(DeviceEventKind::Graph)).events > 0) {
    cannot_tell("what ran inside graphs (they were recorded as a whole)");
  }
  if (has_replays && !intake.tables().has("CUDA_GRAPH_NODE_EVENTS")) {
    cannot_tell("operators of replayed kernels (the making of graph nodes was not recorded)");
  }
  if (info.may_lack_events) {
    cannot_tell("whether every event was collected (nsys warns that some may be missing)");
  }
}

void finish_trace(RowIntake& intake, const TraceInfo& info, const Ranges& ranges, Trace& trace) {
  if (!ranges.has_operators && !ranges.nested.empty()) {
    const std::size_t spans = trace.host_spans.size();
    add_range_operators(ranges.nested, trace);
    if (trace.host_spans.size() > spans) {
      intake.count(Issue::RangesAsOperators, "");
    }
  }
  if (ranges.has_operators) {
    trace.record_shapes = ranges.has_shapes;
  }
  if (intake.processes().device_processes() == 1) {
    trace.rank = info.rank;
    trace.world_size = info.world_size;
  }
  if (!info.session.empty()) {
    // One session may be exported in several parts.
    trace.trace_id = info.session + "-" + std::to_string(first_time(trace).count());
  }
  note_limits(intake, info, ranges, trace);
  intake.finish();
}

Status read_tables(const NsysTables& tables,
                   const NsysOptions& options,
                   Model& model,
                   Trace& trace) {
  RowIntake intake(tables, options.limits, model, trace);
  Steps steps(options.progress, trace.bytes);
  TraceInfo info;
  OPCENSUS_CHECK_OK(read_trace_info(intake, info));
  steps.next();
  OPCENSUS_CHECK_OK(read_device_rows(intake));
  steps.next();
  OPCENSUS_CHECK_OK(read_api_calls(intake));
  steps.next();
  OPCENSUS_CHECK_OK(read_graph_nodes(intake));
  steps.next();
  Ranges ranges;
  OPCENSUS_CHECK_OK(read_ranges(intake, ranges));
  steps.next();
  finish_trace(intake, info, ranges, trace);
  return Done{};
}

Status read_database(const NsysOptions& options, Model& model, Trace& trace) {
  OPCENSUS_TRY(Database database, Database::open_read_only(trace.path, ErrorCode::Damaged));
  OPCENSUS_TRY(const NsysTables tables, NsysTables::open(database));
  if (!tables.are_of_nsys()) {
    return Error{ErrorCode::NotATrace,
                 "the database has no tables of Nsight Systems",
                 {},
                 std::nullopt,
                 "give the file that nsys export --type sqlite wrote"};
  }
  return read_tables(tables, options, model, trace);
}

}  // namespace

bool is_nsys_export(const std::string& path) {
  if (!looks_like_sqlite(first_bytes(path, kDatabaseHeaderBytes))) {
    return false;
  }
  auto database = Database::open_read_only(path, ErrorCode::Damaged);
  if (!database) {
    return false;
  }
  const auto tables = NsysTables::open(*database);
  return tables && tables.value().are_of_nsys();
}

bool is_nsys_report(std::string_view name) {
  return std::any_of(kReportEndings.begin(), kReportEndings.end(), [name](std::string_view ending) {
    return ends_with_ignoring_case(name, ending);
  });
}

Error nsys_report_error(const std::string& path) {
  return Error{ErrorCode::UnsupportedFormat,
               "this is a report of Nsight Systems, which only nsys can read",
               path,
               std::nullopt,
               "export it first: nsys export --type sqlite FILE"};
}

Result<Done> read_nsys_export(const std::string& path, const NsysOptions& options, Model& model) {
  Trace trace;
  trace.path = path;
  trace.format = "nsys_sqlite";
  trace.bytes = size_of(path);
  auto status = read_database(options, model, trace);
  if (!status) {
    return std::move(status).error().in_file(path);
  }
  model.traces.push_back(std::move(trace));
  return Done{};
}

}  // namespace opcensus::import

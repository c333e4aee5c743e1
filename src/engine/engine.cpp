// SPDX-License-Identifier: Apache-2.0
#include "src/engine/engine.h"

#include <set>
#include <string>
#include <utility>

#include "opcensus/version.h"

#include "src/analyze/inspection.h"
#include "src/analyze/select_rank.h"
#include "src/attribute/attribute.h"
#include "src/census/build_census.h"
#include "src/census/describe_inputs.h"
#include "src/engine/segment_reader.h"

namespace opcensus {
namespace {

/// `found`: the ranks that are there.
Error no_such_rank(std::int64_t rank, const std::set<std::int64_t>& found) {
  std::string list;
  for (const std::int64_t number : found) {
    list += (list.empty() ? "" : ", ") + std::to_string(number);
  }
  return {ErrorCode::NothingToReport,
          "no input belongs to rank " + std::to_string(rank),
          "",
          {},
          "the inputs belong to rank " + list};
}

std::set<std::int64_t> ranks_of(const LoadedInputs& loaded) {
  std::set<std::int64_t> ranks;
  for (const auto& entry : loaded.ranks) {
    ranks.insert(entry.first);
  }
  for (const Census& census : loaded.censuses) {
    for (const CensusRank& rank : census.ranks) {
      ranks.insert(rank.rank);
    }
  }
  return ranks;
}

/// Files that were left out, and what was noticed before any rank existed.
Census census_of_skipped(const LoadedInputs& loaded) {
  Census census;
  census.tool_version = kVersion;
  for (const SkippedFile& file : loaded.skipped) {
    CensusInput input;
    input.path = file.path;
    input.role = file.is_used ? "operators" : "ignored";
    input.note = file.note;
    census.inputs.push_back(std::move(input));
  }
  census.diagnostics = describe_diagnostics(loaded.diagnostics);
  return census;
}

/// Attributes the traces of a rank. Each consumer sees all whole traces first, and then every
/// segment of the long ones while it is in memory.
template <class... Consumer>
Status attribute_rank(Model& model, int threads, Attributor& attributor, Consumer&... consumers) {
  attributor.attribute_whole_traces();
  (consumers.add_whole_traces(), ...);
  for (std::size_t i = 0; i < model.traces.size(); ++i) {
    if (model.traces[i].segments == nullptr) {
      continue;
    }
    SegmentReader reader(model.traces[i], threads > 1);
    while (true) {
      OPCENSUS_TRY(const bool has_segment, reader.next());
      if (!has_segment) {
        break;
      }
      attributor.attribute_segment(TraceId(i));
      (consumers.add_segment(TraceId(i)), ...);
    }
  }
  attributor.finish();
  return Done{};
}

}  // namespace

Result<Census> make_census(const CensusRequest& request) {
  OPCENSUS_TRY(LoadedInputs loaded, load_traces(request.paths, request.load));
  const std::set<std::int64_t> ranks = ranks_of(loaded);
  if (request.rank && ranks.count(*request.rank) == 0) {
    return no_such_rank(*request.rank, ranks);
  }
  std::optional<Census> sum;
  const auto add = [&sum](Census part) -> Status {
    if (!sum) {
      sum = std::move(part);
      return Done{};
    }
    OPCENSUS_TRY(sum, merge(*sum, part));
    return Done{};
  };
  while (!loaded.ranks.empty()) {
    auto node =
        loaded.ranks.extract(loaded.ranks.begin());  // each rank's traces go when it is done
    if (request.rank && node.key() != *request.rank) {
      continue;
    }
    Attributor attributor(node.mapped());
    CensusBuilder builder(node.mapped(), attributor.result(), node.key());
    OPCENSUS_CHECK_OK(attribute_rank(node.mapped(), request.load.threads, attributor, builder));
    Census census = builder.finish();
    census.tool_version = kVersion;
    OPCENSUS_CHECK_OK(add(std::move(census)));
  }
  for (Census& census : loaded.censuses) {
    if (request.rank) {
      census = select_rank(census, *request.rank);
      canonicalize(census);
    }
    OPCENSUS_CHECK_OK(add(std::move(census)));
  }
  if (!loaded.skipped.empty()) {
    OPCENSUS_CHECK_OK(add(census_of_skipped(loaded)));
  }
  return std::move(*sum);
}

Result<std::vector<TraceTable>> make_tables(const TableRequest& request) {
  OPCENSUS_TRY(LoadedInputs loaded, load_traces(request.paths, request.load));
  std::vector<TraceTable> tables;
  for (auto& [rank, model] : loaded.ranks) {
    if (request.rank && rank != *request.rank) {
      continue;
    }
    for (Trace& trace : model.traces) {
      if (trace.segments != nullptr) {
        OPCENSUS_CHECK_OK(trace.segments->load_all(trace));
      }
      TraceTable table;
      table.path = trace.path;
      table.rank = rank;
      table.averages = compute_key_averages(model, trace, request.group_by_input_shape);
      sort_key_averages(table.averages, request.sort);
      if (trace.segments != nullptr) {
        trace.host_spans = {};
        trace.api_calls = {};
        trace.device_events = {};
        trace.auxiliary = {};
      }
      tables.push_back(std::move(table));
    }
  }
  if (tables.empty() && request.rank) {
    return no_such_rank(*request.rank, ranks_of(loaded));
  }
  if (tables.empty()) {
    return Error{ErrorCode::NothingToReport,
                 "a census holds no single calls, so it has no such table",
                 "",
                 {},
                 "give the trace files that the census was made from"};
  }
  return tables;
}

Result<InspectionReport> make_inspection(const CensusRequest& request) {
  OPCENSUS_TRY(LoadedInputs loaded, load_traces(request.paths, request.load));
  InspectionReport report;
  Census found = census_of_skipped(loaded);
  for (auto& [rank, model] : loaded.ranks) {
    if (request.rank && rank != *request.rank) {
      continue;
    }
    Attributor attributor(model);
    CensusBuilder builder(model, attributor.result(), rank);
    RankInspector inspector(model, attributor.result(), rank);
    OPCENSUS_CHECK_OK(attribute_rank(model, request.load.threads, attributor, builder, inspector));
    for (FileInspection& file : inspector.finish()) {
      report.files.push_back(std::move(file));
    }
    OPCENSUS_TRY(found, merge(found, builder.finish()));
  }
  if (report.files.empty()) {
    return request.rank ? no_such_rank(*request.rank, ranks_of(loaded))
                        : Error{ErrorCode::NothingToReport,
                                "a census holds no traces to inspect",
                                "",
                                {},
                                "opcensus report shows what a census holds"};
  }
  for (const SkippedFile& file : loaded.skipped) {
    report.skipped.push_back({file.path, file.note, file.is_used});
  }
  report.diagnostics = std::move(found.diagnostics);
  return report;
}

}  // namespace opcensus

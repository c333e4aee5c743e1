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
    input.role = "ignored";
    input.note = file.note;
    census.inputs.push_back(std::move(input));
  }
  census.diagnostics = describe_diagnostics(loaded.diagnostics);
  return census;
}

}  // namespace

Result<Census> make_census(const CensusRequest& request) {
  OPCENSUS_TRY(LoadedInputs loaded, load_traces(request.paths, request.observer));
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
    const Attribution attribution = attribute(node.mapped());
    Census census = build_census(node.mapped(), attribution, node.key());
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
  OPCENSUS_TRY(const LoadedInputs loaded, load_traces(request.paths, request.observer));
  std::vector<TraceTable> tables;
  for (const auto& [rank, model] : loaded.ranks) {
    if (request.rank && rank != *request.rank) {
      continue;
    }
    for (const Trace& trace : model.traces) {
      TraceTable table;
      table.path = trace.path;
      table.rank = rank;
      table.averages = compute_key_averages(model, trace, request.group_by_input_shape);
      sort_key_averages(table.averages, request.sort);
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
  OPCENSUS_TRY(LoadedInputs loaded, load_traces(request.paths, request.observer));
  InspectionReport report;
  Census found = census_of_skipped(loaded);
  for (auto& [rank, model] : loaded.ranks) {
    if (request.rank && rank != *request.rank) {
      continue;
    }
    const Attribution attribution = attribute(model);
    for (FileInspection& file : inspect_rank(model, attribution, rank)) {
      report.files.push_back(std::move(file));
    }
    OPCENSUS_TRY(found, merge(found, build_census(model, attribution, rank)));
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
    report.skipped.push_back({file.path, file.note});
  }
  report.diagnostics = std::move(found.diagnostics);
  return report;
}

}  // namespace opcensus

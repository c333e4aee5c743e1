// SPDX-License-Identifier: Apache-2.0
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>

#include <fmt/format.h>

#include "src/base/nanoseconds.h"
#include "src/census/census_tables.h"

namespace opcensus {
namespace {

/// `visit` gets the statement at each row and reads its columns from left to right.
template <class Visit>
Status select_each(Database& database, std::string_view sql, const Visit& visit) {
  OPCENSUS_TRY(Statement statement, database.prepare(sql));
  for (;;) {
    OPCENSUS_TRY(const bool has_row, statement.step());
    if (!has_row) {
      return Done{};
    }
    visit(statement);
    OPCENSUS_CHECK_OK(statement.status());
  }
}

std::uint32_t read_index(Statement& row) {
  const std::uint64_t value = row.count();
  if (value >= kNoIndex) {
    row.reject("an index is too large");
    return 0;
  }
  return static_cast<std::uint32_t>(value);
}

std::uint32_t read_optional_index(Statement& row) {
  const std::optional<std::int64_t> value = row.optional_integer();
  if (!value) {
    return kNoIndex;
  }
  if (*value < 0 || *value >= static_cast<std::int64_t>(kNoIndex)) {
    row.reject("an index is out of range");
    return kNoIndex;
  }
  return static_cast<std::uint32_t>(*value);
}

Nanoseconds read_time(Statement& row) {
  return Nanoseconds(row.integer());
}

bool read_flag(Statement& row) {
  const std::int64_t value = row.integer();
  if (value != 0 && value != 1) {
    row.reject("a flag is neither 0 nor 1");
  }
  return value == 1;
}

/// The position in the vector is the id, so ids without a gap are what makes indices right.
void expect_id(Statement& row, std::size_t id) {
  if (row.count() != id) {
    row.reject("the ids of a table are not 0, 1, 2 …");
  }
}

template <class Enum>
Enum read_name(Statement& row, std::optional<Enum> (*parse)(std::string_view)) {
  const std::string name = row.text();
  const std::optional<Enum> value = parse(name);
  if (!value) {
    row.reject(fmt::format("\"{}\" is not a known name", name));
  }
  return value.value_or(Enum{});
}

Status select_meta(Database& database, Census& census) {
  std::size_t rows = 0;
  OPCENSUS_CHECK_OK(select_each(
      database, "SELECT value FROM meta WHERE name = 'tool_version'", [&](Statement& row) {
        census.tool_version = row.text();
        ++rows;
      }));
  if (rows != 1) {
    return Error{ErrorCode::BadCensus, "the tool version is missing", {}, std::nullopt, {}};
  }
  return Done{};
}

Status select_texts(Database& database, Census& census) {
  census.texts.clear();
  return select_each(database, "SELECT id, text FROM texts ORDER BY id", [&](Statement& row) {
    expect_id(row, census.texts.size());
    census.texts.push_back(row.text());
  });
}

// In the lambdas below the members are read one by one: the order of the columns is the order of
// the statements.

Status select_inputs(Database& database, Census& census) {
  return select_each(database,
                     "SELECT id, path, format, role, rank, bytes, events, complete, note "
                     "FROM inputs ORDER BY id",
                     [&](Statement& row) {
                       expect_id(row, census.inputs.size());
                       CensusInput& input = census.inputs.emplace_back();
                       input.path = row.text();
                       input.format = row.text();
                       input.role = row.text();
                       input.rank = row.integer();
                       input.bytes = row.count();
                       input.events = row.count();
                       input.complete = read_flag(row);
                       input.note = row.text();
                     });
}

Status select_ranks(Database& database, Census& census) {
  return select_each(
      database, "SELECT rank, devices, properties FROM ranks ORDER BY rowid", [&](Statement& row) {
        CensusRank& rank = census.ranks.emplace_back();
        rank.rank = row.integer();
        rank.devices = row.text();
        rank.properties = row.text();
      });
}

Status select_signatures(Database& database, Census& census) {
  return select_each(database,
                     "SELECT id, operator, input_shapes, input_dtypes, metadata_status, "
                     "input_formats FROM signatures ORDER BY id",
                     [&](Statement& row) {
                       expect_id(row, census.signatures.size());
                       CensusSignature& signature = census.signatures.emplace_back();
                       signature.operator_name = row.text();
                       signature.input_shapes = row.text();
                       signature.input_dtypes = row.text();
                       signature.metadata_status = row.text();
                       signature.input_formats = row.text();
                     });
}

Status select_graphs(Database& database, Census& census) {
  return select_each(database,
                     "SELECT id, rank, number, label, batch_size, nodes, replays, "
                     "device_time_ns, busy_time_ns, attributed_nodes FROM graphs ORDER BY id",
                     [&](Statement& row) {
                       expect_id(row, census.graphs.size());
                       CensusGraph& graph = census.graphs.emplace_back();
                       graph.rank = row.integer();
                       graph.number = read_index(row);
                       graph.label = row.text();
                       graph.batch_size = row.optional_integer();
                       graph.nodes = row.count();
                       graph.replays = row.count();
                       graph.device_time = read_time(row);
                       graph.busy_time = read_time(row);
                       graph.attributed_nodes = row.count();
                     });
}

Status select_graph_nodes(Database& database, Census& census) {
  return select_each(database,
                     "SELECT graph, node, kind, signature, top_operator, kernel, grid, block, "
                     "tier, executions, device_time_ns FROM graph_nodes ORDER BY rowid",
                     [&](Statement& row) {
                       CensusGraphNode& node = census.graph_nodes.emplace_back();
                       node.graph = read_index(row);
                       node.node = read_index(row);
                       node.kind = read_index(row);
                       node.signature = read_optional_index(row);
                       node.top_operator = read_index(row);
                       node.kernel = read_index(row);
                       node.grid = read_index(row);
                       node.block = read_index(row);
                       node.tier = read_name(row, &parse_tier);
                       node.executions = row.count();
                       node.device_time = read_time(row);
                     });
}

Status select_operator_calls(Database& database, Census& census) {
  return select_each(database,
                     "SELECT rank, phase, signature, graph, calls, cpu_time_ns, self_cpu_time_ns "
                     "FROM operator_calls ORDER BY rowid",
                     [&](Statement& row) {
                       OperatorCalls& calls = census.operator_calls.emplace_back();
                       calls.rank = row.integer();
                       calls.phase = read_name(row, &parse_phase);
                       calls.signature = read_index(row);
                       calls.graph = read_optional_index(row);
                       calls.calls = row.count();
                       calls.cpu_time = read_time(row);
                       calls.self_cpu_time = read_time(row);
                     });
}

Status select_operator_arguments(Database& database, Census& census) {
  return select_each(database,
                     "SELECT rank, phase, signature, input_strides, concrete_inputs, tensors, "
                     "calls FROM operator_arguments ORDER BY rowid",
                     [&](Statement& row) {
                       OperatorArguments& arguments = census.operator_arguments.emplace_back();
                       arguments.rank = row.integer();
                       arguments.phase = read_name(row, &parse_phase);
                       arguments.signature = read_index(row);
                       arguments.input_strides = read_index(row);
                       arguments.concrete_inputs = read_index(row);
                       arguments.tensors = read_index(row);
                       arguments.calls = row.count();
                     });
}

Status select_device_times(Database& database, Census& census) {
  return select_each(
      database,
      "SELECT rank, input, phase, tier, reason, signature, graph, recorded, "
      "kernel, kind, device, stream, events, device_time_ns FROM device_times ORDER BY rowid",
      [&](Statement& row) {
        DeviceTime& time = census.device_times.emplace_back();
        time.rank = row.integer();
        time.input = read_index(row);
        time.phase = read_name(row, &parse_phase);
        time.tier = read_name(row, &parse_tier);
        time.reason = read_name(row, &parse_reason);
        time.signature = read_optional_index(row);
        time.graph = read_optional_index(row);
        time.recorded = read_optional_index(row);
        time.kernel = read_index(row);
        time.kind = read_index(row);
        time.device = row.integer();
        time.stream = row.integer();
        time.events = row.count();
        time.time = read_time(row);
      });
}

Status select_steps(Database& database, Census& census) {
  return select_each(database,
                     "SELECT rank, kind, tokens, steps, graph_launches FROM steps ORDER BY rowid",
                     [&](Statement& row) {
                       CensusSteps& steps = census.steps.emplace_back();
                       steps.rank = row.integer();
                       steps.kind = read_name(row, &parse_step_kind);
                       steps.tokens = row.integer();
                       steps.steps = row.count();
                       steps.graph_launches = row.count();
                     });
}

Status select_raw_counts(Database& database, Census& census) {
  return select_each(database,
                     "SELECT rank, input, kind, events, device_time_ns "
                     "FROM raw_counts ORDER BY rowid",
                     [&](Statement& row) {
                       RawCount& raw = census.raw_counts.emplace_back();
                       raw.rank = row.integer();
                       raw.input = read_index(row);
                       raw.kind = read_index(row);
                       raw.events = row.count();
                       raw.time = read_time(row);
                     });
}

Status select_diagnostics(Database& database, Census& census) {
  return select_each(database,
                     "SELECT name, severity, times, places FROM diagnostics ORDER BY rowid",
                     [&](Statement& row) {
                       CensusDiagnostic& diagnostic = census.diagnostics.emplace_back();
                       diagnostic.name = row.text();
                       diagnostic.severity = row.text();
                       diagnostic.times = row.count();
                       diagnostic.places = row.text();
                     });
}

Status select_checks(Database& database, Census& census) {
  return select_each(
      database, "SELECT name, passed FROM checks ORDER BY rowid", [&](Statement& row) {
        Check& check = census.checks.emplace_back();
        check.name = row.text();
        check.passed = read_flag(row);
      });
}

}  // namespace

Result<Census> select_census(Database& database) {
  Census census;
  OPCENSUS_CHECK_OK(select_meta(database, census));
  OPCENSUS_CHECK_OK(select_texts(database, census));
  OPCENSUS_CHECK_OK(select_inputs(database, census));
  OPCENSUS_CHECK_OK(select_ranks(database, census));
  OPCENSUS_CHECK_OK(select_signatures(database, census));
  OPCENSUS_CHECK_OK(select_graphs(database, census));
  OPCENSUS_CHECK_OK(select_graph_nodes(database, census));
  OPCENSUS_CHECK_OK(select_operator_calls(database, census));
  OPCENSUS_CHECK_OK(select_operator_arguments(database, census));
  OPCENSUS_CHECK_OK(select_device_times(database, census));
  OPCENSUS_CHECK_OK(select_steps(database, census));
  OPCENSUS_CHECK_OK(select_raw_counts(database, census));
  OPCENSUS_CHECK_OK(select_diagnostics(database, census));
  OPCENSUS_CHECK_OK(select_checks(database, census));
  return census;
}

}  // namespace opcensus

// SPDX-License-Identifier: Apache-2.0
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "src/census/census_tables.h"

namespace opcensus {
namespace {

/// `bind` gets the statement, the row and its id.
template <class Row, class Bind>
Status insert_each(Database& database,
                   std::string_view sql,
                   const std::vector<Row>& rows,
                   const Bind& bind) {
  OPCENSUS_TRY(Statement statement, database.prepare(sql));
  for (std::size_t id = 0; id < rows.size(); ++id) {
    bind(statement, rows[id], id);
    OPCENSUS_CHECK_OK(statement.run());
  }
  return Done{};
}

void bind_index(Statement& statement, std::uint32_t index) {
  if (index == kNoIndex) {
    statement.bind_null();
  } else {
    statement.bind_count(index);
  }
}

void bind_optional(Statement& statement, std::optional<std::int64_t> value) {
  if (value) {
    statement.bind_integer(*value);
  } else {
    statement.bind_null();
  }
}

Status insert_meta(Database& database, const Census& census) {
  OPCENSUS_TRY(Statement statement, database.prepare("INSERT INTO meta VALUES (?, ?)"));
  return statement.bind_text("tool_version").bind_text(census.tool_version).run();
}

Status insert_texts(Database& database, const Census& census) {
  return insert_each(database,
                     "INSERT INTO texts VALUES (?, ?)",
                     census.texts,
                     [](Statement& statement, const std::string& text, std::size_t id) {
                       statement.bind_count(id).bind_text(text);
                     });
}

Status insert_inputs(Database& database, const Census& census) {
  return insert_each(database,
                     "INSERT INTO inputs VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
                     census.inputs,
                     [](Statement& statement, const CensusInput& row, std::size_t id) {
                       statement.bind_count(id)
                           .bind_text(row.path)
                           .bind_text(row.format)
                           .bind_text(row.role)
                           .bind_integer(row.rank)
                           .bind_count(row.bytes)
                           .bind_count(row.events)
                           .bind_integer(row.complete ? 1 : 0)
                           .bind_text(row.note);
                     });
}

Status insert_ranks(Database& database, const Census& census) {
  return insert_each(
      database,
      "INSERT INTO ranks VALUES (?, ?, ?)",
      census.ranks,
      [](Statement& statement, const CensusRank& row, std::size_t /*id*/) {
        statement.bind_integer(row.rank).bind_text(row.devices).bind_text(row.properties);
      });
}

Status insert_signatures(Database& database, const Census& census) {
  return insert_each(database,
                     "INSERT INTO signatures VALUES (?, ?, ?, ?, ?, ?)",
                     census.signatures,
                     [](Statement& statement, const CensusSignature& row, std::size_t id) {
                       statement.bind_count(id)
                           .bind_text(row.operator_name)
                           .bind_text(row.input_shapes)
                           .bind_text(row.input_dtypes)
                           .bind_text(row.metadata_status)
                           .bind_text(row.input_formats);
                     });
}

Status insert_graphs(Database& database, const Census& census) {
  return insert_each(
      database,
      "INSERT INTO graphs VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
      census.graphs,
      [](Statement& statement, const CensusGraph& row, std::size_t id) {
        statement.bind_count(id).bind_integer(row.rank).bind_count(row.number).bind_text(row.label);
        bind_optional(statement, row.batch_size);
        statement.bind_count(row.nodes)
            .bind_count(row.replays)
            .bind_integer(row.device_time.count())
            .bind_integer(row.busy_time.count())
            .bind_count(row.attributed_nodes);
      });
}

Status insert_graph_nodes(Database& database, const Census& census) {
  return insert_each(database,
                     "INSERT INTO graph_nodes VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
                     census.graph_nodes,
                     [](Statement& statement, const CensusGraphNode& row, std::size_t /*id*/) {
                       statement.bind_count(row.graph).bind_count(row.node).bind_count(row.kind);
                       bind_index(statement, row.signature);
                       statement.bind_count(row.top_operator)
                           .bind_count(row.kernel)
                           .bind_count(row.grid)
                           .bind_count(row.block)
                           .bind_text(tier_name(row.tier))
                           .bind_count(row.executions)
                           .bind_integer(row.device_time.count());
                     });
}

Status insert_operator_calls(Database& database, const Census& census) {
  return insert_each(
      database,
      "INSERT INTO operator_calls VALUES (?, ?, ?, ?, ?, ?, ?)",
      census.operator_calls,
      [](Statement& statement, const OperatorCalls& row, std::size_t /*id*/) {
        statement.bind_integer(row.rank).bind_text(phase_name(row.phase)).bind_count(row.signature);
        bind_index(statement, row.graph);
        statement.bind_count(row.calls)
            .bind_integer(row.cpu_time.count())
            .bind_integer(row.self_cpu_time.count());
      });
}

Status insert_operator_arguments(Database& database, const Census& census) {
  return insert_each(database,
                     "INSERT INTO operator_arguments VALUES (?, ?, ?, ?, ?, ?, ?)",
                     census.operator_arguments,
                     [](Statement& statement, const OperatorArguments& row, std::size_t /*id*/) {
                       statement.bind_integer(row.rank)
                           .bind_text(phase_name(row.phase))
                           .bind_count(row.signature)
                           .bind_count(row.input_strides)
                           .bind_count(row.concrete_inputs)
                           .bind_count(row.tensors)
                           .bind_count(row.calls);
                     });
}

Status insert_device_times(Database& database, const Census& census) {
  return insert_each(database,
                     "INSERT INTO device_times VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
                     census.device_times,
                     [](Statement& statement, const DeviceTime& row, std::size_t /*id*/) {
                       statement.bind_integer(row.rank)
                           .bind_count(row.input)
                           .bind_text(phase_name(row.phase))
                           .bind_text(tier_name(row.tier))
                           .bind_text(reason_name(row.reason));
                       bind_index(statement, row.signature);
                       bind_index(statement, row.graph);
                       bind_index(statement, row.recorded);
                       statement.bind_count(row.kernel)
                           .bind_count(row.kind)
                           .bind_integer(row.device)
                           .bind_integer(row.stream)
                           .bind_count(row.events)
                           .bind_integer(row.time.count());
                     });
}

Status insert_steps(Database& database, const Census& census) {
  return insert_each(database,
                     "INSERT INTO steps VALUES (?, ?, ?, ?, ?)",
                     census.steps,
                     [](Statement& statement, const CensusSteps& row, std::size_t /*id*/) {
                       statement.bind_integer(row.rank)
                           .bind_text(step_kind_name(row.kind))
                           .bind_integer(row.tokens)
                           .bind_count(row.steps)
                           .bind_count(row.graph_launches);
                     });
}

Status insert_raw_counts(Database& database, const Census& census) {
  return insert_each(database,
                     "INSERT INTO raw_counts VALUES (?, ?, ?, ?, ?)",
                     census.raw_counts,
                     [](Statement& statement, const RawCount& row, std::size_t /*id*/) {
                       statement.bind_integer(row.rank)
                           .bind_count(row.input)
                           .bind_count(row.kind)
                           .bind_count(row.events)
                           .bind_integer(row.time.count());
                     });
}

Status insert_diagnostics(Database& database, const Census& census) {
  return insert_each(database,
                     "INSERT INTO diagnostics VALUES (?, ?, ?, ?)",
                     census.diagnostics,
                     [](Statement& statement, const CensusDiagnostic& row, std::size_t /*id*/) {
                       statement.bind_text(row.name)
                           .bind_text(row.severity)
                           .bind_count(row.times)
                           .bind_text(row.places);
                     });
}

Status insert_checks(Database& database, const Census& census) {
  return insert_each(database,
                     "INSERT INTO checks VALUES (?, ?)",
                     census.checks,
                     [](Statement& statement, const Check& row, std::size_t /*id*/) {
                       statement.bind_text(row.name).bind_integer(row.passed ? 1 : 0);
                     });
}

}  // namespace

Status insert_census(Database& database, const Census& census) {
  OPCENSUS_CHECK_OK(insert_meta(database, census));
  OPCENSUS_CHECK_OK(insert_texts(database, census));
  OPCENSUS_CHECK_OK(insert_inputs(database, census));
  OPCENSUS_CHECK_OK(insert_ranks(database, census));
  OPCENSUS_CHECK_OK(insert_signatures(database, census));
  OPCENSUS_CHECK_OK(insert_graphs(database, census));
  OPCENSUS_CHECK_OK(insert_graph_nodes(database, census));
  OPCENSUS_CHECK_OK(insert_operator_calls(database, census));
  OPCENSUS_CHECK_OK(insert_operator_arguments(database, census));
  OPCENSUS_CHECK_OK(insert_device_times(database, census));
  OPCENSUS_CHECK_OK(insert_steps(database, census));
  OPCENSUS_CHECK_OK(insert_raw_counts(database, census));
  OPCENSUS_CHECK_OK(insert_diagnostics(database, census));
  return insert_checks(database, census);
}

}  // namespace opcensus

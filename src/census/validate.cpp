// SPDX-License-Identifier: Apache-2.0
#include "src/census/validate.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "src/census/census_indices.h"

namespace opcensus {
namespace {

Error bad_census(std::string message) {
  return Error{ErrorCode::BadCensus, std::move(message), {}, std::nullopt, {}};
}

/// Remembers the first index that points outside a table.
class RangeCheck {
 public:
  RangeCheck(std::string_view table, std::size_t size, bool may_be_none)
      : table_(table), size_(size), may_be_none_(may_be_none) {}

  void visit(std::uint32_t index) {
    if (index >= size_ && !(may_be_none_ && index == kNoIndex) && !offence_) {
      offence_ = index;
    }
  }

  [[nodiscard]] Status status() const {
    if (!offence_) {
      return Done{};
    }
    return bad_census(
        fmt::format("the index {} is outside its table of {} {}", *offence_, size_, table_));
  }

 private:
  std::string_view table_;
  std::size_t size_;
  bool may_be_none_;
  std::optional<std::uint32_t> offence_;
};

Status validate_indices(const Census& census) {
  RangeCheck texts("texts", census.texts.size(), false);
  for_each_text_index(census, [&](std::uint32_t index) { texts.visit(index); });
  OPCENSUS_CHECK_OK(texts.status());

  RangeCheck inputs("inputs", census.inputs.size(), false);
  for_each_input_index(census, [&](std::uint32_t index) { inputs.visit(index); });
  OPCENSUS_CHECK_OK(inputs.status());

  RangeCheck signatures("signatures", census.signatures.size(), true);
  for_each_signature_index(census, [&](std::uint32_t index) { signatures.visit(index); });
  OPCENSUS_CHECK_OK(signatures.status());

  RangeCheck graphs("graphs", census.graphs.size(), true);
  for_each_graph_index(census, [&](std::uint32_t index) { graphs.visit(index); });
  return graphs.status();
}

/// The references that the visitors allow to be none, and that must not be.
Status validate_required(const Census& census) {
  for (const OperatorCalls& row : census.operator_calls) {
    if (row.signature == kNoIndex) {
      return bad_census("operator calls without a signature");
    }
  }
  for (const OperatorArguments& row : census.operator_arguments) {
    if (row.signature == kNoIndex) {
      return bad_census("arguments without a signature");
    }
  }
  for (const CensusGraphNode& row : census.graph_nodes) {
    if (row.graph == kNoIndex) {
      return bad_census("a graph node without a graph");
    }
  }
  return Done{};
}

template <class Key>
bool has_duplicates(std::vector<Key> keys) {
  std::sort(keys.begin(), keys.end());
  return std::adjacent_find(keys.begin(), keys.end()) != keys.end();
}

Status validate_numbers(const Census& census) {
  std::vector<std::pair<std::int64_t, std::uint32_t>> graphs;
  for (const CensusGraph& graph : census.graphs) {
    graphs.emplace_back(graph.rank, graph.number);
  }
  if (has_duplicates(std::move(graphs))) {
    return bad_census("two graphs of one rank have the same number");
  }
  std::vector<std::pair<std::uint32_t, std::uint32_t>> nodes;
  for (const CensusGraphNode& node : census.graph_nodes) {
    nodes.emplace_back(node.graph, node.node);
  }
  if (has_duplicates(std::move(nodes))) {
    return bad_census("two nodes of one graph have the same position");
  }
  return Done{};
}

template <class Row, class Field, class Known>
bool all_known(const std::vector<Row>& rows, Field Row::*field, const Known& known) {
  return std::all_of(rows.begin(), rows.end(), [&](const Row& row) {
    return std::find(known.begin(), known.end(), row.*field) != known.end();
  });
}

Status validate_enumerators(const Census& census) {
  const bool ok = all_known(census.operator_calls, &OperatorCalls::phase, kPhases) &&
                  all_known(census.operator_arguments, &OperatorArguments::phase, kPhases) &&
                  all_known(census.device_times, &DeviceTime::phase, kPhases) &&
                  all_known(census.device_times, &DeviceTime::tier, kTiers) &&
                  all_known(census.device_times, &DeviceTime::reason, kReasons) &&
                  all_known(census.graph_nodes, &CensusGraphNode::tier, kTiers) &&
                  all_known(census.steps, &CensusSteps::kind, kStepKinds);
  if (!ok) {
    return bad_census("a phase, tier, reason or step kind is none of the known ones");
  }
  return Done{};
}

}  // namespace

Status validate(const Census& census) {
  if (census.texts.empty() || !census.texts.front().empty()) {
    return bad_census("the first text is not the empty one");
  }
  OPCENSUS_CHECK_OK(validate_indices(census));
  OPCENSUS_CHECK_OK(validate_required(census));
  OPCENSUS_CHECK_OK(validate_enumerators(census));
  return validate_numbers(census);
}

}  // namespace opcensus

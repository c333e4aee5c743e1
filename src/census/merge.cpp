// SPDX-License-Identifier: Apache-2.0
//
// merge: append b to a, number the graphs that met, canonicalize. Commutative and associative,
// because every step depends on content only, never on which census came first.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <limits>
#include <numeric>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include "opcensus/result.h"

#include "src/census/census.h"
#include "src/census/census_indices.h"
#include "src/census/graph_content.h"
#include "src/census/validate.h"

namespace opcensus {
namespace {

using InputKey = std::pair<std::int64_t, std::string_view>;

std::set<InputKey> used_inputs(const Census& census) {
  std::set<InputKey> keys;
  for (const CensusInput& input : census.inputs) {
    if (input.role != "ignored") {
      keys.emplace(input.rank, input.path);
    }
  }
  return keys;
}

Status check_inputs_differ(const Census& a, const Census& b) {
  const std::set<InputKey> keys = used_inputs(a);
  for (const InputKey& key : used_inputs(b)) {
    if (keys.count(key) != 0) {
      return Error{ErrorCode::Conflict,
                   "the same input is in both censuses and would be counted twice",
                   std::string(key.second),
                   std::nullopt,
                   "merge censuses of different files, or make one census of all of them"};
    }
  }
  return Done{};
}

template <class Row>
void append(std::vector<Row>& rows, std::vector<Row>&& more) {
  rows.insert(
      rows.end(), std::make_move_iterator(more.begin()), std::make_move_iterator(more.end()));
}

void shift(std::uint32_t& index, std::size_t offset) {
  if (index != kNoIndex) {
    index += static_cast<std::uint32_t>(offset);
  }
}

/// Indices have 32 bits, and the last one means none.
bool fits(std::size_t a, std::size_t b) {
  return a + b < kNoIndex;
}

Status append_census(Census& sum, Census more) {
  if (!fits(sum.texts.size(), more.texts.size()) || !fits(sum.inputs.size(), more.inputs.size()) ||
      !fits(sum.signatures.size(), more.signatures.size()) ||
      !fits(sum.graphs.size(), more.graphs.size())) {
    return Error{ErrorCode::LimitExceeded,
                 "the merged census would have more than 4294967294 rows in one table",
                 {},
                 std::nullopt,
                 {}};
  }
  for_each_text_index(more, [&](std::uint32_t& index) { shift(index, sum.texts.size()); });
  for_each_input_index(more, [&](std::uint32_t& index) { shift(index, sum.inputs.size()); });
  for_each_signature_index(more,
                           [&](std::uint32_t& index) { shift(index, sum.signatures.size()); });
  for_each_graph_index(more, [&](std::uint32_t& index) { shift(index, sum.graphs.size()); });
  append(sum.texts, std::move(more.texts));
  append(sum.inputs, std::move(more.inputs));
  append(sum.ranks, std::move(more.ranks));
  append(sum.signatures, std::move(more.signatures));
  append(sum.operator_calls, std::move(more.operator_calls));
  append(sum.operator_arguments, std::move(more.operator_arguments));
  append(sum.device_times, std::move(more.device_times));
  append(sum.graphs, std::move(more.graphs));
  append(sum.graph_nodes, std::move(more.graph_nodes));
  append(sum.steps, std::move(more.steps));
  append(sum.raw_counts, std::move(more.raw_counts));
  append(sum.diagnostics, std::move(more.diagnostics));
  return Done{};
}

std::set<std::int64_t> ranks_with_graphs(const Census& census) {
  std::set<std::int64_t> ranks;
  for (const CensusGraph& graph : census.graphs) {
    ranks.insert(graph.rank);
  }
  return ranks;
}

std::set<std::int64_t> shared_graph_ranks(const Census& a, const Census& b) {
  const std::set<std::int64_t> ranks_a = ranks_with_graphs(a);
  const std::set<std::int64_t> ranks_b = ranks_with_graphs(b);
  std::set<std::int64_t> shared;
  std::set_intersection(ranks_a.begin(),
                        ranks_a.end(),
                        ranks_b.begin(),
                        ranks_b.end(),
                        std::inserter(shared, shared.end()));
  return shared;
}

/// Large batches first, as engines capture them; then by all the content there is. Graphs with
/// equal content can be swapped without a difference.
void number_by_content(Census& census, const std::set<std::int64_t>& ranks) {
  if (ranks.empty()) {
    return;
  }
  const std::vector<std::string> contents = compute_graph_contents(census);
  std::vector<std::size_t> order(census.graphs.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::sort(order.begin(), order.end(), [&](std::size_t x, std::size_t y) {
    const CensusGraph& a = census.graphs[x];
    const CensusGraph& b = census.graphs[y];
    constexpr std::int64_t kUnknown = std::numeric_limits<std::int64_t>::min();
    const std::int64_t batch_a = a.batch_size.value_or(kUnknown);
    const std::int64_t batch_b = b.batch_size.value_or(kUnknown);
    return std::tie(a.rank, batch_b, a.label, contents[x]) <
           std::tie(b.rank, batch_a, b.label, contents[y]);
  });
  std::optional<std::int64_t> rank;
  std::uint32_t number = 0;
  for (const std::size_t index : order) {
    CensusGraph& graph = census.graphs[index];
    number = rank == graph.rank ? number + 1 : 0;
    rank = graph.rank;
    if (ranks.count(graph.rank) != 0) {
      graph.number = number;
    }
  }
}

}  // namespace

Result<Census> merge(const Census& a, const Census& b) {
  OPCENSUS_CHECK_OK(validate(a));
  OPCENSUS_CHECK_OK(validate(b));
  OPCENSUS_CHECK_OK(check_inputs_differ(a, b));
  Census sum = a;
  canonicalize(sum);
  Census more = b;
  canonicalize(more);
  const std::set<std::int64_t> ranks = shared_graph_ranks(sum, more);
  sum.tool_version = std::max(sum.tool_version, more.tool_version);
  OPCENSUS_CHECK_OK(append_census(sum, std::move(more)));
  number_by_content(sum, ranks);
  canonicalize(sum);
  sum.checks = compute_checks(sum);
  return sum;
}

}  // namespace opcensus

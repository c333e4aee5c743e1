// SPDX-License-Identifier: Apache-2.0
//
// First the tables that others refer to (texts, signatures, inputs, graphs) get their place by
// content, and every reference is renumbered; after that, equal content has equal indices, and
// the other tables can be sorted by index.
#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <set>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include "src/census/census.h"
#include "src/census/census_indices.h"
#include "src/census/counts.h"

namespace opcensus {
namespace {

constexpr std::size_t kPlaces = 3;  // as many as Diagnostics::kSamples

using Renumbering = std::vector<std::uint32_t>;  // by old index; kNoIndex = dropped

/// Sorts by key, keeps one of each, drops what is not used.
template <class Row, class Key, class Used>
Renumbering sort_table(std::vector<Row>& rows, const Key& key, const Used& used) {
  std::vector<std::uint32_t> order(rows.size());
  std::iota(order.begin(), order.end(), 0U);
  std::stable_sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) {
    return key(rows[a]) < key(rows[b]);
  });
  Renumbering numbers(rows.size(), kNoIndex);
  std::vector<Row> sorted;
  for (const std::uint32_t old : order) {
    if (!used(old)) {
      continue;
    }
    if (sorted.empty() || key(sorted.back()) < key(rows[old])) {
      sorted.push_back(rows[old]);
    }
    numbers[old] = static_cast<std::uint32_t>(sorted.size() - 1);
  }
  rows = std::move(sorted);
  return numbers;
}

/// An index outside the table stays outside: the table does not grow.
void renumber(std::uint32_t& index, const Renumbering& numbers) {
  if (index < numbers.size()) {
    index = numbers[index];
  }
}

void mark(std::vector<bool>& used, std::uint32_t index) {
  if (index < used.size()) {
    used[index] = true;
  }
}

void order_texts(Census& census) {
  if (census.texts.empty()) {
    census.texts.emplace_back();
  }
  std::vector<bool> used(census.texts.size(), false);
  used[0] = true;
  for_each_text_index(std::as_const(census), [&](std::uint32_t index) { mark(used, index); });
  const Renumbering numbers = sort_table(
      census.texts,
      [](const std::string& text) { return std::string_view(text); },
      [&](std::uint32_t index) { return used[index]; });
  for_each_text_index(census, [&](std::uint32_t& index) { renumber(index, numbers); });
}

void order_signatures(Census& census) {
  std::vector<bool> used(census.signatures.size(), false);
  for_each_signature_index(std::as_const(census), [&](std::uint32_t index) { mark(used, index); });
  const Renumbering numbers = sort_table(
      census.signatures,
      [](const CensusSignature& row) {
        return std::tie(row.operator_name,
                        row.input_shapes,
                        row.input_dtypes,
                        row.metadata_status,
                        row.input_formats);
      },
      [&](std::uint32_t index) { return used[index]; });
  for_each_signature_index(census, [&](std::uint32_t& index) { renumber(index, numbers); });
}

bool always(std::uint32_t /*index*/) {
  return true;
}

void order_inputs(Census& census) {
  const Renumbering numbers = sort_table(
      census.inputs,
      [](const CensusInput& row) {
        return std::tie(row.rank,
                        row.path,
                        row.format,
                        row.role,
                        row.bytes,
                        row.events,
                        row.complete,
                        row.note);
      },
      &always);
  for_each_input_index(census, [&](std::uint32_t& index) { renumber(index, numbers); });
}

void order_graphs(Census& census) {
  const Renumbering numbers = sort_table(
      census.graphs,
      [](const CensusGraph& row) {
        return std::tie(row.rank,
                        row.number,  // unique within the rank; the rest is for damaged ones
                        row.label,
                        row.batch_size,
                        row.nodes,
                        row.replays,
                        row.device_time,
                        row.busy_time,
                        row.attributed_nodes);
      },
      &always);
  for_each_graph_index(census, [&](std::uint32_t& index) { renumber(index, numbers); });
}

/// Sorts by key; rows with equal keys become one.
template <class Row, class Key, class Add>
void add_up(std::vector<Row>& rows, const Key& key, const Add& add) {
  std::stable_sort(
      rows.begin(), rows.end(), [&](const Row& a, const Row& b) { return key(a) < key(b); });
  std::vector<Row> sums;
  for (Row& row : rows) {
    if (sums.empty() || key(sums.back()) < key(row)) {
      sums.push_back(std::move(row));
    } else {
      add(sums.back(), row);
    }
  }
  rows = std::move(sums);
}

void add_up_operator_calls(Census& census) {
  add_up(
      census.operator_calls,
      [](const OperatorCalls& row) {
        return std::tie(row.rank, row.phase, row.signature, row.graph);
      },
      [](OperatorCalls& sum, const OperatorCalls& row) {
        sum.calls = add_counts(sum.calls, row.calls);
        sum.cpu_time += row.cpu_time;
        sum.self_cpu_time += row.self_cpu_time;
      });
}

void add_up_operator_arguments(Census& census) {
  add_up(
      census.operator_arguments,
      [](const OperatorArguments& row) {
        return std::tie(row.rank,
                        row.phase,
                        row.signature,
                        row.input_strides,
                        row.concrete_inputs,
                        row.tensors);
      },
      [](OperatorArguments& sum, const OperatorArguments& row) {
        sum.calls = add_counts(sum.calls, row.calls);
      });
}

void add_up_device_times(Census& census) {
  add_up(
      census.device_times,
      [](const DeviceTime& row) {
        return std::tie(row.rank,
                        row.input,
                        row.phase,
                        row.tier,
                        row.reason,
                        row.signature,
                        row.graph,
                        row.recorded,
                        row.kernel,
                        row.kind,
                        row.device,
                        row.stream);
      },
      [](DeviceTime& sum, const DeviceTime& row) {
        sum.events = add_counts(sum.events, row.events);
        sum.time += row.time;
      });
}

void add_up_steps(Census& census) {
  add_up(
      census.steps,
      [](const CensusSteps& row) { return std::tie(row.rank, row.kind, row.tokens); },
      [](CensusSteps& sum, const CensusSteps& row) {
        sum.steps = add_counts(sum.steps, row.steps);
        sum.graph_launches = add_counts(sum.graph_launches, row.graph_launches);
      });
}

void add_up_raw_counts(Census& census) {
  add_up(
      census.raw_counts,
      [](const RawCount& row) { return std::tie(row.rank, row.input, row.kind); },
      [](RawCount& sum, const RawCount& row) {
        sum.events = add_counts(sum.events, row.events);
        sum.time += row.time;
      });
}

void sort_graph_nodes(Census& census) {
  std::sort(census.graph_nodes.begin(),
            census.graph_nodes.end(),
            [](const CensusGraphNode& a, const CensusGraphNode& b) {
              return std::tie(a.graph, a.node) < std::tie(b.graph, b.node);
            });
}

bool covers(const CensusRank& row, const CensusRank& other) {
  return row.rank == other.rank && !(row == other) &&
         (other.devices.empty() || other.devices == row.devices) &&
         (other.properties == "{}" || other.properties == row.properties);
}

/// One row a rank, unless its inputs disagree: a row that knows nothing more than another goes.
/// What remains are the maximal rows, so the order of merging does not matter.
void reduce_ranks(Census& census) {
  for (CensusRank& row : census.ranks) {
    if (row.properties.empty()) {
      row.properties = "{}";
    }
  }
  sort_table(
      census.ranks,
      [](const CensusRank& row) { return std::tie(row.rank, row.devices, row.properties); },
      &always);
  const std::vector<CensusRank> all = census.ranks;
  const auto is_covered = [&all](const CensusRank& row) {
    return std::any_of(
        all.begin(), all.end(), [&row](const CensusRank& other) { return covers(other, row); });
  };
  census.ranks.erase(std::remove_if(census.ranks.begin(), census.ranks.end(), is_covered),
                     census.ranks.end());
}

void split_lines(std::string_view text, std::set<std::string>& lines) {
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    if (end > 0) {
      lines.emplace(text.substr(0, end));
    }
    text.remove_prefix(std::min(end + 1, text.size()));
  }
}

/// The union, of which the first few in text order are kept: again independent of the order.
std::string join_places(std::string_view a, std::string_view b) {
  std::set<std::string> lines;
  split_lines(a, lines);
  split_lines(b, lines);
  std::string joined;
  std::size_t kept = 0;
  for (const std::string& line : lines) {
    if (kept++ == kPlaces) {
      break;
    }
    joined += joined.empty() ? line : "\n" + line;
  }
  return joined;
}

std::string worse_severity(const std::string& a, const std::string& b) {
  constexpr std::array<std::string_view, 3> kOrder{"info", "data_loss", "error"};
  const auto weight = [&kOrder](const std::string& name) {
    return std::pair(std::find(kOrder.begin(), kOrder.end(), name) - kOrder.begin(),
                     std::string_view(name));
  };
  return weight(a) < weight(b) ? b : a;
}

void add_up_diagnostics(Census& census) {
  for (CensusDiagnostic& row : census.diagnostics) {
    row.places = join_places(row.places, {});
  }
  add_up(
      census.diagnostics,
      [](const CensusDiagnostic& row) { return std::string_view(row.name); },
      [](CensusDiagnostic& sum, const CensusDiagnostic& row) {
        sum.severity = worse_severity(sum.severity, row.severity);
        sum.times = add_counts(sum.times, row.times);
        sum.places = join_places(sum.places, row.places);
      });
}

void combine_checks(Census& census) {
  add_up(
      census.checks,
      [](const Check& row) { return std::string_view(row.name); },
      [](Check& sum, const Check& row) { sum.passed = sum.passed && row.passed; });
}

}  // namespace

void canonicalize(Census& census) {
  order_texts(census);
  order_signatures(census);
  order_inputs(census);
  order_graphs(census);
  reduce_ranks(census);
  add_up_operator_calls(census);
  add_up_operator_arguments(census);
  add_up_device_times(census);
  sort_graph_nodes(census);
  add_up_steps(census);
  add_up_raw_counts(census);
  add_up_diagnostics(census);
  combine_checks(census);
}

}  // namespace opcensus

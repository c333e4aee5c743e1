// SPDX-License-Identifier: Apache-2.0
#include "src/analyze/argument_rows.h"

#include <algorithm>
#include <map>
#include <string_view>
#include <tuple>

#include "src/analyze/signature_order.h"

namespace opcensus {
namespace {

bool comes_before(const Census& census, const ArgumentRow& a, const ArgumentRow& b) {
  const auto order = compare_signatures(census, a.signature, b.signature);
  if (order != 0) {
    return order < 0;
  }
  const auto key = [&census](const ArgumentRow& row, const ArgumentRow& other) {
    return std::tuple<Phase, std::uint64_t, std::string_view, std::string_view, std::string_view>(
        row.phase,
        other.calls,
        census.text(row.input_strides),
        census.text(row.concrete_inputs),
        census.text(row.tensors));
  };
  return key(a, b) < key(b, a);
}

}  // namespace

std::vector<ArgumentRow> compute_argument_rows(const Census& census) {
  using Key = std::tuple<std::uint32_t, Phase, TextIndex, TextIndex, TextIndex>;
  std::map<Key, std::uint64_t> calls;
  for (const OperatorArguments& row : census.operator_arguments) {
    calls[{row.signature, row.phase, row.input_strides, row.concrete_inputs, row.tensors}] +=
        row.calls;
  }
  std::vector<ArgumentRow> rows;
  rows.reserve(calls.size());
  for (const auto& [key, count] : calls) {
    rows.push_back({std::get<0>(key),
                    std::get<1>(key),
                    std::get<2>(key),
                    std::get<3>(key),
                    std::get<4>(key),
                    count});
  }
  std::sort(rows.begin(), rows.end(), [&census](const ArgumentRow& a, const ArgumentRow& b) {
    return comes_before(census, a, b);
  });
  return rows;
}

}  // namespace opcensus

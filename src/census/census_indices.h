// SPDX-License-Identifier: Apache-2.0
//
// Where a census refers to its own tables: one list of the places, for all who check, shift or
// renumber them. `visit` gets every index by reference (const for a const Census). kNoIndex is
// visited too.
#pragma once

namespace opcensus {

template <class AnyCensus, class Visit>
void for_each_text_index(AnyCensus& census, const Visit& visit) {
  for (auto& row : census.device_times) {
    visit(row.kernel);
    visit(row.kind);
  }
  for (auto& row : census.operator_arguments) {
    visit(row.input_strides);
    visit(row.concrete_inputs);
    visit(row.tensors);
  }
  for (auto& row : census.graph_nodes) {
    visit(row.kind);
    visit(row.top_operator);
    visit(row.kernel);
    visit(row.grid);
    visit(row.block);
  }
  for (auto& row : census.raw_counts) {
    visit(row.kind);
  }
}

template <class AnyCensus, class Visit>
void for_each_signature_index(AnyCensus& census, const Visit& visit) {
  for (auto& row : census.operator_calls) {
    visit(row.signature);
  }
  for (auto& row : census.operator_arguments) {
    visit(row.signature);
  }
  for (auto& row : census.device_times) {
    visit(row.signature);
    visit(row.recorded);
  }
  for (auto& row : census.graph_nodes) {
    visit(row.signature);
  }
}

template <class AnyCensus, class Visit>
void for_each_graph_index(AnyCensus& census, const Visit& visit) {
  for (auto& row : census.operator_calls) {
    visit(row.graph);
  }
  for (auto& row : census.device_times) {
    visit(row.graph);
  }
  for (auto& row : census.graph_nodes) {
    visit(row.graph);
  }
}

template <class AnyCensus, class Visit>
void for_each_input_index(AnyCensus& census, const Visit& visit) {
  for (auto& row : census.device_times) {
    visit(row.input);
  }
  for (auto& row : census.raw_counts) {
    visit(row.input);
  }
}

}  // namespace opcensus

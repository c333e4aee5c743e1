// SPDX-License-Identifier: Apache-2.0
#include "src/report/csv_files.h"

#include <algorithm>
#include <concepts>
#include <cstdint>
#include <optional>
#include <string_view>
#include <tuple>
#include <vector>

#include "src/analyze/argument_rows.h"
#include "src/analyze/kernel_rows.h"
#include "src/analyze/ledger.h"
#include "src/analyze/operator_rows.h"
#include "src/analyze/percent.h"
#include "src/report/text_safety.h"

namespace opcensus {
namespace {

constexpr int kPercentDecimals = 6;

class CsvWriter {
 public:
  explicit CsvWriter(std::string_view header) : out_(header) { out_ += "\r\n"; }

  CsvWriter& text(std::string_view cell) { return cell_of(csv_text_cell(cell)); }

  template <std::integral Integer>
  CsvWriter& number(Integer value) {
    return cell_of(std::to_string(value));
  }

  CsvWriter& number(Nanoseconds time) { return number(time.count()); }

  CsvWriter& number(const std::optional<std::int64_t>& value) {
    return cell_of(value ? std::to_string(*value) : std::string());
  }

  /// A number that is text already.
  CsvWriter& decimal(std::string_view value) { return cell_of(value); }

  void end_row() {
    out_ += "\r\n";
    at_row_begin_ = true;
  }

  [[nodiscard]] std::string finish() && { return std::move(out_); }

 private:
  CsvWriter& cell_of(std::string_view cell) {
    if (!at_row_begin_) {
      out_ += ',';
    }
    at_row_begin_ = false;
    out_ += cell;
    return *this;
  }

  std::string out_;
  bool at_row_begin_ = true;
};

void write_shapes(CsvWriter& csv, const Census& census, std::uint32_t index) {
  static const CensusSignature none;
  const CensusSignature& signature = index == kNoIndex ? none : census.signatures[index];
  csv.text(signature.input_shapes).text(signature.input_dtypes);
}

std::string_view operator_name(const Census& census, std::uint32_t index) {
  return index == kNoIndex ? std::string_view()
                           : std::string_view(census.signatures[index].operator_name);
}

void write_signature(CsvWriter& csv, const Census& census, std::uint32_t index) {
  csv.text(operator_name(census, index));
  write_shapes(csv, census, index);
  csv.text(census.signatures[index].metadata_status);
}

std::vector<const CensusGraphNode*> sorted_nodes(const Census& census) {
  std::vector<const CensusGraphNode*> nodes;
  for (const CensusGraphNode& node : census.graph_nodes) {
    nodes.push_back(&node);
  }
  const auto key = [&](const CensusGraphNode* node) {
    const CensusGraph& graph = census.graphs[node->graph];
    return std::tuple(graph.rank, graph.number, node->node);
  };
  std::stable_sort(
      nodes.begin(), nodes.end(), [&](const CensusGraphNode* a, const CensusGraphNode* b) {
        return key(a) < key(b);
      });
  return nodes;
}

}  // namespace

std::string render_operators_csv(const Census& census) {
  CsvWriter csv(
      "operator,input_shapes,input_dtypes,metadata_status,observed_in,warmup_calls,capture_calls,"
      "eager_calls,replay_calls,device_events,device_time_ns,device_time_pct,self_cpu_time_ns,"
      "attribution");
  const Nanoseconds total = compute_ledger(census, kRuntimePhases).total.time;
  for (const OperatorRow& row : compute_operator_rows(census)) {
    write_signature(csv, census, row.signature);
    csv.text(phase_list(row.observed_in));
    for (const Phase phase : kPhases) {
      csv.number(row.calls_in(phase));
    }
    csv.number(row.device.events)
        .number(row.device.time)
        .decimal(percent_text(row.device.time, total, kPercentDecimals))
        .number(row.self_cpu_time)
        .text(tier_list(row.tiers))
        .end_row();
  }
  return std::move(csv).finish();
}

std::string render_capture_operators_csv(const Census& census) {
  CsvWriter csv("operator,input_shapes,input_dtypes,metadata_status,call_count");
  for (const PhaseOperatorRow& row : compute_capture_operator_rows(census)) {
    write_signature(csv, census, row.signature);
    csv.number(row.calls).end_row();
  }
  return std::move(csv).finish();
}

std::string render_runtime_operators_csv(const Census& census) {
  CsvWriter csv(
      "operator,input_shapes,input_dtypes,metadata_status,phase,call_count,device_events,"
      "device_time_ns,device_time_pct,attribution");
  const Nanoseconds total = compute_ledger(census, kRuntimePhases).total.time;
  for (const PhaseOperatorRow& row : compute_phase_operator_rows(census, kRuntimePhases)) {
    write_signature(csv, census, row.signature);
    csv.text(phase_name(row.phase))
        .number(row.calls)
        .number(row.device.events)
        .number(row.device.time)
        .decimal(percent_text(row.device.time, total, kPercentDecimals))
        .text(tier_list(row.tiers))
        .end_row();
  }
  return std::move(csv).finish();
}

std::string render_graphs_csv(const Census& census) {
  CsvWriter csv(
      "rank,graph,label,batch_size,nodes,replays,device_time_ns,busy_time_ns,attributed_nodes");
  std::vector<CensusGraph> graphs = census.graphs;
  std::stable_sort(graphs.begin(), graphs.end(), [](const CensusGraph& a, const CensusGraph& b) {
    return std::tie(a.rank, a.number) < std::tie(b.rank, b.number);
  });
  for (const CensusGraph& graph : graphs) {
    csv.number(graph.rank)
        .number(graph.number)
        .text(graph.label)
        .number(graph.batch_size)
        .number(graph.nodes)
        .number(graph.replays)
        .number(graph.device_time)
        .number(graph.busy_time)
        .number(graph.attributed_nodes)
        .end_row();
  }
  return std::move(csv).finish();
}

std::string render_graph_nodes_csv(const Census& census) {
  CsvWriter csv(
      "rank,graph,node,kind,operator,top_operator,input_shapes,input_dtypes,kernel_name,grid,block,"
      "attribution,executions,device_time_ns");
  for (const CensusGraphNode* node : sorted_nodes(census)) {
    const CensusGraph& graph = census.graphs[node->graph];
    csv.number(graph.rank)
        .number(graph.number)
        .number(node->node)
        .text(census.text(node->kind))
        .text(operator_name(census, node->signature))
        .text(census.text(node->top_operator));
    write_shapes(csv, census, node->signature);
    csv.text(census.text(node->kernel))
        .text(census.text(node->grid))
        .text(census.text(node->block))
        .text(node->executions == 0 ? std::string_view() : tier_name(node->tier))
        .number(node->executions)
        .number(node->device_time)
        .end_row();
  }
  return std::move(csv).finish();
}

std::string render_kernels_csv(const Census& census) {
  CsvWriter csv(
      "kernel_name,operator,input_shapes,input_dtypes,phase,attribution,reason,device_events,"
      "device_time_ns,device_operator,device_input_shapes,device_input_dtypes,"
      "device_input_formats");
  for (const KernelRow& row : compute_kernel_rows(census)) {
    csv.text(census.text(row.kernel)).text(operator_name(census, row.signature));
    write_shapes(csv, census, row.signature);
    csv.text(phase_name(row.phase))
        .text(tier_name(row.tier))
        .text(reason_name(row.reason))
        .number(row.device.events)
        .number(row.device.time)
        .text(operator_name(census, row.recorded));
    write_shapes(csv, census, row.recorded);
    csv.text(row.recorded == kNoIndex
                 ? std::string_view()
                 : std::string_view(census.signatures[row.recorded].input_formats))
        .end_row();
  }
  return std::move(csv).finish();
}

std::string render_arguments_csv(const Census& census) {
  CsvWriter csv(
      "operator,input_shapes,input_dtypes,input_strides,concrete_inputs,tensors,phase,calls");
  for (const ArgumentRow& row : compute_argument_rows(census)) {
    csv.text(operator_name(census, row.signature));
    write_shapes(csv, census, row.signature);
    csv.text(census.text(row.input_strides))
        .text(census.text(row.concrete_inputs))
        .text(census.text(row.tensors))
        .text(phase_name(row.phase))
        .number(row.calls)
        .end_row();
  }
  return std::move(csv).finish();
}

}  // namespace opcensus

// SPDX-License-Identifier: Apache-2.0
#include "src/report/output_files.h"

#include "src/report/csv_files.h"
#include "src/report/summary_json.h"

namespace opcensus {

std::vector<OutputFile> render_output_files(const Census& census) {
  return {
      {"operators.csv", render_operators_csv(census)},
      {"capture_operators.csv", render_capture_operators_csv(census)},
      {"runtime_operators.csv", render_runtime_operators_csv(census)},
      {"graphs.csv", render_graphs_csv(census)},
      {"graph_nodes.csv", render_graph_nodes_csv(census)},
      {"kernels.csv", render_kernels_csv(census)},
      {"arguments.csv", render_arguments_csv(census)},
      {"summary.json", render_summary_json(census)},
  };
}

}  // namespace opcensus

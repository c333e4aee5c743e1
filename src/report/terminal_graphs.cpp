// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cstddef>
#include <string>
#include <tuple>
#include <vector>

#include <fmt/format.h>

#include "src/report/table_text.h"
#include "src/report/terminal_sections.h"
#include "src/report/text_safety.h"
#include "src/report/units.h"

namespace opcensus {
namespace {

/// Replayed ones by time, then in the order of capture.
std::vector<CensusGraph> sort_graphs(std::vector<CensusGraph> graphs) {
  std::stable_sort(graphs.begin(), graphs.end(), [](const CensusGraph& a, const CensusGraph& b) {
    return std::tie(b.device_time, a.rank, a.number) < std::tie(a.device_time, b.rank, b.number);
  });
  return graphs;
}

/// Per replay, of the slowest graph: the unit of the column.
TimeScale replay_scale(const std::vector<CensusGraph>& graphs) {
  Nanoseconds most;
  for (const CensusGraph& graph : graphs) {
    const auto replays = static_cast<std::int64_t>(std::max<std::uint64_t>(graph.replays, 1));
    most = std::max(most, Nanoseconds(graph.device_time.count() / replays));
  }
  return {most, 1};
}

std::string per_replay(const TimeScale& scale, Nanoseconds time, std::uint64_t replays) {
  if (replays == 0) {
    return "-";
  }
  // Half a nanosecond of rounding is below what the column shows.
  return scale.number(Nanoseconds(time.count() / static_cast<std::int64_t>(replays)));
}

TextColumn number_column(std::string title) {
  TextColumn column;
  column.title = std::move(title);
  column.align_right = true;
  return column;
}

std::vector<TextColumn> graph_columns(bool has_ranks, bool has_gaps, const TimeScale& scale) {
  std::vector<TextColumn> columns;
  if (has_ranks) {
    columns.push_back(number_column("rank"));
  }
  TextColumn label;
  label.title = "graph";
  label.narrow_first = 1;
  label.minimum_width = 12;
  label.shorten = true;
  columns.push_back(label);
  columns.push_back(number_column("batch"));
  columns.push_back(number_column("nodes"));
  columns.push_back(number_column("replays"));
  columns.push_back(number_column(fmt::format("{}/replay", scale.unit())));
  columns.push_back(number_column("busy"));
  if (has_gaps) {
    columns.push_back(number_column("attributed"));
  }
  return columns;
}

}  // namespace

std::string render_graph_section(const Census& census, const ReportOptions& options) {
  if (census.graphs.empty()) {
    return "";
  }
  std::vector<CensusGraph> graphs = sort_graphs(census.graphs);
  const bool has_ranks = std::any_of(graphs.begin(), graphs.end(), [&](const CensusGraph& graph) {
    return graph.rank != graphs.front().rank;
  });
  const bool has_gaps = std::any_of(graphs.begin(), graphs.end(), [](const CensusGraph& graph) {
    return graph.attributed_nodes != graph.nodes;
  });
  const TimeScale scale = replay_scale(graphs);
  TextTable table(graph_columns(has_ranks, has_gaps, scale));
  const std::size_t shown = options.top == 0 ? graphs.size() : std::min(options.top, graphs.size());
  for (std::size_t i = 0; i < shown; ++i) {
    const CensusGraph& graph = graphs[i];
    std::vector<std::string> cells;
    if (has_ranks) {
      cells.push_back(std::to_string(graph.rank));
    }
    cells.insert(cells.end(),
                 {safe_text(graph.label),
                  graph.batch_size ? std::to_string(*graph.batch_size) : "-",
                  format_count(graph.nodes),
                  format_count(graph.replays),
                  per_replay(scale, graph.device_time, graph.replays),
                  per_replay(scale, graph.busy_time, graph.replays)});
    if (has_gaps) {
      cells.push_back(format_count(graph.attributed_nodes));
    }
    table.add_row(std::move(cells), graph.replays == 0 ? TextStyle::Dim : TextStyle::Plain);
  }
  std::string out = styled("Graphs", TextStyle::Bold, options.color) +
                    " · device time per replay: summed, busy\n";
  out += table.render(options.width, 2, options.color);
  if (shown < graphs.size()) {
    out += fmt::format("  … {} more\n", format_count(graphs.size() - shown));
  }
  return out;
}

}  // namespace opcensus

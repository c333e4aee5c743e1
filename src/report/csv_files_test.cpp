// SPDX-License-Identifier: Apache-2.0
#include "src/report/csv_files.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "src/analyze/example_census.h"
#include "src/analyze/ledger.h"
#include "src/report/output_files.h"

namespace opcensus {
namespace {

using Rows = std::vector<std::vector<std::string>>;

/// A plain RFC 4180 reader: the other side of the contract.
Rows read_csv(const std::string& text) {
  Rows rows;
  std::vector<std::string> row(1);
  bool quoted = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    const bool doubled = i + 1 < text.size() && text[i + 1] == '"';
    if (c == '"' && quoted && doubled) {
      row.back() += '"';
      ++i;
    } else if (c == '"') {
      quoted = !quoted;
    } else if (c == ',' && !quoted) {
      row.emplace_back();
    } else if (text.compare(i, 2, "\r\n") == 0 && !quoted) {
      rows.push_back(row);
      row.assign(1, "");
      ++i;
    } else {
      row.back() += c;
    }
  }
  EXPECT_EQ(row, std::vector<std::string>(1)) << "the last line has its end";
  return rows;
}

std::int64_t sum_column(const Rows& rows, const std::string& name) {
  std::size_t column = 0;
  while (rows.at(0).at(column) != name) {
    ++column;
  }
  std::int64_t sum = 0;
  for (std::size_t i = 1; i < rows.size(); ++i) {
    sum += std::stoll(rows[i].at(column));
  }
  return sum;
}

TEST(CsvFiles, OperatorsOfAHostileCensus) {
  EXPECT_EQ(
      render_operators_csv(hostile_census()),
      "operator,input_shapes,input_dtypes,metadata_status,observed_in,warmup_calls,capture_calls,"
      "eager_calls,replay_calls,device_events,device_time_ns,device_time_pct,self_cpu_time_ns,"
      "attribution\r\n"
      "'=cmd|' /C calc'!A0,[[8]],\"[\"\"float\"\"]\",shape_and_dtype,eager,0,0,2,0,2,1001,"
      "26.060922,100,direct\r\n"
      "\"a,\"\"b\"\"\\r\\nc\",,,no_input_metadata,eager,0,0,3,0,3,500,13.017443,50,exact\r\n"
      "x\\u202egnp.exe,\"[[1,2],[]]\",\"[\"\"x,y\\\"\"z\"\",\"\"Scalar\"\"]\",shape_and_dtype,"
      "\"eager,replay\",0,0,4,0,4,333,8.669617,25,aligned\r\n"
      "bad\uFFFD\uFFFD,{oops,[oops,shape_and_dtype,capture,0,1,0,0,0,0,0.000000,0,\r\n");
}

TEST(CsvFiles, RuntimeAndCaptureOperatorsOfAHostileCensus) {
  EXPECT_EQ(render_capture_operators_csv(hostile_census()),
            "operator,input_shapes,input_dtypes,metadata_status,call_count\r\n"
            "bad\uFFFD\uFFFD,{oops,[oops,shape_and_dtype,1\r\n");
  const Rows rows = read_csv(render_runtime_operators_csv(hostile_census()));
  ASSERT_EQ(rows.size(), 5U);
  EXPECT_EQ(rows[0],
            (std::vector<std::string>{"operator",
                                      "input_shapes",
                                      "input_dtypes",
                                      "metadata_status",
                                      "phase",
                                      "call_count",
                                      "device_events",
                                      "device_time_ns",
                                      "device_time_pct",
                                      "attribution"}));
  EXPECT_EQ(rows[3][4], "replay");
  EXPECT_EQ(rows[3][9], "aligned");
  EXPECT_EQ(rows[4][4], "eager");
  EXPECT_EQ(rows[4][5], "4");
  EXPECT_EQ(rows[4][9], "");
}

TEST(CsvFiles, GraphsNodesAndKernelsOfAHostileCensus) {
  EXPECT_EQ(render_graphs_csv(hostile_census()),
            "rank,graph,label,batch_size,nodes,replays,device_time_ns,busy_time_ns,"
            "attributed_nodes\r\n"
            "1,0,\"'+capture,\\u2067one\",,1,4,333,333,0\r\n");
  EXPECT_EQ(render_graph_nodes_csv(hostile_census()),
            "rank,graph,node,kind,operator,top_operator,input_shapes,input_dtypes,kernel_name,"
            "grid,block,attribution,executions,device_time_ns\r\n"
            "1,0,0,,x\\u202egnp.exe,,\"[[1,2],[]]\",\"[\"\"x,y\\\"\"z\"\",\"\"Scalar\"\"]\","
            "'@sum,,,aligned,4,333\r\n");
  const std::string kernels = render_kernels_csv(hostile_census());
  EXPECT_EQ(kernels.substr(0, kernels.find("\r\n")),
            "kernel_name,operator,input_shapes,input_dtypes,phase,attribution,reason,"
            "device_events,device_time_ns,device_operator,device_input_shapes,"
            "device_input_dtypes,device_input_formats");
  EXPECT_NE(kernels.find("\r\nlost,,,,replay,unattributed,plan_mismatch,5,2000,,,,\r\n"),
            std::string::npos);
  EXPECT_NE(kernels.find("\r\n'\\tlost,,,,eager,unattributed,no_enclosing_op,1,7,,,,\r\n"),
            std::string::npos);
}

TEST(CsvFiles, SumsAreThoseOfTheCensus) {
  for (const Census& census : {example_census(), hostile_census()}) {
    const TierLedger runtime = compute_ledger(census, kRuntimePhases);
    const EventSum all = compute_ledger(census, kEveryPhase).total;
    const Rows kernels = read_csv(render_kernels_csv(census));
    EXPECT_EQ(sum_column(kernels, "device_time_ns"), all.time.count());
    EXPECT_EQ(sum_column(kernels, "device_events"), static_cast<std::int64_t>(all.events));
    for (const std::string& text :
         {render_operators_csv(census), render_runtime_operators_csv(census)}) {
      const Rows rows = read_csv(text);
      EXPECT_EQ(sum_column(rows, "device_time_ns"), runtime.attributed().time.count());
      EXPECT_EQ(sum_column(rows, "device_events"),
                static_cast<std::int64_t>(runtime.attributed().events));
    }
    const Rows graphs = read_csv(render_graphs_csv(census));
    const Rows nodes = read_csv(render_graph_nodes_csv(census));
    EXPECT_EQ(sum_column(graphs, "device_time_ns"), sum_column(nodes, "device_time_ns"));
    EXPECT_GT(sum_column(nodes, "device_time_ns"), 0);
  }
}

TEST(CsvFiles, CaptureIsHalfOfTwoWarmUps) {
  const Census census = example_census();
  const Rows rows = read_csv(render_operators_csv(census));
  EXPECT_EQ(sum_column(rows, "warmup_calls"), 2 * sum_column(rows, "capture_calls"));
  EXPECT_EQ(sum_column(rows, "capture_calls"),
            sum_column(read_csv(render_capture_operators_csv(census)), "call_count"));
}

TEST(CsvFiles, ANodeThatNeverRanHasNoAttribution) {
  Census census = hostile_census();
  census.graph_nodes[0].executions = 0;
  EXPECT_EQ(read_csv(render_graph_nodes_csv(census)).at(1).at(11), "");
}

TEST(OutputFiles, AreEightAndHaveHeadersEvenIfEmpty) {
  const std::vector<OutputFile> files = render_output_files(Census{});
  ASSERT_EQ(files.size(), 8U);
  std::string names;
  for (const OutputFile& file : files) {
    names += file.name + " ";
    if (file.name != "summary.json") {
      EXPECT_EQ(read_csv(file.content).size(), 1U) << file.name;
    }
  }
  EXPECT_EQ(names,
            "operators.csv capture_operators.csv runtime_operators.csv graphs.csv "
            "graph_nodes.csv kernels.csv arguments.csv summary.json ");
}

}  // namespace
}  // namespace opcensus

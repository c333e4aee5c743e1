// SPDX-License-Identifier: Apache-2.0
#include "src/report/summary_json.h"

#include <set>
#include <string>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "src/analyze/example_census.h"

namespace opcensus {
namespace {

using nlohmann::json;

std::set<std::string> keys(const json& object) {
  std::set<std::string> names;
  for (const auto& [name, value] : object.items()) {
    names.insert(name);
  }
  return names;
}

TEST(SummaryJson, HasThePromisedKeysAndTypes) {
  const json summary = json::parse(render_summary_json(hostile_census()));
  EXPECT_EQ(keys(summary),
            (std::set<std::string>{"schema_version",
                                   "tool_version",
                                   "inputs",
                                   "ranks",
                                   "devices",
                                   "phases",
                                   "ledger",
                                   "ledger_all_phases",
                                   "unattributed_reasons",
                                   "graphs",
                                   "operators",
                                   "coverage_pct",
                                   "conservation",
                                   "diagnostics"}));
  const std::set<std::string> tiers{"total", "direct", "exact", "aligned", "unattributed"};
  for (const char* ledger : {"ledger", "ledger_all_phases"}) {
    EXPECT_EQ(keys(summary[ledger]), (std::set<std::string>{"device_events", "device_time_ns"}));
    EXPECT_EQ(keys(summary[ledger]["device_events"]), tiers);
    EXPECT_EQ(keys(summary[ledger]["device_time_ns"]), tiers);
    EXPECT_TRUE(summary[ledger]["device_time_ns"]["total"].is_number_integer());
  }
  EXPECT_EQ(keys(summary["graphs"][0]),
            (std::set<std::string>{"rank",
                                   "graph",
                                   "label",
                                   "batch_size",
                                   "nodes",
                                   "replays",
                                   "device_time_ns",
                                   "busy_time_ns",
                                   "attributed_nodes"}));
  EXPECT_TRUE(summary["graphs"][0]["batch_size"].is_null());
  EXPECT_EQ(summary["graphs"][0]["label"], "+capture,\u2067one");
  EXPECT_EQ(keys(summary["phases"]),
            (std::set<std::string>{"warmup", "capture", "eager", "replay"}));
  EXPECT_EQ(summary["conservation"]["graph_times_match_node_times"], false);
  EXPECT_EQ(summary["unattributed_reasons"]["plan_mismatch"]["device_time_ns"], 2000);
  EXPECT_EQ(summary["diagnostics"][0]["places"].size(), 2U);
  EXPECT_FALSE(summary["diagnostics"][0]["remedy"].get<std::string>().empty());
  EXPECT_EQ(summary["ranks"][0]["properties"]["vllm_version"], "1\n2");
}

TEST(SummaryJson, LedgersAreTheRuntimeAndEverything) {
  const json summary = json::parse(render_summary_json(example_census()));
  EXPECT_EQ(summary["ledger"]["device_events"]["total"], 34 + 16 * 77);
  EXPECT_EQ(summary["ledger"]["device_events"]["aligned"], 16 * 77);
  EXPECT_EQ(summary["ledger_all_phases"]["device_events"]["total"], 34 + 16 * 77 + 2 * 4 * 77);
  EXPECT_EQ(summary["ranks"][0]["properties"]["cuda_runtime_version"], 13000);
  EXPECT_EQ(summary["operators"]["unique_names"], 12);
  EXPECT_EQ(summary["operators"]["unique_signatures"], 12 * 4 + 3);
}

TEST(SummaryJson, CoverageIsMeasuredAgainstTheIndependentCount) {
  Census census = hostile_census();
  json coverage = json::parse(render_summary_json(census))["coverage_pct"];
  EXPECT_DOUBLE_EQ(coverage["device_events"].get<double>(), 60.0);
  EXPECT_DOUBLE_EQ(coverage["device_time"].get<double>(), 47.747982);
  census.raw_counts.push_back({0, 1, 0, 15, Nanoseconds(0)});  // events that no row has
  coverage = json::parse(render_summary_json(census))["coverage_pct"];
  EXPECT_DOUBLE_EQ(coverage["device_events"].get<double>(), 30.0);
}

TEST(SummaryJson, OfNothingIsValidAndClaimsNoCoverage) {
  const json summary = json::parse(render_summary_json(Census{}));
  EXPECT_TRUE(summary["coverage_pct"]["device_events"].is_null());
  EXPECT_TRUE(summary["coverage_pct"]["device_time"].is_null());
  EXPECT_EQ(summary["inputs"], json::array());
  EXPECT_EQ(summary["unattributed_reasons"], json::object());
}

}  // namespace
}  // namespace opcensus

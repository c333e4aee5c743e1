// SPDX-License-Identifier: Apache-2.0
#include "src/report/json_report.h"

#include <cstdint>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "src/analyze/example_census.h"

namespace opcensus {
namespace {

using nlohmann::json;

TEST(JsonReport, TablesAddUpToTheirPhase) {
  ReportOptions options;
  options.top = 3;
  const json report = json::parse(render_json_report(example_census(), options));
  EXPECT_EQ(report["schema_version"], 1);
  ASSERT_EQ(report["tables"].size(), 2U);
  for (const json& table : report["tables"]) {
    std::int64_t time = table["further"]["device_time_ns"];
    for (const json& row : table["rows"]) {
      time += row["device_time_ns"].get<std::int64_t>();
    }
    EXPECT_EQ(time, table["device_time_ns"].get<std::int64_t>());
  }
  const json& replay = report["tables"][0];
  EXPECT_EQ(replay["phase"], "replay");
  EXPECT_EQ(replay["per_step"]["basis"], "decode_steps");
  EXPECT_EQ(replay["per_step"]["count"], 16);
  EXPECT_EQ(replay["rows"].size(), 3U);
  EXPECT_EQ(replay["further"]["rows"], 45);
}

TEST(JsonReport, NamesAreInFull) {
  const json report = json::parse(render_json_report(example_census(), {}));
  const json& row = report["tables"][0]["rows"][0];
  EXPECT_EQ(row["operator"], "aten::copy_");
  EXPECT_EQ(row["input_shapes"], "[[8,8,2,512,128],[8,8,2,512,128],[]]");
  EXPECT_EQ(row["attribution"], "aligned");
  EXPECT_GT(row["main_kernel"].get<std::string>().size(), 400U);
}

TEST(JsonReport, ObeysPhaseAndRank) {
  ReportOptions options;
  options.phase = Phase::Warmup;
  EXPECT_EQ(json::parse(render_json_report(example_census(), options))["tables"][0]["phase"],
            "warmup");
  options = {};
  options.rank = 1;
  const json report = json::parse(render_json_report(hostile_census(), options));
  EXPECT_EQ(report["ledger"]["device_events"]["total"], 4);
  EXPECT_EQ(report["ranks"].size(), 1U);
}

TEST(JsonReport, OfNothingIsValid) {
  EXPECT_EQ(json::parse(render_json_report(Census{}, {}))["tables"], json::array());
}

}  // namespace
}  // namespace opcensus

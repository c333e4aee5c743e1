// SPDX-License-Identifier: Apache-2.0
#include "src/base/issue.h"

#include <algorithm>
#include <set>
#include <string_view>

#include <gtest/gtest.h>

namespace opcensus {
namespace {

bool is_snake_case(std::string_view name) {
  const auto is_allowed = [](char c) { return (c >= 'a' && c <= 'z') || c == '_'; };
  return !name.empty() && name.front() != '_' && name.back() != '_' &&
         name.find("__") == std::string_view::npos &&
         std::all_of(name.begin(), name.end(), is_allowed);
}

TEST(Issue, EveryIssueHasANameASentenceAndARemedy) {
  for (std::size_t i = 0; i < kIssueCount; ++i) {
    const IssueInfo& info = issue_info(static_cast<Issue>(i));
    EXPECT_TRUE(is_snake_case(info.name)) << i << " " << info.name;
    EXPECT_TRUE(info.sentence.ends_with('.')) << info.name;
    EXPECT_TRUE(info.remedy.ends_with('.') || info.remedy.ends_with(')')) << info.name;
    EXPECT_GT(info.sentence.size(), 10U) << info.name;
    EXPECT_GE(info.remedy.size(), 10U) << info.name;
  }
}

TEST(Issue, NamesAreUnique) {
  std::set<std::string_view> names;
  for (std::size_t i = 0; i < kIssueCount; ++i) {
    names.insert(issue_info(static_cast<Issue>(i)).name);
  }
  EXPECT_EQ(names.size(), kIssueCount);
}

TEST(Issue, TheTableIsInTheOrderOfTheEnum) {
  // One row of each group: a row that was inserted in the wrong place shifts one of these.
  EXPECT_EQ(issue_info(Issue::TruncatedInput).name, "truncated_input");
  EXPECT_EQ(issue_info(Issue::ElidedTensorList).name, "elided_tensor_list");
  EXPECT_EQ(issue_info(Issue::RankUnknown).name, "rank_unknown");
  EXPECT_EQ(issue_info(Issue::OverlappingSiblings).name, "overlapping_siblings");
  EXPECT_EQ(issue_info(Issue::IndistinguishableGraphs).name, "indistinguishable_graphs");
}

TEST(Issue, SeveritiesHaveNames) {
  EXPECT_EQ(severity_name(Severity::Info), "info");
  EXPECT_EQ(severity_name(Severity::DataLoss), "data_loss");
  EXPECT_EQ(severity_name(Severity::Error), "error");
}

}  // namespace
}  // namespace opcensus

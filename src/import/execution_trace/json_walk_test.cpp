// SPDX-License-Identifier: Apache-2.0
#include "src/import/execution_trace/json_walk.h"

#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace opcensus::import::json_walk {
namespace {

std::vector<std::string> elements_of(std::string_view array) {
  Elements elements(array);
  std::vector<std::string> values;
  while (elements.next()) {
    values.emplace_back(elements.value());
  }
  values.emplace_back(elements.is_complete() ? "end" : "cut");
  return values;
}

std::vector<std::string> members_of(std::string_view object) {
  Members members(object);
  std::vector<std::string> values;
  while (members.next_key() && members.take_value()) {
    values.emplace_back(std::string(members.key()) + "=" + std::string(members.value()));
  }
  values.emplace_back(members.is_complete() ? "end" : "cut");
  return values;
}

using Texts = std::vector<std::string>;

TEST(JsonWalk, StepsOverElements) {
  EXPECT_EQ(elements_of("[]"), (Texts{"end"}));
  EXPECT_EQ(elements_of("[ 1 , [2,[3]] ,\n{\"a\":[1]}, \"x\" ]"),
            (Texts{"1", "[2,[3]]", "{\"a\":[1]}", "\"x\"", "end"}));
}

TEST(JsonWalk, StepsOverMembers) {
  EXPECT_EQ(members_of("{}"), (Texts{"end"}));
  EXPECT_EQ(members_of("{ \"a\" : 1, \"b\":{\"c\":[]} , \"d\": null }"),
            (Texts{"a=1", "b={\"c\":[]}", "d=null", "end"}));
}

TEST(JsonWalk, BracketsAndQuotesInStringsAreText) {
  EXPECT_EQ(elements_of(R"(["]}", "a\"]", "\\", 2])"),
            (Texts{R"("]}")", R"("a\"]")", R"("\\")", "2", "end"}));
}

TEST(JsonWalk, ATextThatEndsEarlyGivesWhatIsComplete) {
  EXPECT_EQ(elements_of("[1, [2, 3"), (Texts{"1", "cut"}));
  EXPECT_EQ(elements_of("[1, 23"), (Texts{"1", "cut"}));
  EXPECT_EQ(elements_of("[1, \"a\\"), (Texts{"1", "cut"}));
  EXPECT_EQ(elements_of("["), (Texts{"cut"}));
  EXPECT_EQ(members_of("{\"a\": 1, \"b\": [1"), (Texts{"a=1", "cut"}));
  EXPECT_EQ(members_of("{\"a\": 1, \"b\""), (Texts{"a=1", "cut"}));
  EXPECT_EQ(members_of("{\"a\": 1, \"b"), (Texts{"a=1", "cut"}));
}

TEST(JsonWalk, WhatIsNoJsonStopsTheWalk) {
  EXPECT_EQ(elements_of("[1, :, 2]"), (Texts{"1", "cut"}));
  EXPECT_EQ(elements_of("[1,, 2]"), (Texts{"1", "cut"}));
  EXPECT_EQ(members_of("{\"a\" 1}"), (Texts{"cut"}));
  EXPECT_EQ(members_of("{1: 2}"), (Texts{"cut"}));
}

TEST(JsonWalk, DeepNestingCostsNoStack) {
  const std::string deep(1'000'000, '[');
  EXPECT_EQ(find_value_end(deep, 0), std::string_view::npos);
  EXPECT_EQ(find_value_end(deep + std::string(1'000'000, ']'), 0), 2'000'000U);
}

}  // namespace
}  // namespace opcensus::import::json_walk

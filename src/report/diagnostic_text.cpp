// SPDX-License-Identifier: Apache-2.0
#include "src/report/diagnostic_text.h"

#include <algorithm>
#include <cstddef>

namespace opcensus {

const IssueInfo* find_issue_info(std::string_view name) {
  for (std::size_t i = 0; i < kIssueCount; ++i) {
    const IssueInfo& info = issue_info(static_cast<Issue>(i));
    if (info.name == name) {
      return &info;
    }
  }
  return nullptr;
}

std::vector<std::string> split_places(std::string_view places) {
  std::vector<std::string> lines;
  while (!places.empty()) {
    const std::size_t end = std::min(places.find('\n'), places.size());
    if (end > 0) {
      lines.emplace_back(places.substr(0, end));
    }
    places.remove_prefix(std::min(end + 1, places.size()));
  }
  return lines;
}

}  // namespace opcensus

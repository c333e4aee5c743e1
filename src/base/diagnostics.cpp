// SPDX-License-Identifier: Apache-2.0
#include "src/base/diagnostics.h"

#include <algorithm>
#include <utility>

namespace opcensus {

void Diagnostics::count(Issue issue, IssuePlace place, std::uint64_t times) {
  Entry& entry = entries_[static_cast<std::size_t>(issue)];
  entry.times += times;
  if (entry.samples.size() < kSamples) {
    entry.samples.push_back(std::move(place));
  }
}

void Diagnostics::merge(const Diagnostics& other) {
  for (std::size_t i = 0; i < kIssueCount; ++i) {
    entries_[i].times += other.entries_[i].times;
    for (const IssuePlace& place : other.entries_[i].samples) {
      if (entries_[i].samples.size() < kSamples) {
        entries_[i].samples.push_back(place);
      }
    }
  }
}

std::uint64_t Diagnostics::times(Issue issue) const {
  return entries_[static_cast<std::size_t>(issue)].times;
}

const std::vector<IssuePlace>& Diagnostics::samples(Issue issue) const {
  return entries_[static_cast<std::size_t>(issue)].samples;
}

bool Diagnostics::has(Severity at_least) const {
  for (std::size_t i = 0; i < kIssueCount; ++i) {
    if (entries_[i].times > 0 && issue_info(static_cast<Issue>(i)).severity >= at_least) {
      return true;
    }
  }
  return false;
}

}  // namespace opcensus

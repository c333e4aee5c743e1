// SPDX-License-Identifier: Apache-2.0
//
// Diagnostics: how often each Issue occurred, and the first places. Bounded: kSamples places an
// Issue however many there were. Thread rule: one thread at a time; merge() joins.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "src/base/issue.h"

namespace opcensus {

/// Where an anomaly was seen. Empty parts are unknown.
struct IssuePlace {
  std::string file;
  std::optional<std::uint64_t> byte_offset;  ///< into the decompressed content
  std::string detail;                        ///< a few words: the key, the graph, the kernel
};

class Diagnostics {
 public:
  static constexpr std::size_t kSamples = 3;

  void count(Issue issue, IssuePlace place = {}, std::uint64_t times = 1);

  void merge(const Diagnostics& other);

  [[nodiscard]] std::uint64_t times(Issue issue) const;

  [[nodiscard]] const std::vector<IssuePlace>& samples(Issue issue) const;

  /// True when an issue of at least this severity was counted.
  [[nodiscard]] bool has(Severity at_least) const;

 private:
  struct Entry {
    std::uint64_t times = 0;
    std::vector<IssuePlace> samples;
  };

  std::array<Entry, kIssueCount> entries_{};
};

}  // namespace opcensus

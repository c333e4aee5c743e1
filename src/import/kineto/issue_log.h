// SPDX-License-Identifier: Apache-2.0
//
// IssueLog: Diagnostics of one file. Texts are made for the samples that are kept, and no others.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "src/base/diagnostics.h"

namespace opcensus::import {

class IssueLog {
 public:
  IssueLog(Diagnostics& diagnostics, const std::string& path)
      : diagnostics_(diagnostics), path_(path) {}

  void count(Issue issue, std::uint64_t byte_offset, std::string_view detail = {}) {
    if (diagnostics_.times(issue) < Diagnostics::kSamples) {
      diagnostics_.count(issue, IssuePlace{path_, byte_offset, std::string(detail)});
    } else {
      diagnostics_.count(issue);
    }
  }

 private:
  Diagnostics& diagnostics_;
  const std::string& path_;
};

}  // namespace opcensus::import

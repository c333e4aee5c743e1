// SPDX-License-Identifier: Apache-2.0
//
// EventRuns: takes the events one by one as text and feeds the wanted ones to the parser in runs,
// which is several times faster than singly. Events are copied: a run stays in the second-level
// cache, and does not depend on where chunks end. What is no valid JSON is repaired if it can be,
// and counted.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "src/import/kineto/event_intake.h"
#include "src/import/kineto/event_parser.h"
#include "src/import/kineto/issue_log.h"

namespace opcensus::import {

class EventRuns {
 public:
  EventRuns(EventParser& parser, EventIntake& intake, IssueLog& issues);

  /// `event` is an object that stands at `byte_offset`; 18 bytes after it must be readable. If it
  /// has swallowed others because of a missing quote, it is counted, and the result is where
  /// within it the next one begins.
  std::optional<std::size_t> add(std::string_view event, std::uint64_t byte_offset);

  void flush();

 private:
  std::optional<std::size_t> add_suspicious(std::string_view event, std::uint64_t byte_offset);
  void parse_singly(std::string_view event, std::uint64_t byte_offset);
  bool parse_one(std::string_view event, std::uint64_t byte_offset);
  bool parse_repaired(std::string_view event, std::uint64_t byte_offset);
  [[nodiscard]] std::string_view event_text(std::size_t index) const;

  EventParser& parser_;
  EventIntake& intake_;
  IssueLog& issues_;
  std::string run_;                     ///< "[event,event" while it grows
  std::vector<std::uint64_t> offsets_;  ///< of each event in the content
  std::vector<std::size_t> begins_;     ///< of each event in run_
  std::string single_;
  std::string repaired_;
};

}  // namespace opcensus::import

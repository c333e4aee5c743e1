// SPDX-License-Identifier: Apache-2.0
//
// RunParser: parses runs of events and hands the events on, in their order. What is no valid JSON
// is repaired if it can be, and counted.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "src/import/kineto/event_parser.h"
#include "src/import/kineto/event_run.h"
#include "src/import/kineto/issue_log.h"
#include "src/import/kineto/raw_event.h"

namespace opcensus::import {

class RunParser {
 public:
  RunParser(EventParser& parser, EventSink& sink, IssueLog& issues)
      : parser_(parser), sink_(sink), issues_(issues) {}

  /// The run is closed.
  void parse(EventRun& run);

  /// An event that looks like several. False, and counted, if it can be read in no way.
  bool parse_suspicious(std::string_view event, std::uint64_t byte_offset);

 private:
  void parse_singly(std::string_view event, std::uint64_t byte_offset);
  bool parse_one(std::string_view event, std::uint64_t byte_offset);
  bool parse_repaired(std::string_view event, std::uint64_t byte_offset);

  EventParser& parser_;
  EventSink& sink_;
  IssueLog& issues_;
  std::string single_;
  std::string repaired_;
};

}  // namespace opcensus::import

// SPDX-License-Identifier: Apache-2.0
//
// EventTexts: the fields of one event of trace_view.json that are read, as text. Numbers stay as
// written: times go through integers only.
#pragma once

#include <memory>
#include <string_view>

namespace opcensus::import::ascend {

/// Empty = not there. Views hold until the next event is parsed.
struct EventTexts {
  std::string_view phase;
  std::string_view category;
  std::string_view name;
  std::string_view id;
  std::string_view start;
  std::string_view duration;
  std::string_view pid;
  std::string_view tid;
  // of args
  std::string_view process_name;
  std::string_view correlation_id;
  std::string_view input_dims;
  std::string_view input_type;
  std::string_view connection_id;
  std::string_view level;
  std::string_view thread_id;
  std::string_view model_id;
  std::string_view task_type;
  std::string_view stream_id;
  std::string_view task_id;
  std::string_view context_id;
};

class EventTextParser {
 public:
  EventTextParser();
  EventTextParser(const EventTextParser&) = delete;
  EventTextParser& operator=(const EventTextParser&) = delete;
  ~EventTextParser();

  /// False if it is not valid JSON. `json` is one object with JsonEvents' padding after it.
  [[nodiscard]] bool parse(std::string_view json, EventTexts& event);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace opcensus::import::ascend

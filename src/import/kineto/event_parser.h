// SPDX-License-Identifier: Apache-2.0
//
// EventParser: JSON text of events to RawEvents, with simdjson On-Demand. The only user of
// simdjson for events; header_reader.cpp is the one for metadata.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string_view>

#include "src/import/kineto/raw_event.h"

namespace opcensus::import {

class EventParser {
 public:
  /// Bytes that must be readable after the text.
  static constexpr std::size_t kPadding = 64;

  EventParser();
  EventParser(const EventParser&) = delete;
  EventParser& operator=(const EventParser&) = delete;
  ~EventParser();

  /// Parses "[event,event…]". offsets[i] is where event i stands in the file. Delivers events up
  /// to the first that is not valid JSON, and returns how many.
  std::size_t parse(std::string_view array,
                    std::span<const std::uint64_t> offsets,
                    EventSink& sink);

  /// Reads every byte, where parse() steps over what it does not need.
  [[nodiscard]] bool is_valid_json(std::string_view text);

 private:
  class Simdjson;
  std::unique_ptr<Simdjson> simdjson_;
};

}  // namespace opcensus::import

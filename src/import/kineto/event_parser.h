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

/// Where the structure of a run is: the first half of parsing, which needs nothing but the text.
class EventIndex {
 public:
  EventIndex();
  EventIndex(EventIndex&& other) noexcept;
  EventIndex& operator=(EventIndex&& other) noexcept;
  EventIndex(const EventIndex&) = delete;
  EventIndex& operator=(const EventIndex&) = delete;
  ~EventIndex();

  /// Indexes "[event,event…]", which must stay where it is until it is parsed.
  void build(std::string_view array);

 private:
  friend class EventParser;
  class Document;
  std::unique_ptr<Document> document_;
};

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

  /// The same for the array of an index; once an index.
  static std::size_t parse(EventIndex& index,
                           std::span<const std::uint64_t> offsets,
                           EventSink& sink);

  /// Reads every byte, where parse() steps over what it does not need.
  [[nodiscard]] bool is_valid_json(std::string_view text);

 private:
  class Simdjson;
  std::unique_ptr<Simdjson> simdjson_;
};

}  // namespace opcensus::import

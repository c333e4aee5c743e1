// SPDX-License-Identifier: Apache-2.0
//
// What takes over where the fast reader refuses: repair, and the search for the next event. The
// first byte says where the rest stands: 'n' in the name of an event (without brackets, which could
// be an event's end), anything else between two events. Valid JSON is not changed, nothing that
// stands before the damage is lost, and damage in a name costs that event alone, and is counted.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <optional>
#include <string>
#include <string_view>

#include <nlohmann/json.hpp>

#include "src/import/kineto/json_repair.h"
#include "src/import/kineto/kineto_test_support.h"
#include "src/import/kineto/resync.h"

namespace {

using opcensus::ErrorCode;
using opcensus::Issue;
using opcensus::import::testing::Reading;
using opcensus::import::testing::ReadingText;

void require(bool condition, const char* what) {
  if (!condition) {
    std::fprintf(stderr, "%s\n", what);
    std::abort();
  }
}

void check_repair(std::string_view text) {
  std::string repaired;
  const std::uint64_t non_finite = opcensus::import::repair_json(text, repaired);
  std::string again;
  require(opcensus::import::repair_json(repaired, again) == 0, "a repaired number is repaired");
  require(again == repaired, "a repair is repaired");
  // A zero byte is the end for nlohmann.
  if (text.find('\0') == std::string_view::npos && nlohmann::json::accept(text)) {
    require(non_finite == 0 && repaired == text, "valid JSON is changed");
  }
}

struct Found {
  std::optional<std::size_t> event;
  std::optional<std::size_t> end;
  std::optional<std::size_t> array;

  friend bool operator==(const Found&, const Found&) = default;
};

/// With `after` behind the text, which must not matter.
Found search(std::string_view text, std::string_view after) {
  std::string padded(text);
  padded.append(after.substr(0, 18));
  padded.shrink_to_fit();  // so that a look beyond is noticed
  const std::string_view view = std::string_view(padded).substr(0, text.size());
  return {opcensus::import::find_event_start(view, 1),
          opcensus::import::find_array_end(view, 1),
          opcensus::import::find_event_array(view, 1)};
}

void check_search(std::string_view text) {
  const auto stands = [text](std::optional<std::size_t> at, std::string_view what) {
    return !at || (*at > 0 && *at < text.size() && text.substr(*at).starts_with(what));
  };
  const Found found = search(text, "\"ph\": [{}]: \"traceEvents\"");
  require(found == search(text, std::string(18, ' ')), "a search looks beyond the text");
  require(stands(found.event, "{"), "an event that is none");
  require(stands(found.end, "]"), "an end that is none");
  require(stands(found.array, "\"traceEvents\""), "an array that is none");
}

std::string event(std::string_view name) {
  return R"({"ph": "X", "cat": "kernel", "name": ")" + std::string(name) +
         R"(", "pid": 0, "tid": 7, "ts": 1, "dur": 2, "args": {"stream": 7}})";
}

Reading read(const std::string& content) {
  opcensus::import::KinetoOptions options;
  options.chunk_bytes = content.size() + 1;
  Reading reading = opcensus::import::testing::read_text(content, options);
  options.chunk_bytes = 11;
  options.run_bytes = 300;
  Reading other = opcensus::import::testing::read_text(content, options);
  require(ReadingText(other).everything() == ReadingText(reading).everything(),
          "the size of chunks or runs shows");
  return reading;
}

bool has_event(const Reading& reading, std::string_view name) {
  const auto& events = reading.trace().device_events;
  return std::any_of(events.begin(), events.end(), [&](const opcensus::DeviceEvent& row) {
    return reading.text(row.name) == name && row.duration.count() == 2000;
  });
}

std::string trace_of(const std::string& middle) {
  return R"({"schemaVersion": 1, "traceEvents": [)" + event("first") + ",\n" + middle + ",\n" +
         event("last") + R"(], "traceName": "x"})";
}

void check_damage_between(std::string_view damage) {
  const Reading reading = read(trace_of(std::string(damage)));
  if (reading.error) {
    require(reading.error->code == ErrorCode::LimitExceeded, "refused for damage");
    return;
  }
  require(has_event(reading, "first"), "an event before the damage is lost");
}

void check_damage_in_name(std::string_view damage) {
  std::string name(damage);
  std::erase_if(name, [](char c) { return c == '{' || c == '}' || c == '[' || c == ']'; });
  const Reading reading = read(trace_of(event(name)));
  require(!reading.error, "refused for a name");
  require(has_event(reading, "first"), "an event before the damage is lost");
  require(has_event(reading, "last"), "an event after the damage is lost");
  std::uint64_t told = reading.times(Issue::InvalidJson) + reading.times(Issue::BadEvent);
  for (const opcensus::CategoryCount& category : reading.trace().categories) {
    told += category.events;
  }
  require(told >= 3, "an event is lost in silence");
}

}  // namespace

// NOLINTNEXTLINE(readability-identifier-naming): libFuzzer's name
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) {
    return 0;
  }
  const std::string_view text(reinterpret_cast<const char*>(data + 1), size - 1);
  check_repair(text);
  check_search(text);
  if (data[0] == 'n') {
    check_damage_in_name(text);
  } else {
    check_damage_between(text);
  }
  return 0;
}

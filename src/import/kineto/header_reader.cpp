// SPDX-License-Identifier: Apache-2.0
#include "src/import/kineto/header_reader.h"

#include <algorithm>
#include <array>
#include <optional>

#include <simdjson.h>

#include "src/base/decimal.h"
#include "src/import/kineto/json_repair.h"
#include "src/import/kineto/json_text.h"
#include "src/import/kineto/number_text.h"

namespace opcensus::import {
namespace {

namespace dom = simdjson::dom;

constexpr std::array<std::string_view, 8> kTraceKeys{"schemaVersion",
                                                     "deviceProperties",
                                                     "distributedInfo",
                                                     "displayTimeUnit",
                                                     "baseTimeNanoseconds",
                                                     "traceName",
                                                     "trace_id",
                                                     "record_shapes"};

// A header has about twenty; more than this is no header.
constexpr std::size_t kMaxProperties = 1000;

std::optional<std::int64_t> integer_of(const dom::element& element) {
  if (std::int64_t value = 0; element.get_int64().get(value) == simdjson::SUCCESS) {
    return value;
  }
  if (std::string_view text; element.get_string().get(text) == simdjson::SUCCESS) {
    return parse_integer(text);
  }
  return std::nullopt;
}

std::optional<std::int64_t> integer_at(const dom::element& object, std::string_view key) {
  dom::element value;
  return object[key].get(value) == simdjson::SUCCESS ? integer_of(value) : std::nullopt;
}

std::string text_at(const dom::element& object, std::string_view key) {
  std::string_view text;
  return object[key].get_string().get(text) == simdjson::SUCCESS ? std::string(text)
                                                                 : std::string();
}

std::vector<DeviceInfo> read_devices(const dom::element& devices) {
  std::vector<DeviceInfo> infos;
  dom::array array;
  if (devices.get_array().get(array) != simdjson::SUCCESS) {
    return infos;
  }
  for (const dom::element device : array) {
    if (device.is_object()) {
      infos.push_back({integer_at(device, "id").value_or(0), text_at(device, "name")});
    }
  }
  return infos;
}

}  // namespace

class HeaderReader::Simdjson {
 public:
  /// Parses the value, repaired if need be; the element lives until the next call.
  std::optional<dom::element> parse(std::string_view value) {
    if (auto element = parse_as_is(std::string(value))) {
      return element;
    }
    std::string repaired;
    repair_json(value, repaired);
    return parse_as_is(std::move(repaired));
  }

 private:
  std::optional<dom::element> parse_as_is(std::string text) {
    text_ = std::move(text);
    text_.reserve(text_.size() + simdjson::SIMDJSON_PADDING);
    dom::element element;
    if (parser_.parse(text_.data(), text_.size(), false).get(element) != simdjson::SUCCESS) {
      return std::nullopt;
    }
    return element;
  }

  dom::parser parser_;
  std::string text_;
};

HeaderReader::HeaderReader(Trace& trace, IssueLog& issues)
    : trace_(trace), issues_(issues), simdjson_(std::make_unique<Simdjson>()) {}

HeaderReader::~HeaderReader() = default;

void HeaderReader::read(std::string_view key, std::string_view value, std::uint64_t byte_offset) {
  is_trace_header_ = is_trace_header_ || std::ranges::find(kTraceKeys, key) != kTraceKeys.end();
  if (value.starts_with('{') || value.starts_with('[')) {
    read_structure(key, value, byte_offset);
  } else {
    read_scalar(key, value, byte_offset);
  }
}

void HeaderReader::read_structure(std::string_view key,
                                  std::string_view value,
                                  std::uint64_t byte_offset) {
  if (key != "deviceProperties" && key != "distributedInfo") {
    return;
  }
  const auto element = simdjson_->parse(value);
  if (!element) {
    issues_.count(Issue::InvalidJson, byte_offset, key);
    return;
  }
  if (key == "deviceProperties") {
    trace_.devices = read_devices(*element);
    return;
  }
  trace_.rank = integer_at(*element, "rank");
  trace_.world_size = integer_at(*element, "world_size");
  set_property("backend", text_at(*element, "backend"));
}

void HeaderReader::read_scalar(std::string_view key,
                               std::string_view value,
                               std::uint64_t byte_offset) {
  std::string text(value);
  if (value.starts_with('"')) {
    const auto element = simdjson_->parse(value);
    std::string_view unescaped;
    if (!element || element->get_string().get(unescaped) != simdjson::SUCCESS) {
      issues_.count(Issue::InvalidJson, byte_offset, key);
      return;
    }
    text = unescaped;
  }
  if (value == "null") {
    return;
  }
  set_known_scalar(key, text, byte_offset);
  set_property(key, std::move(text));
}

void HeaderReader::set_known_scalar(std::string_view key,
                                    std::string_view text,
                                    std::uint64_t byte_offset) {
  if (key == "trace_id") {
    trace_.trace_id = text;
  } else if (key == "record_shapes") {
    trace_.record_shapes = text != "0" && text != "false";
  } else if (key == "baseTimeNanoseconds") {
    const auto base = parse_decimal(trim_json_space(text), 0);
    if (!base) {
      issues_.count(Issue::TimeOutOfRange, byte_offset, key);
    }
    base_time_ = Nanoseconds(base.value_or(0));
  }
}

void HeaderReader::set_property(std::string_view name, std::string value) {
  if (value.empty()) {
    return;
  }
  const auto known = std::ranges::find(trace_.properties, name, &TraceProperty::name);
  if (known != trace_.properties.end()) {
    known->value = std::move(value);
  } else if (trace_.properties.size() < kMaxProperties) {
    trace_.properties.push_back({std::string(name), std::move(value)});
  }
}

Nanoseconds HeaderReader::take_base_time() {
  const Nanoseconds base = base_time_;
  base_time_ = Nanoseconds();
  return base;
}

}  // namespace opcensus::import

// SPDX-License-Identifier: Apache-2.0
//
// json_floor FILE: what reading a Kineto trace costs at least. simdjson On-Demand goes over the
// whole document once and touches the fields that a census needs; nothing is kept, joined or
// counted but the events. simdjson takes one document of up to 4 GiB, in memory.
#include <cstdint>
#include <cstdio>
#include <string_view>

#include <simdjson.h>

namespace {

namespace ondemand = simdjson::ondemand;

std::uint64_t touched = 0;  // so that nothing is optimised away

void touch(ondemand::value value) {
  const std::string_view token = value.raw_json_token();
  touched += token.size() + static_cast<unsigned char>(token.front());
}

void touch_text(ondemand::value value) {
  std::string_view text;
  if (value.get_string().get(text) == simdjson::SUCCESS) {
    touched += text.size();
  }
}

void touch_raw(ondemand::value value) {
  std::string_view json;
  if (value.type().value() == ondemand::json_type::array) {
    ondemand::array array;
    if (value.get_array().get(array) == simdjson::SUCCESS &&
        array.raw_json().get(json) == simdjson::SUCCESS) {
      touched += json.size();
    }
  } else {
    touch(value);
  }
}

void read_args(ondemand::object args) {
  for (auto field : args) {
    const std::string_view key = field.unescaped_key();
    if (key == "correlation" || key == "External id" || key == "stream" || key == "device" ||
        key == "graph node id") {
      touch(field.value());
    } else if (key == "Input Dims" || key == "Input type" || key == "Input Strides" ||
               key == "Concrete Inputs" || key == "grid" || key == "block") {
      touch_raw(field.value());
    }
  }
}

void read_event(ondemand::object event) {
  for (auto field : event) {
    const std::string_view key = field.unescaped_key();
    if (key == "ph" || key == "cat" || key == "name") {
      touch_text(field.value());
    } else if (key == "ts" || key == "dur" || key == "pid" || key == "tid") {
      touch(field.value());
    } else if (key == "args") {
      ondemand::object args;
      if (field.value().get_object().get(args) == simdjson::SUCCESS) {
        read_args(args);
      }
    }
  }
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) {
    std::fputs("usage: json_floor FILE\n", stderr);
    return 2;
  }
  try {
    const simdjson::padded_string json = simdjson::padded_string::load(argv[1]);
    ondemand::parser parser;
    ondemand::document document = parser.iterate(json);
    std::uint64_t events = 0;
    for (auto event : document["traceEvents"].get_array()) {
      read_event(event.get_object());
      ++events;
    }
    std::printf("%llu events (%llu)\n",
                static_cast<unsigned long long>(events),
                static_cast<unsigned long long>(touched));
  } catch (const simdjson::simdjson_error& error) {
    std::fprintf(stderr, "json_floor: %s\n", error.what());
    return 1;
  }
  return 0;
}

// SPDX-License-Identifier: Apache-2.0
#include "src/import/ascend/event_texts.h"

#include <algorithm>
#include <array>
#include <iterator>
#include <span>
#include <utility>

#include <simdjson.h>

namespace opcensus::import::ascend {
namespace {

namespace ondemand = simdjson::ondemand;

struct Field {
  std::string_view key;
  std::string_view EventTexts::*text;
};

constexpr std::array kEventFields{
    Field{"ph", &EventTexts::phase},
    Field{"cat", &EventTexts::category},
    Field{"name", &EventTexts::name},
    Field{"id", &EventTexts::id},
    Field{"ts", &EventTexts::start},
    Field{"dur", &EventTexts::duration},
    Field{"pid", &EventTexts::pid},
    Field{"tid", &EventTexts::tid},
};

// Hardware and communication rows, old and new versions, write some keys differently.
constexpr std::array kArgsFields{
    Field{"name", &EventTexts::process_name},
    Field{"correlation_id", &EventTexts::correlation_id},
    Field{"Input Dims", &EventTexts::input_dims},
    Field{"Input type", &EventTexts::input_type},
    Field{"connection_id", &EventTexts::connection_id},
    Field{"level", &EventTexts::level},
    Field{"Thread Id", &EventTexts::thread_id},
    Field{"Model Id", &EventTexts::model_id},
    Field{"model id", &EventTexts::model_id},
    Field{"Task Type", &EventTexts::task_type},
    Field{"Physic Stream Id", &EventTexts::stream_id},
    Field{"Stream Id", &EventTexts::stream_id},
    Field{"stream id", &EventTexts::stream_id},
    Field{"Task Id", &EventTexts::task_id},
    Field{"task id", &EventTexts::task_id},
    Field{"Subtask Id", &EventTexts::context_id},
    Field{"context id", &EventTexts::context_id},
};

/// The text of a string or number; empty for everything else.
bool read_text(ondemand::value& value, std::string_view& text) {
  ondemand::json_type type{};
  if (value.type().get(type) != simdjson::SUCCESS) {
    return false;
  }
  if (type == ondemand::json_type::string) {
    return value.get_string().get(text) == simdjson::SUCCESS;
  }
  text = {};
  if (type == ondemand::json_type::null) {
    bool is_null = false;  // so far it only begins with n
    return value.is_null().get(is_null) == simdjson::SUCCESS && is_null;
  }
  if (type == ondemand::json_type::number) {
    text = value.raw_json_token();
    text = text.substr(0, text.find_last_not_of(" \t\r\n") + 1);
  }
  return true;
}

bool read_fields(ondemand::object& object, std::span<const Field> fields, EventTexts& event);

/// False if the JSON is damaged.
bool read_field(std::string_view key,
                ondemand::value& value,
                std::span<const Field> fields,
                EventTexts& event) {
  const bool is_event = fields.data() == kEventFields.data();
  if (is_event && key == "args") {
    ondemand::object args;
    // Anything but an object is stepped over.
    return value.get_object().get(args) != simdjson::SUCCESS ||
           read_fields(args, kArgsFields, event);
  }
  const auto known = std::find_if(
      fields.begin(), fields.end(), [key](const Field& field) { return field.key == key; });
  return known == fields.end() || read_text(value, event.*(known->text));
}

// Two levels: an event, and its args.
bool read_fields(ondemand::object& object, std::span<const Field> fields, EventTexts& event) {
  for (auto entry : object) {
    ondemand::field field;
    std::string_view key;
    if (std::move(entry).get(field) != simdjson::SUCCESS ||
        field.unescaped_key().get(key) != simdjson::SUCCESS ||
        !read_field(key, field.value(), fields, event)) {
      return false;
    }
  }
  return true;
}

}  // namespace

struct EventTextParser::State {
  ondemand::parser parser;
};

EventTextParser::EventTextParser() : state_(std::make_unique<State>()) {}

EventTextParser::~EventTextParser() = default;

bool EventTextParser::parse(std::string_view json, EventTexts& event) {
  event = {};
  ondemand::document document;
  ondemand::object object;
  return state_->parser.iterate(json.data(), json.size(), json.size() + simdjson::SIMDJSON_PADDING)
                 .get(document) == simdjson::SUCCESS &&
         document.get_object().get(object) == simdjson::SUCCESS &&
         read_fields(object, kEventFields, event);
}

}  // namespace opcensus::import::ascend

// SPDX-License-Identifier: Apache-2.0
#include "src/import/execution_trace/node_parser.h"

#include <optional>
#include <utility>

#include <simdjson.h>

#include "src/import/execution_trace/json_walk.h"

namespace opcensus::import {
namespace {

namespace dom = simdjson::dom;
using json_walk::Members;

std::uint64_t integer_of(const dom::element& element) {
  std::uint64_t value = 0;
  return element.get_uint64().get(value) == simdjson::SUCCESS ? value : 0;
}

/// "rf_id" of the node itself, or among its "attrs".
std::uint64_t record_function_id_of(const dom::object& node) {
  dom::element value;
  if (node["rf_id"].get(value) == simdjson::SUCCESS) {
    return integer_of(value);
  }
  dom::array attributes;
  if (node["attrs"].get_array().get(attributes) != simdjson::SUCCESS) {
    return 0;
  }
  for (const dom::element attribute : attributes) {
    std::string_view name;
    if (attribute["name"].get_string().get(name) == simdjson::SUCCESS && name == "rf_id" &&
        attribute["value"].get(value) == simdjson::SUCCESS) {
      return integer_of(value);
    }
  }
  return 0;
}

void take_input_object(std::string_view object, RawInputs& inputs) {
  Members members(object);
  while (members.next_key() && members.take_value()) {
    const std::string_view key = members.key();
    if (key == "values") {
      inputs.values = members.value();
    } else if (key == "shapes") {
      inputs.shapes = members.value();
    } else if (key == "types") {
      inputs.types = members.value();
    } else if (key == "strides") {
      inputs.strides = members.value();
    }
  }
}

/// Both layouts; `text` is valid JSON.
RawInputs find_inputs(std::string_view text) {
  RawInputs inputs;
  Members members(text);
  while (members.next_key() && members.take_value()) {
    const std::string_view key = members.key();
    const std::string_view value = members.value();
    if (key == "inputs" && value.starts_with('{')) {
      take_input_object(value, inputs);
    } else if (key == "inputs") {
      inputs.values = value;
    } else if (key == "input_shapes") {
      inputs.shapes = value;
    } else if (key == "input_types") {
      inputs.types = value;
    } else if (key == "input_strides") {
      inputs.strides = value;
    }
  }
  return inputs;
}

}  // namespace

class NodeParser::Simdjson {
 public:
  std::optional<dom::element> parse(std::string_view json) {
    text_.assign(json);
    text_.reserve(text_.size() + simdjson::SIMDJSON_PADDING);
    dom::element element;
    if (parser_.parse(text_.data(), text_.size(), false).get(element) != simdjson::SUCCESS) {
      return std::nullopt;
    }
    return element;
  }

 private:
  dom::parser parser_;
  std::string text_;
};

NodeParser::NodeParser() : simdjson_(std::make_unique<Simdjson>()) {}

NodeParser::~NodeParser() = default;

NodeResult NodeParser::parse(std::string_view text, std::size_t max_inputs, ExecutionNode& node) {
  node = ExecutionNode{};
  const auto element = simdjson_->parse(text);
  if (!element) {
    return NodeResult::InvalidJson;
  }
  dom::object object;
  std::string_view name;
  if (element->get_object().get(object) != simdjson::SUCCESS ||
      object["name"].get_string().get(name) != simdjson::SUCCESS) {
    return NodeResult::NotANode;
  }
  node.name = name;
  node.record_function_id = record_function_id_of(object);
  auto inputs = convert_inputs(find_inputs(text), max_inputs);
  node.has_unequal_lists = !inputs.has_value();
  if (inputs) {
    node.inputs = *std::move(inputs);
  }
  return NodeResult::Ok;
}

std::string NodeParser::unescape(std::string_view json) {
  const auto element = simdjson_->parse(json);
  std::string_view text;
  const bool is_text = element && element->get_string().get(text) == simdjson::SUCCESS;
  return is_text ? std::string(text) : std::string();
}

}  // namespace opcensus::import

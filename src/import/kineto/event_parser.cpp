// SPDX-License-Identifier: Apache-2.0
#include "src/import/kineto/event_parser.h"

#include <array>
#include <cstring>
#include <limits>

#include <simdjson.h>

#include "src/base/digits.h"
#include "src/import/kineto/json_text.h"
#include "src/import/kineto/key_table.h"
#include "src/import/kineto/number_text.h"

namespace opcensus::import {
namespace {

namespace ondemand = simdjson::ondemand;
using simdjson::error_code;

static_assert(EventParser::kPadding >= simdjson::SIMDJSON_PADDING);

enum class EventKey : std::uint8_t {
  Other,
  Phase,
  Category,
  Name,
  Start,
  Duration,
  Pid,
  Tid,
  Args,
  FlowId,
};

enum class ArgsKey : std::uint8_t {
  Other,
  Correlation,
  ExternalId,
  GraphNodeId,
  Device,
  Stream,
  Kernel,
  Grid,
  Block,
  InputDims,
  InputType,
  InputStrides,
  ConcreteInputs,
  RecordFunctionId,
  Graph,
  GraphNode,
  GraphExternalId,
  GraphOperator,
  DimX,
  DimY,
  DimZ,
  Extra,
};

constexpr KeyTable<EventKey> kEventKeys{std::array{
    KeyName<EventKey>{"ph", EventKey::Phase},
    KeyName<EventKey>{"cat", EventKey::Category},
    KeyName<EventKey>{"name", EventKey::Name},
    KeyName<EventKey>{"ts", EventKey::Start},
    KeyName<EventKey>{"dur", EventKey::Duration},
    KeyName<EventKey>{"pid", EventKey::Pid},
    KeyName<EventKey>{"tid", EventKey::Tid},
    KeyName<EventKey>{"args", EventKey::Args},
    KeyName<EventKey>{"id", EventKey::FlowId},
}};

constexpr KeyTable<ArgsKey> kArgsKeys{std::array{
    KeyName<ArgsKey>{"correlation", ArgsKey::Correlation},
    KeyName<ArgsKey>{"External id", ArgsKey::ExternalId},
    KeyName<ArgsKey>{"external id", ArgsKey::ExternalId},
    KeyName<ArgsKey>{"device", ArgsKey::Device},
    KeyName<ArgsKey>{"stream", ArgsKey::Stream},
    KeyName<ArgsKey>{"grid", ArgsKey::Grid},
    KeyName<ArgsKey>{"block", ArgsKey::Block},
    KeyName<ArgsKey>{"Input Dims", ArgsKey::InputDims},
    KeyName<ArgsKey>{"Input dims", ArgsKey::InputDims},
    KeyName<ArgsKey>{"Input type", ArgsKey::InputType},
    KeyName<ArgsKey>{"kernel", ArgsKey::Kernel},
    KeyName<ArgsKey>{"graph node id", ArgsKey::GraphNodeId},
    KeyName<ArgsKey>{"Input Strides", ArgsKey::InputStrides},
    KeyName<ArgsKey>{"Concrete Inputs", ArgsKey::ConcreteInputs},
    KeyName<ArgsKey>{"Record function id", ArgsKey::RecordFunctionId},
    // Ascend (PrivateUse1 plugin) and Intel
    KeyName<ArgsKey>{"streamId", ArgsKey::Stream},
    KeyName<ArgsKey>{"sycl queue", ArgsKey::Stream},
    // Cambricon: the spellings of its two profilers; the newer one has dims in "extra"
    KeyName<ArgsKey>{"tasktopo", ArgsKey::Graph},
    KeyName<ArgsKey>{"tasktopo_node", ArgsKey::GraphNode},
    KeyName<ArgsKey>{"tasktopo node", ArgsKey::GraphNode},
    KeyName<ArgsKey>{"tasktopo_external_id", ArgsKey::GraphExternalId},
    KeyName<ArgsKey>{"tasktopo external id", ArgsKey::GraphExternalId},
    KeyName<ArgsKey>{"tasktopo_external_op", ArgsKey::GraphOperator},
    KeyName<ArgsKey>{"tasktopo external op", ArgsKey::GraphOperator},
    KeyName<ArgsKey>{"dimx", ArgsKey::DimX},
    KeyName<ArgsKey>{"dimy", ArgsKey::DimY},
    KeyName<ArgsKey>{"dimz", ArgsKey::DimZ},
    KeyName<ArgsKey>{"extra", ArgsKey::Extra},
}};

/// The key of a field. Keys without escapes, that is all, are views into the text.
error_code read_key(ondemand::field& field, std::string_view& key) {
  const char* const begin = field.key().raw();
  const char* end = begin;
  while (*end != '"' && *end != '\\') {
    ++end;
  }
  if (*end == '\\') {
    return field.unescaped_key().get(key);
  }
  key = std::string_view(begin, static_cast<std::size_t>(end - begin));
  return simdjson::SUCCESS;
}

/// What a value may begin with. Everything else (inf, NaN, N/A) is left to the repair.
error_code check_scalar(std::string_view token) {
  switch (token.front()) {
    case 't':
      return token == "true" ? simdjson::SUCCESS : simdjson::T_ATOM_ERROR;
    case 'f':
      return token == "false" ? simdjson::SUCCESS : simdjson::F_ATOM_ERROR;
    case 'n':
      return token == "null" ? simdjson::SUCCESS : simdjson::N_ATOM_ERROR;
    case '-':
      return token.size() > 1 && is_digit(token[1]) ? simdjson::SUCCESS : simdjson::NUMBER_ERROR;
    default:
      return is_digit(token.front()) ? simdjson::SUCCESS : simdjson::TAPE_ERROR;
  }
}

/// A value that is stepped over: looks at its first byte only.
error_code check_skipped(ondemand::value& value) {
  const std::string_view token = value.raw_json_token();
  const char first = token.front();
  if (first == '"' || first == '{' || first == '[' || is_digit(first)) {
    return simdjson::SUCCESS;
  }
  return check_scalar(trim_json_space(token));
}

/// The text of a string or number; empty for null, true, false, objects and arrays.
error_code read_text(ondemand::value& value, std::string_view& text) {
  const std::string_view token = trim_json_space(value.raw_json_token());
  text = {};
  if (token.front() == '"') {
    return value.get_string().get(text);
  }
  if (token.front() == '{' || token.front() == '[') {
    return simdjson::SUCCESS;
  }
  if (const error_code error = check_scalar(token)) {
    return error;
  }
  if (is_digit(token.front()) || token.front() == '-') {
    text = token;
  }
  return simdjson::SUCCESS;
}

error_code read_name(ondemand::value& value, std::optional<std::string_view>& name) {
  const std::string_view token = trim_json_space(value.raw_json_token());
  name.reset();
  if (token.front() == '"') {
    return value.get_string().get(name.emplace());
  }
  if (token == "null") {
    name.emplace();
  }
  return check_skipped(value);
}

error_code read_id(ondemand::value& value, std::uint64_t& id) {
  std::string_view text;
  const error_code error = read_text(value, text);
  id = error ? 0 : parse_id(trim_json_space(text));
  return error;
}

error_code read_integer(ondemand::value& value, std::optional<std::int64_t>& integer) {
  std::string_view text;
  const error_code error = read_text(value, text);
  integer = error ? std::nullopt : parse_integer(trim_json_space(text));
  return error;
}

/// A raw JSON value: shapes and dtypes are kept as they are written.
error_code read_json(ondemand::value& value, std::string_view& json) {
  const std::string_view token = trim_json_space(value.raw_json_token());
  json = {};
  if (token.front() == '[') {
    ondemand::array array;
    if (const error_code error = value.get_array().get(array)) {
      return error;
    }
    const error_code error = array.raw_json().get(json);
    json = trim_json_space(json);
    return error;
  }
  if (token.front() == '"') {
    json = token;
    return simdjson::SUCCESS;
  }
  return check_skipped(value);
}

/// [x, y, z]; {0,0,0} for anything else.
error_code read_dim3(ondemand::value& value, std::array<std::uint32_t, 3>& dims) {
  std::string_view json;
  dims = {};
  if (const error_code error = read_json(value, json)) {
    return error;
  }
  std::array<std::uint32_t, 3> parsed{};
  const char* at = json.data();
  const char* const end = json.data() + json.size();
  for (std::uint32_t& dim : parsed) {
    while (at < end && (is_json_space(*at) || *at == '[' || *at == ',')) {
      ++at;
    }
    const auto [stop, error] = std::from_chars(at, end, dim);
    if (error != std::errc()) {
      return simdjson::SUCCESS;
    }
    at = stop;
  }
  dims = parsed;
  return simdjson::SUCCESS;
}

error_code read_dim(ondemand::value& value, std::uint32_t& dim) {
  std::optional<std::int64_t> integer;
  const error_code error = read_integer(value, integer);
  const bool fits =
      integer && *integer >= 0 && *integer <= std::numeric_limits<std::uint32_t>::max();
  dim = fits ? static_cast<std::uint32_t>(*integer) : 0;
  return error;
}

error_code read_grid_dim(ArgsKey key, ondemand::value& value, RawArgs& args) {
  switch (key) {
    case ArgsKey::DimX:
      return read_dim(value, args.dims.grid[0]);
    case ArgsKey::DimY:
      return read_dim(value, args.dims.grid[1]);
    case ArgsKey::DimZ:
      return read_dim(value, args.dims.grid[2]);
    default:
      return check_skipped(value);
  }
}

/// An object within the arguments: only the dims of a Cambricon kernel are wanted of it.
error_code read_extra(ondemand::value& value, RawArgs& args) {
  if (value.raw_json_token().front() != '{') {
    return check_skipped(value);
  }
  ondemand::object object;
  if (const error_code error = value.get_object().get(object)) {
    return error;
  }
  for (auto result : object) {
    std::string_view key;
    if (const error_code error = result.error()) {
      return error;
    }
    ondemand::field&& field = std::move(result).value_unsafe();
    if (const error_code error = read_key(field, key)) {
      return error;
    }
    if (const error_code error = read_grid_dim(kArgsKeys.find(key), field.value(), args)) {
      return error;
    }
  }
  return simdjson::SUCCESS;
}

error_code read_vendor_argument(ArgsKey key, ondemand::value& value, RawArgs& args) {
  switch (key) {
    case ArgsKey::Graph:
      return read_id(value, args.graph_node.graph);
    case ArgsKey::GraphNode:
      return read_id(value, args.graph_node.node);
    case ArgsKey::GraphExternalId:
      return read_id(value, args.graph_node.external_id);
    case ArgsKey::GraphOperator:
      return read_text(value, args.graph_node.operator_name);
    case ArgsKey::Extra:
      return read_extra(value, args);
    default:
      return read_grid_dim(key, value, args);
  }
}

error_code read_argument(ArgsKey key, ondemand::value& value, RawArgs& args) {
  switch (key) {
    case ArgsKey::Other:
      return check_skipped(value);
    case ArgsKey::Correlation:
      return read_id(value, args.correlation);
    case ArgsKey::ExternalId:
      return read_id(value, args.external_id);
    case ArgsKey::GraphNodeId:
      return read_id(value, args.graph_node_id);
    case ArgsKey::Device:
      return read_integer(value, args.device);
    case ArgsKey::Stream:
      return read_integer(value, args.stream);
    case ArgsKey::Kernel:
      return read_text(value, args.kernel);
    case ArgsKey::Grid:
      return read_dim3(value, args.dims.grid);
    case ArgsKey::Block:
      return read_dim3(value, args.dims.block);
    case ArgsKey::InputDims:
      return read_json(value, args.input_dims);
    case ArgsKey::InputType:
      return read_json(value, args.input_type);
    case ArgsKey::InputStrides:
      return read_json(value, args.input_strides);
    case ArgsKey::ConcreteInputs:
      return read_json(value, args.concrete_inputs);
    case ArgsKey::RecordFunctionId:
      return read_id(value, args.record_function_id);
    default:
      return read_vendor_argument(key, value, args);
  }
}

error_code read_args(ondemand::value& value, RawEvent& event) {
  RawArgs& args = event.args;
  if (event.has_args) {
    args = RawArgs{};  // the last of several counts
  }
  event.has_args = true;
  const std::string_view token = value.raw_json_token();
  if (token.front() != '{') {
    return check_skipped(value);
  }
  ondemand::object object;
  if (const error_code error = value.get_object().get(object)) {
    return error;
  }
  for (auto result : object) {
    std::string_view key;
    if (const error_code error = result.error()) {
      return error;
    }
    // A reference: copying a field stalls on its own stores, a tenth of the parser's time.
    ondemand::field&& field = std::move(result).value_unsafe();
    if (const error_code error = read_key(field, key)) {
      return error;
    }
    if (const error_code error = read_argument(kArgsKeys.find(key), field.value(), args)) {
      return error;
    }
  }
  return simdjson::SUCCESS;
}

error_code read_field(EventKey key, ondemand::value& value, RawEvent& event) {
  switch (key) {
    case EventKey::Phase: {
      std::string_view phase;
      const error_code error = read_text(value, phase);
      event.phase = phase.size() == 1 ? phase.front() : '\0';
      return error;
    }
    case EventKey::Category:
      return read_text(value, event.category);
    case EventKey::Name:
      return read_name(value, event.name);
    case EventKey::Start:
      return read_text(value, event.start);
    case EventKey::Duration:
      return read_text(value, event.duration);
    case EventKey::Pid:
      return read_text(value, event.pid);
    case EventKey::Tid:
      return read_text(value, event.tid);
    case EventKey::Args:
      return read_args(value, event);
    case EventKey::FlowId:
      return read_id(value, event.flow_id);
    case EventKey::Other:
      break;
  }
  return check_skipped(value);
}

error_code read_event(simdjson::simdjson_result<ondemand::value> element, RawEvent& event) {
  ondemand::object object;
  if (const error_code error = element.get_object().get(object)) {
    return error;
  }
  for (auto result : object) {
    std::string_view key;
    if (const error_code error = result.error()) {
      return error;
    }
    // A reference: copying a field stalls on its own stores, a tenth of the parser's time.
    ondemand::field&& field = std::move(result).value_unsafe();
    if (const error_code error = read_key(field, key)) {
      return error;
    }
    if (const error_code error = read_field(kEventKeys.find(key), field.value(), event)) {
      return error;
    }
  }
  return simdjson::SUCCESS;
}

// Copied into each event: that is a few wide stores, where clearing it is a slow string operation.
const RawEvent kNothing;

}  // namespace

class EventIndex::Document {
 public:
  ondemand::parser parser;
  ondemand::document document;
  error_code error = simdjson::SUCCESS;

  void build(std::string_view array) {
    error = parser.iterate(array, array.size() + EventParser::kPadding).get(document);
  }
};

EventIndex::EventIndex() : document_(std::make_unique<Document>()) {}

EventIndex::EventIndex(EventIndex&& other) noexcept = default;

EventIndex& EventIndex::operator=(EventIndex&& other) noexcept = default;

EventIndex::~EventIndex() = default;

void EventIndex::build(std::string_view array) {
  document_->build(array);
}

class EventParser::Simdjson {
 public:
  EventIndex index;
  simdjson::dom::parser strict;
};

EventParser::EventParser() : simdjson_(std::make_unique<Simdjson>()) {}

EventParser::~EventParser() = default;

std::size_t EventParser::parse(std::string_view array,
                               std::span<const std::uint64_t> offsets,
                               EventSink& sink) {
  simdjson_->index.build(array);
  return parse(simdjson_->index, offsets, sink);
}

std::size_t EventParser::parse(EventIndex& index,
                               std::span<const std::uint64_t> offsets,
                               EventSink& sink) {
  ondemand::array elements;
  if (index.document_->error != simdjson::SUCCESS ||
      index.document_->document.get_array().get(elements) != simdjson::SUCCESS) {
    return 0;
  }
  RawEvent event;
  std::size_t delivered = 0;
  for (auto element : elements) {
    if (delivered == offsets.size()) {
      break;
    }
    event = kNothing;
    event.byte_offset = offsets[delivered];
    if (read_event(element, event) != simdjson::SUCCESS) {
      break;
    }
    sink.on_event(event);
    ++delivered;
  }
  return delivered;
}

bool EventParser::is_valid_json(std::string_view text) {
  return simdjson_->strict.parse(text.data(), text.size(), false).error() == simdjson::SUCCESS;
}

}  // namespace opcensus::import

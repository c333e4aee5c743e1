// SPDX-License-Identifier: Apache-2.0
#include "src/import/recording/record_intake.h"

#include <algorithm>
#include <cstring>
#include <string>

#include "src/base/decimal.h"
#include "src/base/whole_number.h"
#include "src/import/recording/kernel_names.h"

namespace opcensus::import {
namespace {

constexpr std::size_t kMaxProperties = 1000;

constexpr std::string_view kUndefinedText = "a text is used that was not defined";
constexpr std::string_view kUndefinedOperator = "an operator is used that was not defined";

template <class Record>
Record read_record(std::span<const char> bytes) {
  Record record{};
  std::memcpy(&record, bytes.data(), sizeof(record));
  return record;
}

template <class Enum>
bool is_within(std::uint64_t value, Enum last) {
  return value <= static_cast<std::uint64_t>(last);
}

struct CallName {
  ApiCallKind kind;
  std::string_view name;
};

/// The recording keeps what a call does, not which of the calls that do it.
CallName name_of(wire::CallKind kind) {
  switch (kind) {
    case wire::CallKind::LaunchKernel:
      return {ApiCallKind::LaunchKernel, "cudaLaunchKernel"};
    case wire::CallKind::LaunchFunction:
      return {ApiCallKind::LaunchKernel, "cuLaunchKernel"};
    case wire::CallKind::Memcpy:
      return {ApiCallKind::Memcpy, "cudaMemcpyAsync"};
    case wire::CallKind::Memset:
      return {ApiCallKind::Memset, "cudaMemsetAsync"};
    case wire::CallKind::GraphLaunch:
      return {ApiCallKind::GraphLaunch, "cudaGraphLaunch"};
    case wire::CallKind::BeginCapture:
      return {ApiCallKind::BeginCapture, "cudaStreamBeginCapture"};
    case wire::CallKind::EndCapture:
      return {ApiCallKind::EndCapture, "cudaStreamEndCapture"};
    case wire::CallKind::GraphInstantiate:
      return {ApiCallKind::GraphInstantiate, "cudaGraphInstantiate"};
    case wire::CallKind::Other:
      break;
  }
  return {ApiCallKind::Other, "other call"};
}

std::string_view describe(wire::LossCause cause) {
  switch (cause) {
    case wire::LossCause::CuptiDropped:
      return "CUPTI's buffers were full, or it could not tell the times";
    case wire::LossCause::BufferLimit:
      return "the agent's buffers were full";
    case wire::LossCause::WriteFailed:
      return "the recording could not be written";
    case wire::LossCause::InternalError:
      break;
  }
  return "the agent switched itself off";
}

DeviceEventKind event_kind(wire::NodeKind kind) {
  switch (kind) {
    case wire::NodeKind::Memcpy:
      return DeviceEventKind::Memcpy;
    case wire::NodeKind::Memset:
      return DeviceEventKind::Memset;
    default:
      return DeviceEventKind::Kernel;
  }
}

bool fits(std::uint64_t time_ns) {
  return time_ns <= static_cast<std::uint64_t>(kDecimalLimit);
}

/// -1 if `text` is not a number from 0 up.
std::int64_t number_in(std::string_view text) {
  return std::max<std::int64_t>(parse_whole<std::int64_t>(text).value_or(-1), -1);
}

Nanoseconds to_time(std::uint64_t time_ns) {
  return Nanoseconds(static_cast<std::int64_t>(time_ns));
}

}  // namespace

RecordIntake::RecordIntake(const wire::FileHeader& header,
                           const RecordingLimits& limits,
                           Model& model,
                           Trace& trace)
    : limits_(limits),
      model_(model),
      trace_(trace),
      process_(model.strings.intern(std::to_string(header.process_id))),
      memcpy_name_(model.strings.intern("Memcpy")),
      memset_name_(model.strings.intern("Memset")) {
  trace_.trace_id = std::to_string(header.process_id) + "-" + std::to_string(header.start_ns);
  if (header.rank >= 0) {
    trace_.rank = header.rank;
  }
  add_header_properties(header);
}

void RecordIntake::add_header_properties(const wire::FileHeader& header) {
  if (header.cupti_version != 0) {
    trace_.properties.push_back({"cupti_version", std::to_string(header.cupti_version)});
  }
  if (header.driver_version != 0) {
    trace_.properties.push_back({"cuda_driver_version", std::to_string(header.driver_version)});
  }
}

std::optional<RecordingStop> RecordIntake::take(const Chunk& chunk) {
  switch (chunk.type) {
    case wire::ChunkType::Text:
      return take_texts(chunk);
    case wire::ChunkType::Operator:
      return take_all<wire::OperatorRecord>(chunk);
    case wire::ChunkType::Span:
      return take_all<wire::SpanRecord>(chunk);
    case wire::ChunkType::Call:
      return take_all<wire::CallRecord>(chunk);
    case wire::ChunkType::Node:
      return take_all<wire::NodeRecord>(chunk);
    case wire::ChunkType::Device:
    case wire::ChunkType::Replay:
      return take_all<wire::DeviceRecord>(chunk);
    case wire::ChunkType::NodeName:
      return take_all<wire::NodeNameRecord>(chunk);
    case wire::ChunkType::Window:
      return take_all<wire::WindowRecord>(chunk);
    case wire::ChunkType::Loss:
      return take_all<wire::LossRecord>(chunk);
    case wire::ChunkType::Property:
      return take_all<wire::PropertyRecord>(chunk);
  }
  return RecordingStop{chunk.byte_offset, "no chunk begins there"};
}

template <class Record>
std::optional<RecordingStop> RecordIntake::take_all(const Chunk& chunk) {
  if (chunk.payload.size() % sizeof(Record) != 0) {
    return RecordingStop{chunk.byte_offset, "a chunk's size is no multiple of its records'"};
  }
  for (std::size_t at = 0; at < chunk.payload.size(); at += sizeof(Record)) {
    offset_ = chunk.byte_offset + at;
    const Complaint complaint = take(read_record<Record>(chunk.payload.subspan(at)));
    if (!complaint.empty()) {
      return RecordingStop{offset_, std::string(complaint)};
    }
  }
  return std::nullopt;
}

std::optional<RecordingStop> RecordIntake::take_texts(const Chunk& chunk) {
  std::span<const char> rest = chunk.payload;
  while (!rest.empty()) {
    offset_ = chunk.byte_offset + (chunk.payload.size() - rest.size());
    const auto record = read_record<wire::TextRecord>(rest);  // the size is a multiple of 8
    rest = rest.subspan(sizeof(record));
    const std::size_t padded = (std::size_t{record.bytes} + 7) / 8 * 8;
    if (padded > rest.size()) {
      return RecordingStop{offset_, "a text is longer than its chunk"};
    }
    if (record.bytes > limits_.max_string_bytes) {
      return RecordingStop{offset_, "a text is longer than max_string_bytes", true};
    }
    if (model_.strings.size() >= limits_.max_distinct_strings) {
      return RecordingStop{offset_, "there are more texts than max_distinct_strings", true};
    }
    const Complaint complaint = take_text(record.id, std::string_view(rest.data(), record.bytes));
    if (!complaint.empty()) {
      return RecordingStop{offset_, std::string(complaint)};
    }
    rest = rest.subspan(padded);
  }
  return std::nullopt;
}

RecordIntake::Complaint RecordIntake::take_text(std::uint32_t id, std::string_view text) {
  const StringId interned = text.empty() ? StringId::none() : model_.strings.intern(text);
  return texts_.add(id, {interned, StringId::none()}) ? Complaint()
                                                      : "the ids of texts do not ascend";
}

std::optional<StringId> RecordIntake::text(std::uint32_t id) {
  if (id == 0) {
    return StringId::none();
  }
  const Text* found = texts_.find(id);
  return found == nullptr ? std::nullopt : std::optional<StringId>(found->id);
}

RecordIntake::Complaint RecordIntake::take(const wire::OperatorRecord& record) {
  const auto name = text(record.name);
  const auto shapes = text(record.input_shapes);
  const auto dtypes = text(record.input_dtypes);
  const auto strides = text(record.input_strides);
  const auto concrete = text(record.concrete_inputs);
  if (!name || !shapes || !dtypes || !strides || !concrete) {
    return kUndefinedText;
  }
  if (!is_within(record.kind, wire::OperatorKind::Annotation)) {
    return "an operator has an unknown kind";
  }
  Operator row;
  row.kind = static_cast<wire::OperatorKind>(record.kind);
  const bool is_operator = row.kind == wire::OperatorKind::Operator;
  Signature signature;
  signature.operator_name = name->is_none() ? model_.strings.intern("") : *name;
  signature.input_shapes = is_operator ? *shapes : StringId::none();
  signature.input_dtypes = is_operator ? *dtypes : StringId::none();
  row.signature = model_.signatures.intern(signature);
  if (is_operator && (strides->has_value() || concrete->has_value())) {
    row.arguments = model_.arguments.intern({*strides, *concrete, StringId::none()});
  }
  return operators_.add(record.id, row) ? Complaint() : "the ids of operators do not ascend";
}

RecordIntake::Complaint RecordIntake::take(const wire::SpanRecord& record) {
  const Operator* op = operators_.find(record.op);
  if (op == nullptr) {
    return kUndefinedOperator;
  }
  if (const auto found = times(record.start_ns, record.end_ns)) {
    const bool is_operator = op->kind == wire::OperatorKind::Operator;
    HostSpan row;
    row.start = found->start;
    row.duration = found->duration;
    row.signature = op->signature;
    row.arguments = op->arguments;
    row.thread = thread(record.thread);
    row.kind = is_operator ? HostSpanKind::Operator : HostSpanKind::Annotation;
    trace_.host_spans.push_back(row);
    ++categories_[is_operator ? "operator" : "annotation"];
  }
  return {};
}

RecordIntake::Complaint RecordIntake::take(const wire::CallRecord& record) {
  if (!is_within(record.kind, wire::CallKind::LaunchFunction)) {
    return "a call has an unknown kind";
  }
  if (record.op != 0 && operators_.find(record.op) == nullptr) {
    return kUndefinedOperator;
  }
  if (const auto found = times(record.start_ns, record.start_ns)) {
    const CallName call = name_of(static_cast<wire::CallKind>(record.kind));
    ApiCall row;
    row.start = found->start;
    row.correlation = record.correlation;
    row.name = model_.strings.intern(call.name);
    row.thread = thread(record.thread);
    row.kind = call.kind;
    trace_.api_calls.push_back(row);
    ++categories_["call"];
  }
  return {};
}

RecordIntake::Complaint RecordIntake::take(const wire::NodeRecord& record) {
  if (!is_within(record.event, wire::NodeEvent::ExecDestroyed) ||
      !is_within(record.kind, wire::NodeKind::Conditional)) {
    return "a graph node has an unknown kind";
  }
  for (const std::uint32_t op : {record.op, record.top_op}) {
    if (op != 0 && operators_.find(op) == nullptr) {
      return kUndefinedOperator;
    }
  }
  if (times(record.time_ns, record.time_ns)) {
    nodes_.add(record);
    ++categories_["graph_node"];
  }
  return {};
}

RecordIntake::Complaint RecordIntake::take(const wire::NodeNameRecord& record) {
  if (texts_.find(record.name) == nullptr) {
    return kUndefinedText;
  }
  nodes_.add_name(record);
  return {};
}

RecordIntake::Complaint RecordIntake::take(const wire::DeviceRecord& record) {
  if (!is_within(record.kind, wire::DeviceKind::WholeGraph)) {
    return "a device event has an unknown kind";
  }
  Text* name = texts_.find(record.name);
  if (record.name != 0 && name == nullptr) {
    return kUndefinedText;
  }
  const auto found = times(record.start_ns, record.end_ns);
  if (!found) {
    return {};
  }
  const auto kind = static_cast<DeviceEventKind>(record.kind);
  RawDeviceCount& raw = trace_.raw_device.at(record.kind);
  ++raw.events;
  raw.time += found->duration;
  ++categories_[device_event_kind_name(kind)];

  DeviceEvent row;
  row.start = found->start;
  row.duration = found->duration;
  row.correlation = record.correlation;
  row.graph_node_id = kind == DeviceEventKind::Graph ? 0 : record.node;
  row.dims = dims(record);
  row.stream = stream(record.device, record.stream);
  row.kind = kind;
  row.name = device_event_name(kind, record.node, name);
  trace_.device_events.push_back(row);
  return {};
}

RecordIntake::Complaint RecordIntake::take(const wire::WindowRecord& record) {
  if (record.event > 1 || record.detail > 1) {
    return "a window has an unknown kind";
  }
  ++categories_["window"];
  return {};
}

RecordIntake::Complaint RecordIntake::take(const wire::LossRecord& record) {
  if (!is_within(record.cause, wire::LossCause::InternalError)) {
    return "a loss has an unknown cause";
  }
  count(Issue::RecordsDropped,
        describe(static_cast<wire::LossCause>(record.cause)),
        std::max<std::uint64_t>(record.dropped_records, 1));
  return {};
}

RecordIntake::Complaint RecordIntake::take(const wire::PropertyRecord& record) {
  const auto name = text(record.name);
  const auto value = text(record.value);
  if (!name || !value) {
    return kUndefinedText;
  }
  if (name->is_none() || trace_.properties.size() >= kMaxProperties) {
    return {};
  }
  const std::string_view shown = model_.strings.view(*value);
  if (!take_known_property(model_.strings.view(*name), shown)) {
    set_property(model_.strings.view(*name), shown);
  }
  return {};
}

/// What is told again replaces what was told: a better source of operators came, say.
void RecordIntake::set_property(std::string_view name, std::string_view value) {
  const auto found = std::find_if(
      trace_.properties.begin(), trace_.properties.end(), [name](const TraceProperty& property) {
        return property.name == name;
      });
  if (found == trace_.properties.end()) {
    trace_.properties.push_back({std::string(name), std::string(value)});
  } else {
    found->value = value;
  }
}

bool RecordIntake::take_known_property(std::string_view name, std::string_view value) {
  constexpr std::string_view kDevice = "device.";
  constexpr std::string_view kName = ".name";
  if (name == "world_size") {
    const std::int64_t ranks = number_in(value);
    trace_.world_size = ranks > 0 ? std::optional(ranks) : trace_.world_size;
    return ranks > 0;
  }
  if (!name.starts_with(kDevice) || !name.ends_with(kName) ||
      name.size() <= kDevice.size() + kName.size()) {
    return false;
  }
  const std::int64_t device =
      number_in(name.substr(kDevice.size(), name.size() - kDevice.size() - kName.size()));
  if (device >= 0) {
    trace_.devices.push_back({device, std::string(value)});
  }
  return device >= 0;
}

void RecordIntake::finish() {
  for (const ResolvedNode& node : nodes_.resolve()) {
    add_graph_node(node);
  }
  for (const auto& [name, events] : categories_) {
    trace_.categories.push_back({std::string(name), events});
  }
}

void RecordIntake::add_graph_node(const ResolvedNode& node) {
  GraphNodeRow row;
  row.node = node.node;
  row.valid_from = to_time(node.valid_from_ns);
  row.kind = event_kind(node.kind);
  if (node.captured.node != 0) {
    row.origin = node.captured.node;
    row.captured_at = to_time(node.captured.time_ns);
    row.signature = operator_signature(node.captured.op);
    row.top_signature = operator_signature(node.captured.top_op);
    row.thread = thread(node.captured.thread);
    if (Text* kernel = texts_.find(nodes_.name_of(node.captured.node))) {
      row.kernel = kernel_name(*kernel);
    }
  }
  trace_.graph_nodes.push_back(row);
}

SignatureId RecordIntake::operator_signature(std::uint32_t op) {
  const Operator* found = operators_.find(op);
  const bool is_operator = found != nullptr && found->kind == wire::OperatorKind::Operator;
  return is_operator ? found->signature : SignatureId::none();
}

StringId RecordIntake::device_event_name(DeviceEventKind kind, std::uint64_t node, Text* name) {
  if (kind == DeviceEventKind::Graph) {
    return model_.strings.intern("CUDA graph " + std::to_string(node >> 32U));
  }
  if (kind == DeviceEventKind::Kernel) {
    return name == nullptr ? model_.strings.intern("") : kernel_name(*name);
  }
  if (name != nullptr) {
    return name->id;
  }
  return kind == DeviceEventKind::Memcpy ? memcpy_name_ : memset_name_;
}

StringId RecordIntake::kernel_name(Text& text) {
  if (text.kernel.is_none()) {
    text.kernel = model_.strings.intern(readable_kernel_name(model_.strings.view(text.id)));
  }
  return text.kernel;
}

ThreadId RecordIntake::thread(std::uint32_t id) {
  const auto [entry, is_new] = threads_.try_emplace(id, ThreadId(trace_.threads.size()));
  if (is_new) {
    trace_.threads.push_back({process_, model_.strings.intern(std::to_string(id))});
  }
  return entry->second;
}

StreamId RecordIntake::stream(std::int64_t device, std::int64_t stream) {
  const auto [entry, is_new] =
      streams_.try_emplace(std::pair(device, stream), StreamId(trace_.streams.size()));
  if (is_new) {
    trace_.streams.push_back({device, stream, StringId::none()});
  }
  return entry->second;
}

DimsId RecordIntake::dims(const wire::DeviceRecord& record) {
  Dims dims;
  std::copy(std::begin(record.grid), std::end(record.grid), dims.grid.begin());
  std::copy(std::begin(record.block), std::end(record.block), dims.block.begin());
  return model_.dims.intern(dims);
}

std::optional<RecordIntake::Times> RecordIntake::times(std::uint64_t start_ns,
                                                       std::uint64_t end_ns) {
  if (!fits(start_ns) || !fits(end_ns)) {
    count(Issue::TimeOutOfRange, {});
    return std::nullopt;
  }
  if (end_ns < start_ns) {
    count(Issue::NegativeDuration, {});
    return Times{to_time(start_ns), Nanoseconds()};
  }
  return Times{to_time(start_ns), to_time(end_ns - start_ns)};
}

void RecordIntake::count(Issue issue, std::string_view detail, std::uint64_t times) {
  IssuePlace place;
  if (trace_.diagnostics.times(issue) == 0 ||
      trace_.diagnostics.samples(issue).size() < Diagnostics::kSamples) {
    place = {trace_.path, offset_, std::string(detail)};
  }
  trace_.diagnostics.count(issue, std::move(place), times);
}

}  // namespace opcensus::import

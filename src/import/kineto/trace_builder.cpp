// SPDX-License-Identifier: Apache-2.0
#include "src/import/kineto/trace_builder.h"

#include <algorithm>
#include <limits>
#include <vector>

#include "src/base/decimal.h"
#include "src/base/digits.h"
#include "src/import/kineto/json_text.h"
#include "src/import/kineto/number_text.h"

namespace opcensus::import {
namespace {

constexpr Nanoseconds kDropped{std::numeric_limits<std::int64_t>::min()};

/// "[TP00-DP00] 445": merged traces write the process group before the pid.
struct ProcessText {
  std::string_view group;  ///< "[TP00-DP00]"; empty otherwise
  std::string_view pid;    ///< "445"
};

ProcessText split_process(std::string_view pid) {
  const std::size_t end = pid.starts_with('[') ? pid.find(']') : std::string_view::npos;
  if (end == std::string_view::npos) {
    return {{}, pid};
  }
  return {pid.substr(0, end + 1), trim_json_space(pid.substr(end + 1))};
}

/// The number at the end of a text: "7", "stream 7".
std::int64_t trailing_integer(std::string_view text) {
  if (const auto whole = parse_integer(text)) {
    return *whole;
  }
  std::size_t begin = text.size();
  while (begin > 0 && is_digit(text[begin - 1])) {
    --begin;
  }
  return parse_integer(text.substr(begin)).value_or(0);
}

Nanoseconds within_limit(Nanoseconds time, std::uint64_t& clamped) {
  if (time.count() > kDecimalLimit || time.count() < -kDecimalLimit) {
    ++clamped;
    return Nanoseconds(time.count() > 0 ? kDecimalLimit : -kDecimalLimit);
  }
  return time;
}

template <class Span>
void shift(std::vector<Span>& spans, std::size_t from, Nanoseconds by, std::uint64_t& clamped) {
  for (std::size_t i = from; i < spans.size(); ++i) {
    spans[i].start = within_limit(spans[i].start + by, clamped);
  }
}

template <class Span>
void erase_dropped(std::vector<Span>& spans) {
  std::erase_if(spans, [](const Span& span) { return span.duration == kDropped; });
}

}  // namespace

TraceBuilder::Row TraceBuilder::add(const RawEvent& event,
                                    CategoryKind kind,
                                    const EventTimes& times) {
  switch (kind) {
    case CategoryKind::Operator:
      return add_host_span(event, HostSpanKind::Operator, times);
    case CategoryKind::Annotation:
      return add_host_span(event, HostSpanKind::Annotation, times);
    case CategoryKind::ApiCall:
      return add_api_call(event, times);
    case CategoryKind::Kernel:
      return add_device_event(event, DeviceEventKind::Kernel, times);
    case CategoryKind::Memcpy:
      return add_device_event(event, DeviceEventKind::Memcpy, times);
    case CategoryKind::Memset:
      return add_device_event(event, DeviceEventKind::Memset, times);
    case CategoryKind::DeviceAnnotation:
      return add_auxiliary(event, AuxiliaryKind::DeviceAnnotation, times);
    case CategoryKind::Overhead:
      return add_auxiliary(event, AuxiliaryKind::Overhead, times);
    case CategoryKind::DeviceQueue:
    case CategoryKind::Collective:
    case CategoryKind::Other:
      break;
  }
  return {};
}

TraceBuilder::Row TraceBuilder::add_host_span(const RawEvent& event,
                                              HostSpanKind kind,
                                              const EventTimes& times) {
  const bool is_operator = kind == HostSpanKind::Operator;
  const auto signature =
      tables_.signature(*event.name,
                        is_operator ? event.args.input_dims : std::string_view(),
                        is_operator ? event.args.input_type : std::string_view());
  if (signature.has_elided_tensor_list) {
    issues_.count(Issue::ElidedTensorList, event.byte_offset, *event.name);
  }
  if (signature.has_invalid_inputs) {
    issues_.count(Issue::InvalidJson, event.byte_offset, "input shapes or dtypes");
  }
  HostSpan& span = trace_.host_spans.emplace_back();
  span.start = times.start;
  span.duration = times.duration;
  span.external_id = event.args.external_id;
  span.record_function_id = event.args.record_function_id;
  span.signature = signature.id;
  span.thread = thread(event.pid, event.tid);
  span.kind = kind;
  if (is_operator) {
    span.arguments = arguments(event);
    flow_links_.add_operator(moved_.host_spans + trace_.host_spans.size() - 1,
                             event.args.record_function_id);
  }
  return {is_operator ? CategoryKind::Operator : CategoryKind::Annotation,
          moved_.host_spans + trace_.host_spans.size() - 1};
}

ArgumentsId TraceBuilder::arguments(const RawEvent& event) {
  if (event.args.input_strides.empty() && event.args.concrete_inputs.empty()) {
    return ArgumentsId::none();
  }
  bool is_invalid = false;
  const ArgumentsId id =
      tables_.arguments(event.args.input_strides, event.args.concrete_inputs, is_invalid);
  if (is_invalid) {
    issues_.count(Issue::InvalidJson, event.byte_offset, "input strides or concrete inputs");
  }
  return id;
}

TraceBuilder::Row TraceBuilder::add_api_call(const RawEvent& event, const EventTimes& times) {
  ApiCall& call = trace_.api_calls.emplace_back();
  call.start = times.start;
  call.duration = times.duration;
  call.correlation = event.args.correlation;
  call.external_id = event.args.external_id;
  call.name = tables_.text(*event.name);
  call.kernel = event.args.kernel.empty() ? StringId::none() : tables_.text(event.args.kernel);
  call.dims = dims_or_none(event.args.dims);
  call.thread = thread(event.pid, event.tid);
  call.kind = classify_api_call(*event.name);
  return {CategoryKind::ApiCall, moved_.api_calls + trace_.api_calls.size() - 1};
}

TraceBuilder::Row TraceBuilder::add_device_event(const RawEvent& event,
                                                 DeviceEventKind kind,
                                                 const EventTimes& times) {
  DeviceEvent& device_event = trace_.device_events.emplace_back();
  device_event.start = times.start;
  device_event.duration = times.duration;
  device_event.correlation = event.args.correlation;
  device_event.external_id = event.args.external_id;
  device_event.graph_node_id = event.args.graph_node_id;
  device_event.name = tables_.text(*event.name);
  device_event.dims = tables_.dims(event.args.dims);
  device_event.stream = stream(event);
  device_event.kind = kind;
  const std::size_t index = moved_.device_events + trace_.device_events.size() - 1;
  if (event.args.graph_node.node != 0 && !event.args.graph_node.operator_name.empty()) {
    device_event.graph_node_id = graph_nodes_.add(
        event.args.graph_node, tables_.text(event.args.graph_node.operator_name), index);
  }
  if (device_event.correlation == 0 && device_event.external_id == 0) {
    flow_links_.add_unlinked(index);
  }
  return {CategoryKind::Kernel, index};
}

TraceBuilder::Row TraceBuilder::add_auxiliary(const RawEvent& event,
                                              AuxiliaryKind kind,
                                              const EventTimes& times) {
  AuxiliarySpan& span = trace_.auxiliary.emplace_back();
  span.start = times.start;
  span.duration = times.duration;
  span.external_id = event.args.external_id;
  span.name = tables_.text(*event.name);
  span.thread = kind == AuxiliaryKind::Overhead ? thread(event.pid, event.tid) : ThreadId::none();
  span.kind = kind;
  return {CategoryKind::Overhead, moved_.auxiliary + trace_.auxiliary.size() - 1};
}

DimsId TraceBuilder::dims_or_none(const Dims& dims) {
  return dims == Dims{} ? DimsId::none() : tables_.dims(dims);
}

ThreadId TraceBuilder::thread(std::string_view pid, std::string_view tid) {
  const Thread key{pid.empty() ? StringId::none() : tables_.text(pid),
                   tid.empty() ? StringId::none() : tables_.text(tid)};
  if (last_thread_id_.is_none() || key != last_thread_) {
    const auto [entry, is_new] = thread_ids_.try_emplace(key, ThreadId(trace_.threads.size()));
    if (is_new) {
      trace_.threads.push_back(key);
    }
    last_thread_ = key;
    last_thread_id_ = entry->second;
  }
  return last_thread_id_;
}

StreamId TraceBuilder::stream(const RawEvent& event) {
  const ProcessText process = split_process(event.pid);
  Stream key;
  key.device = event.args.device ? *event.args.device : parse_integer(process.pid).value_or(0);
  key.stream = event.args.stream ? *event.args.stream : trailing_integer(event.tid);
  key.process_group = process.group.empty() ? StringId::none() : tables_.text(process.group);
  if (last_stream_id_.is_none() || key != last_stream_) {
    const auto [entry, is_new] = stream_ids_.try_emplace(key, StreamId(trace_.streams.size()));
    if (is_new) {
      trace_.streams.push_back(key);
    }
    last_stream_ = key;
    last_stream_id_ = entry->second;
  }
  return last_stream_id_;
}

void TraceBuilder::set_duration(const Row& row, Nanoseconds duration) {
  switch (row.kind) {
    case CategoryKind::Operator:
    case CategoryKind::Annotation:
      trace_.host_spans[row.index - moved_.host_spans].duration = duration;
      break;
    case CategoryKind::ApiCall:
      trace_.api_calls[row.index - moved_.api_calls].duration = duration;
      break;
    case CategoryKind::Kernel:
    case CategoryKind::Memcpy:
    case CategoryKind::Memset:
      trace_.device_events[row.index - moved_.device_events].duration = duration;
      break;
    case CategoryKind::DeviceAnnotation:
    case CategoryKind::Overhead:
      trace_.auxiliary[row.index - moved_.auxiliary].duration = duration;
      break;
    case CategoryKind::DeviceQueue:
    case CategoryKind::Collective:
    case CategoryKind::Other:
      break;
  }
}

void TraceBuilder::drop(const Row& row) {
  set_duration(row, kDropped);
  has_dropped_ = true;
}

void TraceBuilder::add_flow_end(const RawEvent& event, Nanoseconds time) {
  flow_links_.add_flow_end(stream(event), time, event.flow_id);
}

void TraceBuilder::finish_rows() {
  trace_.graph_nodes = graph_nodes_.rows(tables_.model(), trace_);
  erase_dropped_rows();
}

void TraceBuilder::erase_dropped_rows() {
  if (has_dropped_) {
    erase_dropped(trace_.host_spans);
    erase_dropped(trace_.api_calls);
    erase_dropped(trace_.device_events);
    erase_dropped(trace_.auxiliary);
    has_dropped_ = false;
  }
}

std::size_t TraceBuilder::rows() const {
  return trace_.host_spans.size() + trace_.api_calls.size() + trace_.device_events.size() +
         trace_.auxiliary.size();
}

void TraceBuilder::note_moved_rows() {
  moved_.host_spans += trace_.host_spans.size();
  moved_.api_calls += trace_.api_calls.size();
  moved_.device_events += trace_.device_events.size();
  moved_.auxiliary += trace_.auxiliary.size();
}

void TraceBuilder::add_base_time(Nanoseconds base) {
  std::uint64_t clamped = 0;
  shift(trace_.host_spans, finished_.host_spans, base, clamped);
  shift(trace_.api_calls, finished_.api_calls, base, clamped);
  shift(trace_.device_events, finished_.device_events, base, clamped);
  shift(trace_.auxiliary, finished_.auxiliary, base, clamped);
  finished_ = {trace_.host_spans.size(),
               trace_.api_calls.size(),
               trace_.device_events.size(),
               trace_.auxiliary.size()};
  for (; clamped > 0; --clamped) {
    issues_.count(Issue::TimeOutOfRange, 0, "baseTimeNanoseconds");
  }
}

}  // namespace opcensus::import

// SPDX-License-Identifier: Apache-2.0
#include "src/import/kineto/event_intake.h"

#include <array>

#include "src/base/decimal.h"
#include "src/import/kineto/json_text.h"

namespace opcensus::import {
namespace {

/// Events without a category (metadata, marks) are counted by phase: "ph:M".
std::array<char, 4> phase_category(char phase) {
  return {'p', 'h', ':', phase};
}

}  // namespace

void EventIntake::on_event(const RawEvent& event) {
  if (event.phase == '\0') {
    issues_.count(Issue::BadEvent, event.byte_offset, "no phase (ph)");
    return;
  }
  const std::array<char, 4> by_phase = phase_category(event.phase);
  CategoryTable::Category& category = categories_.find(
      event.category.empty() ? std::string_view(by_phase.data(), by_phase.size()) : event.category);
  ++category.events;
  ++events_;
  has_flow_links_ = has_flow_links_ || category.is_linked_by_flow;
  switch (event.phase) {
    case 'X':
      add_complete(event, category.kind);
      break;
    case 'B':
      add_begin(event, category.kind);
      break;
    case 'E':
      add_end(event);
      break;
    case 'f':
      if (has_flow_links_ && category.is_launch_flow) {
        add_flow_end(event);
      }
      break;
    default:
      break;
  }
}

void EventIntake::add_complete(const RawEvent& event, CategoryKind kind) {
  if (kind == CategoryKind::Other) {
    return;
  }
  if (!event.name) {
    issues_.count(Issue::BadEvent, event.byte_offset, "no name");
    return;
  }
  kind = kind_of_row(kind, *event.name, event.args.stream.has_value());
  if (kind == CategoryKind::Other) {
    return;
  }
  const auto start = read_time(event, event.start);
  // A call counts by its start; one that was cut off before its end is still a launch.
  const bool may_lack_end = kind == CategoryKind::ApiCall && event.duration.empty();
  const auto duration = may_lack_end ? Nanoseconds() : read_time(event, event.duration);
  if (!start || !duration) {
    return;
  }
  const Nanoseconds checked = checked_duration(*duration, event.byte_offset);
  count_raw(kind, checked);
  builder_.add(event, kind, {*start, checked});
}

void EventIntake::add_begin(const RawEvent& event, CategoryKind kind) {
  const auto start = read_time(event, event.start);
  if (!start) {
    return;
  }
  OpenSpan span;
  span.start = *start;
  span.byte_offset = event.byte_offset;
  if (event.name) {
    span.kind = kind_of_row(kind, *event.name, event.args.stream.has_value());
    span.row = builder_.add(event, span.kind, {*start, Nanoseconds()});
  }
  open_[builder_.thread(event.pid, event.tid)].push_back(span);
}

void EventIntake::add_end(const RawEvent& event) {
  std::vector<OpenSpan>& open = open_[builder_.thread(event.pid, event.tid)];
  if (open.empty()) {
    issues_.count(Issue::UnpairedBegin, event.byte_offset, "end without a begin");
    return;
  }
  const auto end = read_time(event, event.start);
  if (!end) {
    return;
  }
  const OpenSpan span = open.back();
  open.pop_back();
  const Nanoseconds duration = checked_duration(*end - span.start, event.byte_offset);
  count_raw(span.kind, duration);
  builder_.set_duration(span.row, duration);
}

/// A flow without a time links nothing, and is no loss by itself.
void EventIntake::add_flow_end(const RawEvent& event) {
  const auto time = parse_microseconds(trim_json_space(event.start));
  if (time && event.flow_id != 0) {
    builder_.add_flow_end(event, *time);
  }
}

std::optional<Nanoseconds> EventIntake::read_time(const RawEvent& event, std::string_view text) {
  text = trim_json_space(text);
  const auto time = parse_microseconds(text);
  if (!time) {
    const bool is_number = split_decimal(text).has_value();
    issues_.count(is_number ? Issue::TimeOutOfRange : Issue::BadEvent,
                  event.byte_offset,
                  text.empty() ? "no ts or dur" : text.substr(0, 40));
  }
  return time;
}

Nanoseconds EventIntake::checked_duration(Nanoseconds duration, std::uint64_t byte_offset) {
  if (duration < Nanoseconds()) {
    issues_.count(Issue::NegativeDuration, byte_offset);
    return {};
  }
  return duration;
}

void EventIntake::count_raw(CategoryKind kind, Nanoseconds duration) {
  if (!is_device_kind(kind)) {
    return;
  }
  const DeviceEventKind device_kind = kind == CategoryKind::Kernel   ? DeviceEventKind::Kernel
                                      : kind == CategoryKind::Memcpy ? DeviceEventKind::Memcpy
                                                                     : DeviceEventKind::Memset;
  RawDeviceCount& count = trace_.raw_device[static_cast<std::size_t>(device_kind)];
  ++count.events;
  count.time += duration;
}

void EventIntake::finish_document(Nanoseconds base) {
  for (const auto& [thread, spans] : open_) {
    for (const OpenSpan& span : spans) {
      issues_.count(Issue::UnpairedBegin, span.byte_offset, "begin without an end");
      builder_.drop(span.row);
    }
  }
  open_.clear();
  builder_.link_flows();
  builder_.add_base_time(base);
}

}  // namespace opcensus::import

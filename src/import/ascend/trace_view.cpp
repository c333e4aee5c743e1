// SPDX-License-Identifier: Apache-2.0
#include "src/import/ascend/trace_view.h"

#include <string_view>
#include <utility>

#include "src/base/decimal.h"
#include "src/base/whole_number.h"
#include "src/import/ascend/event_texts.h"
#include "src/import/ascend/input_lists.h"
#include "src/import/ascend/json_events.h"
#include "src/io/byte_source.h"

namespace opcensus::import::ascend {
namespace {

std::uint64_t id_or_none(std::string_view text) {
  return parse_whole<std::uint64_t>(text).value_or(kNoId);
}

Lane lane_named(std::string_view process) {
  if (process == "Python") {
    return Lane::Python;
  }
  if (process == "CANN") {
    return Lane::Cann;
  }
  if (process == "Ascend Hardware") {
    return Lane::Hardware;
  }
  const bool is_communication = process == "HCCL" || process == "Communication";
  return is_communication ? Lane::Communication : Lane::Other;
}

CannLevel level_named(std::string_view level) {
  if (level == "node") {
    return CannLevel::Node;
  }
  if (level == "acl") {
    return CannLevel::Acl;
  }
  if (level == "runtime") {
    return CannLevel::Runtime;
  }
  if (level == "model") {
    return CannLevel::Model;
  }
  return level == "hccl" || level == "communication" ? CannLevel::Hccl : CannLevel::Other;
}

class TraceViewReading {
 public:
  TraceViewReading(const std::string& path,
                   StringTable& strings,
                   TraceView& view,
                   ProfileRows& rows)
      : path_(path), strings_(strings), view_(view), rows_(rows) {}

  Status run(JsonEvents& events) {
    EventTextParser parser;
    EventTexts event;
    while (true) {
      OPCENSUS_TRY(const std::string_view json, events.next());
      if (json.empty()) {
        break;
      }
      offset_ = events.event_offset();
      if (parser.parse(json, event)) {
        take(event);
      } else {
        rows_.diagnostics.count(Issue::InvalidJson, {path_, offset_, ""});
      }
    }
    rows_.bytes += events.position();
    if (events.position() == 0) {
      return Error{ErrorCode::Empty, "the file is empty", path_, {}, "export the profile again"};
    }
    if (!events.is_closed()) {
      rows_.complete = false;
      rows_.diagnostics.count(Issue::TruncatedInput, {path_, events.position(), ""});
    }
    return Done{};
  }

 private:
  void take(const EventTexts& event) {
    if (event.phase == "M") {
      take_name(event);
    } else if (event.phase == "s" && event.category == "async_npu") {
      take_link(event);
    } else if (event.phase == "X") {
      take_slice(event);
    }
  }

  void take_name(const EventTexts& event) {
    const auto pid = parse_whole<std::int64_t>(event.pid);
    if (event.name == "process_name" && pid) {
      view_.lanes[*pid] = lane_named(event.process_name);
    }
  }

  /// The id of the arrow from the framework to a task is the task's start.
  void take_link(const EventTexts& event) {
    const auto started = parse_whole<std::int64_t>(event.id);
    const auto start = parse_microseconds(event.start);
    const auto pid = parse_whole<std::int64_t>(event.pid);
    const auto tid = parse_whole<std::int64_t>(event.tid);
    if (started && start && pid && tid) {
      view_.launched.try_emplace(*started, HostPlace{{*pid, *tid}, *start});
    }
  }

  void take_slice(const EventTexts& event) {
    ++rows_.categories[std::string(event.category.empty() ? "lane_row" : event.category)];
    if (event.category == "python_function") {
      return;
    }
    const auto start = parse_microseconds(event.start);
    auto duration = parse_microseconds(event.duration);
    const auto pid = parse_whole<std::int64_t>(event.pid);
    const auto tid = parse_whole<std::int64_t>(event.tid);
    if (!start || !duration || !pid || !tid) {
      rows_.diagnostics.count(Issue::BadEvent, {path_, offset_, std::string(event.name)});
      return;
    }
    if (*duration < Nanoseconds()) {
      rows_.diagnostics.count(Issue::NegativeDuration, {path_, offset_, std::string(event.name)});
      duration = Nanoseconds();
    }
    if (event.category.empty()) {
      take_lane_row(event, *start, *duration, *pid, *tid);
    } else {
      take_host_row(event, *start, *duration, {*pid, *tid});
    }
  }

  void take_host_row(const EventTexts& event,
                     Nanoseconds start,
                     Nanoseconds duration,
                     HostThread thread) {
    HostRow row;
    row.start = start;
    row.duration = duration;
    row.thread = thread;
    row.name = strings_.intern(event.name);
    if (event.category == "enqueue" || event.category == "dequeue") {
      row.kind = event.category == "enqueue" ? HostRowKind::Enqueue : HostRowKind::Dequeue;
      row.queue_id = parse_whole<std::uint64_t>(event.correlation_id).value_or(0);
    } else if (event.category == "cpu_op") {
      const InputLists lists = host_input_lists(event.input_dims, event.input_type);
      row.inputs.shapes = intern_or_none(lists.shapes);
      row.inputs.dtypes = intern_or_none(lists.dtypes);
      row.inputs.has_elided_list = lists.has_elided_list;
    } else if (event.category == "mstx" || event.category == "user_annotation") {
      row.kind = HostRowKind::Range;
    } else {
      return;  // counted; nothing that is needed
    }
    rows_.host.push_back(row);
  }

  void take_lane_row(const EventTexts& event,
                     Nanoseconds start,
                     Nanoseconds duration,
                     std::int64_t pid,
                     std::int64_t tid) {
    LaneRow row;
    row.start = start;
    row.duration = duration;
    row.pid = pid;
    row.thread = parse_whole<std::int64_t>(event.thread_id).value_or(tid);
    row.name = strings_.intern(event.name);
    row.type = intern_or_none(event.task_type);
    row.stream = parse_whole<std::uint64_t>(event.stream_id);
    row.task = id_or_none(event.task_id);
    row.context = id_or_none(event.context_id);
    row.model = id_or_none(event.model_id);
    row.connection = id_or_none(event.connection_id);
    row.level = level_named(event.level);
    view_.rows.push_back(row);
  }

  StringId intern_or_none(std::string_view text) {
    return text.empty() ? StringId::none() : strings_.intern(text);
  }

  const std::string& path_;
  StringTable& strings_;
  TraceView& view_;
  ProfileRows& rows_;
  std::uint64_t offset_ = 0;  // of the event at hand
};

}  // namespace

Lane TraceView::lane_of(std::int64_t pid) const {
  const auto lane = lanes.find(pid);
  return lane == lanes.end() ? Lane::Other : lane->second;
}

Status read_trace_view(const std::string& path,
                       const AscendOptions& options,
                       StringTable& strings,
                       TraceView& view,
                       ProfileRows& rows) {
  OPCENSUS_TRY(const auto source, open_bytes(path));
  JsonEvents events(*source, options.limits.max_event_bytes);
  TraceViewReading reading(path, strings, view, rows);
  auto status = reading.run(events);
  if (!status) {
    return std::move(status).error().in_file(path);
  }
  return Done{};
}

}  // namespace opcensus::import::ascend

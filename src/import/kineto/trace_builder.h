// SPDX-License-Identifier: Apache-2.0
//
// TraceBuilder: rows into the columns of a Trace and the tables of its Model.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <string_view>

#include "src/import/kineto/category_table.h"
#include "src/import/kineto/issue_log.h"
#include "src/import/kineto/model_tables.h"
#include "src/import/kineto/raw_event.h"
#include "src/model/model.h"

namespace opcensus::import {

struct EventTimes {
  Nanoseconds start;
  Nanoseconds duration;
};

class TraceBuilder {
 public:
  TraceBuilder(ModelTables& tables, Trace& trace, IssueLog& issues)
      : tables_(tables), trace_(trace), issues_(issues) {}

  /// A row's place, for set_duration(): the column is that of the kind.
  struct Row {
    CategoryKind kind = CategoryKind::Other;
    std::size_t index = 0;
  };

  /// `kind` is not Other.
  Row add(const RawEvent& event, CategoryKind kind, const EventTimes& times);

  void set_duration(const Row& row, Nanoseconds duration);

  /// Takes a row out when finish_rows() is called.
  void drop(const Row& row);

  void finish_rows();

  /// Adds the base time to every row since the last call.
  void add_base_time(Nanoseconds base);

  ThreadId thread(std::string_view pid, std::string_view tid);

 private:
  Row add_host_span(const RawEvent& event, HostSpanKind kind, const EventTimes& times);
  Row add_api_call(const RawEvent& event, const EventTimes& times);
  Row add_device_event(const RawEvent& event, DeviceEventKind kind, const EventTimes& times);
  Row add_auxiliary(const RawEvent& event, AuxiliaryKind kind, const EventTimes& times);
  StreamId stream(const RawEvent& event);
  DimsId dims_or_none(const Dims& dims);

  /// Rows that have their base time already.
  struct Finished {
    std::size_t host_spans = 0;
    std::size_t api_calls = 0;
    std::size_t device_events = 0;
    std::size_t auxiliary = 0;
  };

  ModelTables& tables_;
  Trace& trace_;
  IssueLog& issues_;
  std::map<Thread, ThreadId> thread_ids_;
  std::map<Stream, StreamId> stream_ids_;
  Thread last_thread_;
  ThreadId last_thread_id_;
  Stream last_stream_;
  StreamId last_stream_id_;
  Finished finished_;
  bool has_dropped_ = false;
};

}  // namespace opcensus::import

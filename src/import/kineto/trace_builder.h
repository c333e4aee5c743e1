// SPDX-License-Identifier: Apache-2.0
//
// TraceBuilder: rows into the columns of a Trace and the tables of its Model.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <string_view>

#include "src/import/kineto/category_table.h"
#include "src/import/kineto/flow_links.h"
#include "src/import/kineto/graph_node_table.h"
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
      : tables_(tables),
        trace_(trace),
        issues_(issues),
        flow_links_(tables.limits().max_flow_operators) {}

  /// A row's place, for set_duration(): the column is that of the kind. Rows that were moved count,
  /// so that it is still the row's if they come back.
  struct Row {
    CategoryKind kind = CategoryKind::Other;
    std::size_t index = 0;
  };

  /// `kind` is one of rows (kind_of_row); nothing is added for any other.
  Row add(const RawEvent& event, CategoryKind kind, const EventTimes& times);

  void set_duration(const Row& row, Nanoseconds duration);

  /// Takes a row out when finish_rows() is called.
  void drop(const Row& row);

  void finish_rows();

  /// How many rows stand in the trace's columns.
  [[nodiscard]] std::size_t rows() const;

  /// Whether rows may leave the columns before the trace is complete: not those that others are
  /// about to refer to.
  [[nodiscard]] bool can_move_rows() const { return graph_nodes_.empty(); }

  /// Before all rows leave the columns, in this order.
  void erase_dropped_rows();
  void note_moved_rows();

  /// After they are back in front of the others.
  void note_returned_rows() { moved_ = {}; }

  /// The end of an arrow at a device event; its time has no base yet.
  void add_flow_end(const RawEvent& event, Nanoseconds time);

  /// Links the device events of the document that ends here by their flows. Before
  /// add_base_time().
  void link_flows() { flow_links_.apply(trace_); }

  /// Adds the base time to every row since the last call.
  void add_base_time(Nanoseconds base);

  ThreadId thread(std::string_view pid, std::string_view tid);

 private:
  Row add_host_span(const RawEvent& event, HostSpanKind kind, const EventTimes& times);
  Row add_api_call(const RawEvent& event, const EventTimes& times);
  Row add_device_event(const RawEvent& event, DeviceEventKind kind, const EventTimes& times);
  Row add_auxiliary(const RawEvent& event, AuxiliaryKind kind, const EventTimes& times);
  ArgumentsId arguments(const RawEvent& event);
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
  FlowLinks flow_links_;
  GraphNodeTable graph_nodes_;
  Finished finished_;
  Finished moved_;  ///< how many rows stand elsewhere, in front of those in the columns
  bool has_dropped_ = false;
};

}  // namespace opcensus::import

// SPDX-License-Identifier: Apache-2.0
//
// EventIntake: decides what becomes of each parsed event. Counts categories and, before any
// column exists, the device events and their time; reads times; joins begin and end events; hands
// what is a row to the TraceBuilder. Every event that is left out is a counted Issue.
#pragma once

#include <algorithm>
#include <cstdint>
#include <map>
#include <optional>
#include <string_view>
#include <vector>

#include "src/import/kineto/category_table.h"
#include "src/import/kineto/issue_log.h"
#include "src/import/kineto/raw_event.h"
#include "src/import/kineto/trace_builder.h"

namespace opcensus::import {

class EventIntake final : public EventSink {
 public:
  EventIntake(TraceBuilder& builder, Trace& trace, IssueLog& issues)
      : builder_(builder), trace_(trace), issues_(issues) {}

  void on_event(const RawEvent& event) override;

  /// A backend was seen that may link by flows alone.
  [[nodiscard]] bool has_flow_links() const { return has_flow_links_; }

  /// Whether a row may still be changed by an event to come.
  [[nodiscard]] bool has_unfinished_rows() const {
    return has_flow_links_ || std::any_of(open_.begin(), open_.end(), [](const auto& thread) {
             return !thread.second.empty();
           });
  }

  /// Ends a document: begin events without an end are dropped, the base time is added.
  void finish_document(Nanoseconds base);

  /// Events with a phase: a file without any is not a trace.
  [[nodiscard]] std::uint64_t events() const { return events_; }

  [[nodiscard]] std::vector<CategoryCount> category_counts() const { return categories_.counts(); }

 private:
  struct OpenSpan {
    TraceBuilder::Row row;
    CategoryKind kind = CategoryKind::Other;
    Nanoseconds start;
    std::uint64_t byte_offset = 0;
  };

  void add_complete(const RawEvent& event, CategoryKind kind);
  void add_begin(const RawEvent& event, CategoryKind kind);
  void add_end(const RawEvent& event);
  void add_flow_end(const RawEvent& event);
  std::optional<Nanoseconds> read_time(const RawEvent& event, std::string_view text);
  Nanoseconds checked_duration(Nanoseconds duration, std::uint64_t byte_offset);
  void count_raw(CategoryKind kind, Nanoseconds duration);

  TraceBuilder& builder_;
  Trace& trace_;
  IssueLog& issues_;
  CategoryTable categories_;
  std::map<ThreadId, std::vector<OpenSpan>> open_;
  std::uint64_t events_ = 0;
  bool has_flow_links_ = false;
};

}  // namespace opcensus::import

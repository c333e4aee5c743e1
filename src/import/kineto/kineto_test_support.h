// SPDX-License-Identifier: Apache-2.0
//
// Shared by the tests of this folder and the fuzz target: a source in memory, and a text of
// everything a Model holds, so that two readings can be compared.
#pragma once

#include <algorithm>
#include <cstring>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "src/import/kineto/kineto_reader.h"

namespace opcensus::import::testing {

class MemorySource final : public ByteSource {
 public:
  explicit MemorySource(std::string_view content) : content_(content) {}

  /// Fails after the content instead of ending.
  MemorySource(std::string_view content, Error error, bool truncated)
      : content_(content), error_(std::move(error)), truncated_(truncated) {}

  Result<std::size_t> read(std::span<char> buffer) override {
    const std::size_t count = std::min(buffer.size(), content_.size() - at_);
    if (count == 0 && error_) {
      return *error_;
    }
    if (count > 0) {
      std::memcpy(buffer.data(), content_.data() + at_, count);
    }
    at_ += count;
    return count;
  }

  [[nodiscard]] std::uint64_t consumed() const override { return at_; }

  [[nodiscard]] std::uint64_t total() const override { return content_.size(); }

  [[nodiscard]] bool truncated() const override { return truncated_; }

 private:
  std::string_view content_;
  std::size_t at_ = 0;
  std::optional<Error> error_;
  bool truncated_ = false;
};

/// A reading: the Model with one Trace, or the Error.
struct Reading {
  Model model;
  std::optional<Error> error;

  [[nodiscard]] const Trace& trace() const { return model.traces.at(0); }

  [[nodiscard]] std::string_view text(StringId id) const { return model.strings.view(id); }

  [[nodiscard]] std::uint64_t times(Issue issue) const { return trace().diagnostics.times(issue); }
};

inline Reading read_from(ByteSource& source, const KinetoOptions& options = {}) {
  Reading reading;
  auto result = read_kineto_trace(source, "test.json", options, reading.model);
  if (!result.has_value()) {
    reading.error = std::move(result).error();
  }
  return reading;
}

inline Reading read_text(std::string_view content, const KinetoOptions& options = {}) {
  MemorySource source(content);
  return read_from(source, options);
}

inline Reading read_in_chunks(std::string_view content, std::size_t chunk_bytes) {
  KinetoOptions options;
  options.chunk_bytes = chunk_bytes;
  return read_text(content, options);
}

/// Rows leave the columns as often as they can, and come back at the end.
class RowsElsewhere final : public RowSink {
 public:
  [[nodiscard]] std::size_t batch_rows() const override { return 2; }

  Status take(Trace& trace) override {
    move(trace, rows_);
    has_rows_ = true;
    return Done{};
  }

  Status put_back(Trace& trace) override {
    move(trace, rows_);
    move(rows_, trace);
    has_rows_ = false;
    return Done{};
  }

  Status finish(Trace& trace, Nanoseconds base_time) override {
    const auto add = [base_time](auto& rows) {
      for (auto& row : rows) {
        row.start = row.start + base_time;
      }
    };
    static_cast<void>(put_back(trace));
    add(trace.host_spans);
    add(trace.api_calls);
    add(trace.device_events);
    add(trace.auxiliary);
    return Done{};
  }

  [[nodiscard]] bool has_rows() const override { return has_rows_; }

 private:
  template <class Row>
  static void append(std::vector<Row>& from, std::vector<Row>& to) {
    to.insert(to.end(), from.begin(), from.end());
    from.clear();
  }

  static void move(Trace& from, Trace& to) {
    append(from.host_spans, to.host_spans);
    append(from.api_calls, to.api_calls);
    append(from.device_events, to.device_events);
    append(from.auxiliary, to.auxiliary);
  }

  Trace rows_;
  bool has_rows_ = false;
};

/// Everything that stands in a Reading, one row a line, ids resolved.
class ReadingText {
 public:
  explicit ReadingText(const Reading& reading) : reading_(reading) {}

  std::string columns() {
    out_.clear();
    for (const HostSpan& span : trace().host_spans) {
      times(span.kind == HostSpanKind::Operator ? "op" : "annotation", span);
      const Signature& signature = reading_.model.signatures[span.signature];
      add(signature.operator_name).add(signature.input_shapes).add(signature.input_dtypes);
      const Arguments arguments =
          span.arguments.has_value() ? reading_.model.arguments[span.arguments] : Arguments{};
      add(arguments.input_strides).add(arguments.concrete_inputs);
      number(span.external_id).thread(span.thread).end();
    }
    for (const ApiCall& call : trace().api_calls) {
      times("call", call);
      add(call.name).add(call.kernel).dims(call.dims).number(call.correlation);
      number(call.external_id).number(static_cast<int>(call.kind)).thread(call.thread).end();
    }
    for (const DeviceEvent& event : trace().device_events) {
      times(device_event_kind_name(event.kind), event);
      add(event.name).dims(event.dims).number(event.correlation).number(event.external_id);
      number(event.graph_node_id).stream(event.stream).end();
    }
    for (const AuxiliarySpan& span : trace().auxiliary) {
      times(span.kind == AuxiliaryKind::Overhead ? "overhead" : "device_annotation", span);
      add(span.name).number(span.external_id).thread(span.thread).end();
    }
    return out_;
  }

  /// Columns, counts, header and diagnostics; or the Error.
  std::string everything() {
    if (reading_.error) {
      return "error " + std::to_string(static_cast<int>(reading_.error->code)) + " " +
             reading_.error->message;
    }
    columns();
    for (const CategoryCount& category : trace().categories) {
      word("category").word(category.category).number(category.events).end();
    }
    for (const RawDeviceCount& raw : trace().raw_device) {
      word("raw").number(raw.events).number(raw.time.count()).end();
    }
    for (const TraceProperty& property : trace().properties) {
      word("property").word(property.name).word(property.value).end();
    }
    word("variant").word(trace().variant).word(trace().device_type).end();
    for (const std::string& lack : trace().cannot_tell) {
      word("cannot tell").word(lack).end();
    }
    for (const GraphNodeRow& node : trace().graph_nodes) {
      word("node").number(node.node).number(node.captured_at.count()).thread(node.thread);
      add(reading_.model.signatures[node.signature].operator_name).end();
    }
    for (const DeviceInfo& device : trace().devices) {
      word("device").number(device.id).word(device.name).end();
    }
    word("header").word(trace().trace_id).number(trace().base_time.count());
    number(trace().rank.value_or(-1)).number(trace().world_size.value_or(-1));
    number(trace().record_shapes ? static_cast<int>(*trace().record_shapes) : -1);
    number(static_cast<int>(trace().complete)).number(trace().bytes).end();
    diagnostics();
    return out_;
  }

 private:
  [[nodiscard]] const Trace& trace() const { return reading_.trace(); }

  void diagnostics() {
    for (std::size_t i = 0; i < kIssueCount; ++i) {
      const auto issue = static_cast<Issue>(i);
      if (trace().diagnostics.times(issue) == 0) {
        continue;
      }
      word(issue_info(issue).name).number(trace().diagnostics.times(issue));
      for (const IssuePlace& place : trace().diagnostics.samples(issue)) {
        number(place.byte_offset.value_or(0)).word(place.detail);
      }
      end();
    }
  }

  template <class Span>
  void times(std::string_view what, const Span& span) {
    word(what).number(span.start.count()).number(span.duration.count());
  }

  ReadingText& word(std::string_view text) {
    out_.append(text).push_back('|');
    return *this;
  }

  ReadingText& add(StringId id) { return word(id.is_none() ? "-" : reading_.text(id)); }

  template <class Integer>
  ReadingText& number(Integer value) {
    return word(std::to_string(value));
  }

  ReadingText& thread(ThreadId id) {
    if (id.is_none()) {
      return word("-");
    }
    const Thread& thread = trace().threads[id.index()];
    return add(thread.process).add(thread.thread);
  }

  ReadingText& stream(StreamId id) {
    const Stream& stream = trace().streams[id.index()];
    return number(stream.device).number(stream.stream).add(stream.process_group);
  }

  ReadingText& dims(DimsId id) {
    if (id.is_none()) {
      return word("-");
    }
    const Dims& dims = reading_.model.dims[id];
    for (std::size_t i = 0; i < 3; ++i) {
      number(dims.grid[i]).number(dims.block[i]);
    }
    return *this;
  }

  void end() { out_.push_back('\n'); }

  const Reading& reading_;
  std::string out_;
};

}  // namespace opcensus::import::testing

// SPDX-License-Identifier: Apache-2.0
//
// ModelBuilder: small traces by hand, for tests of what comes after the importers. Times are
// nanoseconds on one host thread unless said otherwise.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "src/model/model.h"

namespace opcensus::testing {

class ModelBuilder {
 public:
  /// Everything that follows goes into a new trace.
  ModelBuilder& trace(std::string path) {
    model_.traces.emplace_back();
    model_.traces.back().path = std::move(path);
    thread_ = thread("1", "1");
    return *this;
  }

  ThreadId thread(std::string_view process, std::string_view name) {
    current().threads.push_back({model_.strings.intern(process), model_.strings.intern(name)});
    return thread_ = ThreadId(current().threads.size() - 1);
  }

  SignatureId signature(std::string_view name,
                        std::string_view shapes = {},
                        std::string_view dtypes = {}) {
    const auto text = [this](std::string_view value) {
      return value.empty() ? StringId::none() : model_.strings.intern(value);
    };
    return model_.signatures.intern({model_.strings.intern(name), text(shapes), text(dtypes)});
  }

  SpanId op(std::string_view name,
            std::int64_t start,
            std::int64_t duration,
            std::string_view shapes = {},
            std::uint64_t external_id = 0) {
    return span(HostSpanKind::Operator,
                signature(name, shapes, shapes.empty() ? "" : "[\"float\"]"),
                start,
                duration,
                external_id);
  }

  SpanId annotation(std::string_view name, std::int64_t start, std::int64_t duration) {
    return span(HostSpanKind::Annotation, signature(name), start, duration, 0);
  }

  CallId call(std::string_view name,
              std::int64_t start,
              std::uint64_t correlation,
              std::string_view kernel = {}) {
    ApiCall row;
    row.start = Nanoseconds(start);
    row.duration = Nanoseconds(1);
    row.correlation = correlation;
    row.name = model_.strings.intern(name);
    row.kind = classify_api_call(name);
    row.thread = thread_;
    row.kernel = kernel.empty() ? StringId::none() : model_.strings.intern(kernel);
    current().api_calls.push_back(row);
    return CallId(current().api_calls.size() - 1);
  }

  EventId kernel(std::string_view name,
                 std::int64_t start,
                 std::uint64_t correlation,
                 std::int64_t stream_number = 7,
                 std::uint32_t grid = 1) {
    return event(DeviceEventKind::Kernel, name, start, correlation, stream_number, grid);
  }

  EventId event(DeviceEventKind kind,
                std::string_view name,
                std::int64_t start,
                std::uint64_t correlation,
                std::int64_t stream_number = 7,
                std::uint32_t grid = 1) {
    DeviceEvent row;
    row.start = Nanoseconds(start);
    row.duration = Nanoseconds(5);
    row.correlation = correlation;
    row.name = model_.strings.intern(name);
    row.dims = model_.dims.intern({{grid, 1, 1}, {32, 1, 1}});
    row.stream = stream(stream_number);
    row.kind = kind;
    current().device_events.push_back(row);
    RawDeviceCount& raw = current().raw_device.at(static_cast<std::size_t>(kind));
    ++raw.events;
    raw.time += row.duration;
    return EventId(current().device_events.size() - 1);
  }

  StreamId stream(std::int64_t number) {
    for (std::size_t i = 0; i < current().streams.size(); ++i) {
      if (current().streams[i].stream == number) {
        return StreamId(i);
      }
    }
    current().streams.push_back({0, number, StringId::none()});
    return StreamId(current().streams.size() - 1);
  }

  Trace& current() { return model_.traces.back(); }

  Model& model() { return model_; }

 private:
  SpanId span(HostSpanKind kind,
              SignatureId signature,
              std::int64_t start,
              std::int64_t duration,
              std::uint64_t external_id) {
    HostSpan row;
    row.start = Nanoseconds(start);
    row.duration = Nanoseconds(duration);
    row.external_id = external_id;
    row.signature = signature;
    row.thread = thread_;
    row.kind = kind;
    current().host_spans.push_back(row);
    return SpanId(current().host_spans.size() - 1);
  }

  Model model_;
  ThreadId thread_;
};

}  // namespace opcensus::testing

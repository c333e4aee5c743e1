// SPDX-License-Identifier: Apache-2.0
//
// Shared by the tests of this folder and the fuzz target.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "src/import/ascend/ascend_reader.h"

namespace opcensus::import::testing {

struct AscendReading {
  Model model;
  std::optional<Error> error;

  [[nodiscard]] const Trace& trace() const { return model.traces.at(0); }

  [[nodiscard]] std::string text(StringId id) const {
    return id.is_none() ? "-" : std::string(model.strings.view(id));
  }

  /// "operator shapes dtypes formats" of a signature; "-" for none() and for each missing part.
  [[nodiscard]] std::string text(SignatureId id) const {
    if (id.is_none()) {
      return "-";
    }
    const Signature& signature = model.signatures[id];
    return text(signature.operator_name) + " " + text(signature.input_shapes) + " " +
           text(signature.input_dtypes) + " " + text(signature.input_formats);
  }

  [[nodiscard]] std::string text(ThreadId id) const {
    const Thread& thread = trace().threads[id.index()];
    return text(thread.process) + "/" + text(thread.thread);
  }

  /// "start+duration thread kind signature", one host span a line.
  [[nodiscard]] std::string host_spans() const {
    std::string out;
    for (const HostSpan& span : trace().host_spans) {
      out += times(span.start, span.duration) + " " + text(span.thread) +
             (span.kind == HostSpanKind::Operator ? " operator " : " annotation ") +
             text(span.signature) + "\n";
    }
    return out;
  }

  /// "start+duration thread kind correlation name", one call a line.
  [[nodiscard]] std::string api_calls() const {
    std::string out;
    for (const ApiCall& call : trace().api_calls) {
      out += times(call.start, call.duration) + " " + text(call.thread) + " " +
             std::to_string(static_cast<int>(call.kind)) + " " + std::to_string(call.correlation) +
             " " + text(call.name) + "\n";
    }
    return out;
  }

  /// "start+duration device/stream kind correlation graph:index blocks name: recorded".
  [[nodiscard]] std::string device_events() const {
    std::string out;
    for (const DeviceEvent& event : trace().device_events) {
      const Stream& stream = trace().streams[event.stream.index()];
      out += times(event.start, event.duration) + " " + std::to_string(stream.device) + "/" +
             std::to_string(stream.stream) + " " + std::string(device_event_kind_name(event.kind)) +
             " " + std::to_string(event.correlation) + " " + node(event.graph_node_id) + " " +
             std::to_string(model.dims[event.dims].grid[0]) + " " + text(event.name) + ": " +
             text(event.recorded) + "\n";
    }
    return out;
  }

  [[nodiscard]] std::string graph_nodes() const {
    std::string out;
    for (const GraphNodeRow& row : trace().graph_nodes) {
      out += node(row.node) + " <- " + node(row.origin) + " at " +
             std::to_string(row.captured_at.count()) + ": " + text(row.signature) + "\n";
    }
    return out;
  }

  [[nodiscard]] static std::string times(Nanoseconds start, Nanoseconds duration) {
    return std::to_string(start.count()) + "+" + std::to_string(duration.count());
  }

  [[nodiscard]] static std::string node(std::uint64_t id) {
    return std::to_string(id >> 32U) + ":" + std::to_string(id & 0xffffffffU);
  }
};

[[nodiscard]] inline AscendReading read_ascend(const std::string& path,
                                               const AscendOptions& options = {}) {
  AscendReading reading;
  auto status = read_ascend_profile(path, options, reading.model);
  if (!status) {
    reading.error = std::move(status).error();
  }
  return reading;
}

}  // namespace opcensus::import::testing

// SPDX-License-Identifier: Apache-2.0
#include "src/import/recording/recording_reader.h"

#include <algorithm>
#include <array>
#include <bit>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "src/import/recording/chunk_reader.h"
#include "src/import/recording/record_intake.h"

namespace opcensus::import {
namespace {

static_assert(std::endian::native == std::endian::little, "a recording is read as it lies");

Error limit_error(const RecordingStop& stop, const std::string& path) {
  return Error{ErrorCode::LimitExceeded,
               stop.text,
               path,
               stop.byte_offset,
               "the agent writes nothing like this: look at the file at that byte"};
}

void note_stop(const RecordingStop& stop, Trace& trace) {
  trace.complete = false;
  trace.diagnostics.count(Issue::TornRecording, {trace.path, stop.byte_offset, stop.text});
}

/// What the source has to say at its end: a recording may come compressed.
void note_source_end(const ByteSource& source, const ChunkReader& chunks, Trace& trace) {
  if (const auto& error = chunks.source_error()) {
    trace.complete = false;
    const std::uint64_t offset = error->byte_offset.value_or(chunks.position());
    trace.diagnostics.count(source.truncated() ? Issue::TruncatedInput : Issue::DamagedCompression,
                            {trace.path, offset, error->message});
  } else if (source.trailing_bytes() > 0) {
    trace.diagnostics.count(Issue::TrailingBytes,
                            {trace.path, chunks.position(), "after the compressed data"});
  }
}

/// "torch", "nvtx", "annotations", "none", or "" in recordings of older agents.
std::string_view operator_source(const Trace& trace) {
  for (const TraceProperty& property : trace.properties) {
    if (property.name == "operator_source") {
      return property.value;
    }
  }
  return "";
}

/// What the agent could not know, or was told not to record.
void note_limits(Trace& trace) {
  const auto has = [&trace](std::string_view category) {
    return std::any_of(
        trace.categories.begin(), trace.categories.end(), [category](const CategoryCount& count) {
          return count.category == category && count.events > 0;
        });
  };
  const bool names_operators =
      std::any_of(trace.graph_nodes.begin(),
                  trace.graph_nodes.end(),
                  [](const GraphNodeRow& node) { return node.signature.has_value(); }) ||
      !trace.host_spans.empty();
  if (operator_source(trace) == "nvtx") {
    trace.diagnostics.count(Issue::RangesAsOperators, {trace.path, std::nullopt, ""});
  }
  if (!names_operators) {
    trace.cannot_tell.emplace_back("operators: neither PyTorch's shim nor an annotation ran");
  }
  if (has(device_event_kind_name(DeviceEventKind::Graph))) {
    trace.cannot_tell.emplace_back("what ran inside graphs: --detail node records it");
  }
  trace.cannot_tell.emplace_back("anything outside the timing windows");
}

}  // namespace

std::string_view recording_magic() {
  static constexpr auto kBytes = std::bit_cast<std::array<char, 8>>(wire::kMagic);
  return {kBytes.data(), kBytes.size()};
}

Result<Done> read_recording(ByteSource& source,
                            std::string path,
                            const RecordingOptions& options,
                            Model& model) {
  Trace trace;
  trace.path = std::move(path);
  trace.format = "opcensus_recording";
  ChunkReader chunks(source, options);
  auto header = chunks.read_header();
  if (!header) {
    return std::move(header).error().in_file(trace.path);
  }
  RecordIntake intake(*header, options.limits, model, trace);
  std::optional<RecordingStop> stop;
  while (!stop) {
    const auto chunk = chunks.next();
    if (!chunk) {
      stop = chunks.stop();
      break;
    }
    stop = intake.take(*chunk);
  }
  if (stop && stop->is_limit) {
    return limit_error(*stop, trace.path);
  }
  if (stop) {
    note_stop(*stop, trace);
  }
  note_source_end(source, chunks, trace);
  intake.finish();
  trace.variant = "wire version " + std::to_string(header->version);
  note_limits(trace);
  trace.bytes = chunks.position();
  model.traces.push_back(std::move(trace));
  return Done{};
}

}  // namespace opcensus::import

// SPDX-License-Identifier: Apache-2.0
//
// RecordIntake: the records of a recording into the columns of a Trace.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <string_view>
#include <unordered_map>
#include <utility>

#include "src/import/recording/chunk_reader.h"
#include "src/import/recording/node_history.h"
#include "src/import/recording/recording_reader.h"
#include "src/import/recording/wire_table.h"
#include "src/model/model.h"

#include "agent/wire.h"

namespace opcensus::import {

class RecordIntake {
 public:
  RecordIntake(const wire::FileHeader& header,
               const RecordingLimits& limits,
               Model& model,
               Trace& trace);

  /// Takes the records of one chunk; where one is damaged, those before it, and says why.
  [[nodiscard]] std::optional<RecordingStop> take(const Chunk& chunk);

  /// After the last chunk: what only the whole can tell.
  void finish();

 private:
  struct Text {
    StringId id;
    StringId kernel;  ///< the readable form; none() until a kernel has this name
  };

  struct Operator {
    SignatureId signature;
    ArgumentsId arguments;
    wire::OperatorKind kind = wire::OperatorKind::Operator;
  };

  struct Times {
    Nanoseconds start;
    Nanoseconds duration;
  };

  /// What is wrong with a record; empty if nothing is.
  using Complaint = std::string_view;

  [[nodiscard]] std::optional<RecordingStop> take_texts(const Chunk& chunk);
  [[nodiscard]] Complaint take_text(std::uint32_t id, std::string_view text);
  [[nodiscard]] Complaint take(const wire::OperatorRecord& record);
  [[nodiscard]] Complaint take(const wire::SpanRecord& record);
  [[nodiscard]] Complaint take(const wire::CallRecord& record);
  [[nodiscard]] Complaint take(const wire::NodeRecord& record);
  [[nodiscard]] Complaint take(const wire::NodeNameRecord& record);
  [[nodiscard]] Complaint take(const wire::DeviceRecord& record);
  [[nodiscard]] Complaint take(const wire::WindowRecord& record);
  [[nodiscard]] Complaint take(const wire::LossRecord& record);
  [[nodiscard]] Complaint take(const wire::PropertyRecord& record);

  /// Every record of a chunk of equal records.
  template <class Record>
  [[nodiscard]] std::optional<RecordingStop> take_all(const Chunk& chunk);

  void add_header_properties(const wire::FileHeader& header);
  void add_graph_node(const ResolvedNode& node);

  /// The operator's signature; none() for annotations and for 0.
  [[nodiscard]] SignatureId operator_signature(std::uint32_t op);

  /// none() for 0 and for an empty text; nullopt if it was not defined.
  [[nodiscard]] std::optional<StringId> text(std::uint32_t id);

  [[nodiscard]] StringId kernel_name(Text& text);
  [[nodiscard]] StringId device_event_name(DeviceEventKind kind, std::uint64_t node, Text* name);

  void set_property(std::string_view name, std::string_view value);

  /// True if the property says what the trace's columns hold: then it is in them.
  bool take_known_property(std::string_view name, std::string_view value);
  [[nodiscard]] ThreadId thread(std::uint32_t id);
  [[nodiscard]] StreamId stream(std::int64_t device, std::int64_t stream);
  [[nodiscard]] DimsId dims(const wire::DeviceRecord& record);

  /// nullopt, and counted, if they do not fit; an end before the start counts as no duration.
  [[nodiscard]] std::optional<Times> times(std::uint64_t start_ns, std::uint64_t end_ns);

  void count(Issue issue, std::string_view detail, std::uint64_t times = 1);

  const RecordingLimits& limits_;
  Model& model_;
  Trace& trace_;
  StringId process_;
  StringId memcpy_name_;
  StringId memset_name_;
  WireTable<Text> texts_;
  WireTable<Operator> operators_;
  NodeHistory nodes_;
  std::unordered_map<std::uint32_t, ThreadId> threads_;
  std::map<std::pair<std::int64_t, std::int64_t>, StreamId> streams_;
  std::map<std::string_view, std::uint64_t> categories_;  // keys are literals
  std::uint64_t offset_ = 0;                              // of the record at hand
};

}  // namespace opcensus::import

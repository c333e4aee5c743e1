// SPDX-License-Identifier: Apache-2.0
//
// The trace as data: what an importer hands over and everything after it reads. One Trace is one
// file; the traces of one rank share a Model, so that ids compare across files.
//
// Columns are plain vectors in file order. Nothing here is derived: nesting, links and phases are
// found by attribute/. Times are nanoseconds on the trace's own clock (base_time added).
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "src/base/diagnostics.h"
#include "src/base/ids.h"
#include "src/base/nanoseconds.h"
#include "src/base/string_table.h"
#include "src/model/api_call_kind.h"

namespace opcensus {

/// Which of a signature's parts the trace recorded.
enum class MetadataStatus : std::uint8_t { ShapeAndDtype, ShapeOnly, DtypeOnly, NoInputMetadata };

[[nodiscard]] std::string_view metadata_status_name(MetadataStatus status);  // "shape_and_dtype" …

/// Operator + input shapes + input dtypes. Shapes and dtypes are compact JSON, spelled as in the
/// trace (`[[8,1,1024],[]]`, `["c10::BFloat16","Scalar"]`); none() where not recorded.
struct Signature {
  StringId operator_name;
  StringId input_shapes;
  StringId input_dtypes;

  [[nodiscard]] MetadataStatus metadata_status() const;

  friend auto operator<=>(const Signature&, const Signature&) = default;
};

/// Launch configuration; {0,0,0} where the trace has none.
struct Dims {
  std::array<std::uint32_t, 3> grid{};
  std::array<std::uint32_t, 3> block{};

  friend auto operator<=>(const Dims&, const Dims&) = default;
};

/// A host thread. Process and thread ids may be any text in a trace.
struct Thread {
  StringId process;
  StringId thread;

  friend auto operator<=>(const Thread&, const Thread&) = default;
};

/// A device queue. `process` is the host process group where a merged file names one.
struct Stream {
  std::int64_t device = 0;
  std::int64_t stream = 0;
  StringId process_group;  ///< merged traces: the text before the pid; none() otherwise

  friend auto operator<=>(const Stream&, const Stream&) = default;
};

enum class HostSpanKind : std::uint8_t { Operator, Annotation };

/// An operator call (cpu_op) or a user annotation, on a host thread.
struct HostSpan {
  Nanoseconds start;
  Nanoseconds duration;
  std::uint64_t external_id = 0;  ///< 0 = none
  SignatureId signature;          ///< annotations have a signature with a name only
  ThreadId thread;
  HostSpanKind kind = HostSpanKind::Operator;

  [[nodiscard]] Nanoseconds end() const { return start + duration; }
};

/// One runtime or driver call.
struct ApiCall {
  Nanoseconds start;
  Nanoseconds duration;
  std::uint64_t correlation = 0;  ///< 0 = none
  std::uint64_t external_id = 0;  ///< 0 = none
  StringId name;
  StringId kernel;  ///< ROCm writes the kernel's name on the launch; none() elsewhere
  DimsId dims;      ///< likewise
  ThreadId thread;
  ApiCallKind kind = ApiCallKind::Other;

  [[nodiscard]] Nanoseconds end() const { return start + duration; }
};

enum class DeviceEventKind : std::uint8_t { Kernel, Memcpy, Memset };

[[nodiscard]] std::string_view device_event_kind_name(DeviceEventKind kind);  // "kernel" …

/// One kernel, memcpy or memset executed on the device.
struct DeviceEvent {
  Nanoseconds start;
  Nanoseconds duration;
  std::uint64_t correlation = 0;    ///< 0 = none
  std::uint64_t external_id = 0;    ///< 0 = none
  std::uint64_t graph_node_id = 0;  ///< 0 = none (ordinary kernels carry 0)
  StringId name;
  DimsId dims;
  StreamId stream;
  DeviceEventKind kind = DeviceEventKind::Kernel;

  [[nodiscard]] Nanoseconds end() const { return start + duration; }
};

/// Rows that only the key_averages table needs: device copies of annotations, profiler overhead.
enum class AuxiliaryKind : std::uint8_t { DeviceAnnotation, Overhead };

struct AuxiliarySpan {
  Nanoseconds start;
  Nanoseconds duration;
  std::uint64_t external_id = 0;
  StringId name;
  ThreadId thread;  ///< none() for device annotations
  AuxiliaryKind kind = AuxiliaryKind::Overhead;
};

/// A node of an executable graph, where a tool saw it made (our agent, nsys). Node ids are CUPTI's:
/// (graph id << 32) | index. A node that is updated later has several rows; each holds from its
/// time on.
struct GraphNodeRow {
  std::uint64_t node = 0;    ///< in the executable graph: what device events carry
  std::uint64_t origin = 0;  ///< the captured node that it comes from, through all copies
  Nanoseconds captured_at;   ///< when the captured node was made
  Nanoseconds valid_from;    ///< when this row began to hold
  SignatureId signature;  ///< the operator that recorded it; none() = whatever encloses captured_at
  SignatureId top_signature;  ///< outermost operator; none() likewise
  ThreadId thread;            ///< that captured it
  DeviceEventKind kind = DeviceEventKind::Kernel;
};

struct DeviceInfo {
  std::int64_t id = 0;
  std::string name;
};

/// A version or setting from the header, as text ("cuda_runtime_version" = "13000").
struct TraceProperty {
  std::string name;
  std::string value;
};

/// Counted while reading, before any column exists: the independent side of the ledger's checks.
struct RawDeviceCount {
  std::uint64_t events = 0;
  Nanoseconds time;
};

struct CategoryCount {
  std::string category;
  std::uint64_t events = 0;
};

struct Trace {
  std::string path;         ///< as given by the user
  std::string format;       ///< "kineto_json"
  std::string trace_id;     ///< empty if the format has none
  std::uint64_t bytes = 0;  ///< decompressed
  Nanoseconds base_time;    ///< already added to every time
  std::optional<std::int64_t> rank;
  std::optional<std::int64_t> world_size;
  std::optional<bool> record_shapes;  ///< header key; absent in old traces
  bool complete = true;               ///< false: truncated or damaged
  std::vector<DeviceInfo> devices;
  std::vector<TraceProperty> properties;
  std::vector<CategoryCount> categories;       ///< sorted by name
  std::array<RawDeviceCount, 3> raw_device{};  ///< by DeviceEventKind

  std::vector<Thread> threads;
  std::vector<Stream> streams;
  std::vector<HostSpan> host_spans;
  std::vector<ApiCall> api_calls;
  std::vector<DeviceEvent> device_events;
  std::vector<AuxiliarySpan> auxiliary;
  std::vector<GraphNodeRow> graph_nodes;  ///< sorted by (node, valid_from); empty in most formats

  Diagnostics diagnostics;
};

}  // namespace opcensus

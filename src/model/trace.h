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
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "src/base/diagnostics.h"
#include "src/base/ids.h"
#include "src/base/nanoseconds.h"
#include "src/base/string_table.h"
#include "src/model/api_call_kind.h"
#include "src/model/segments.h"

namespace opcensus {

/// Which of a signature's parts the trace recorded.
enum class MetadataStatus : std::uint8_t { ShapeAndDtype, ShapeOnly, DtypeOnly, NoInputMetadata };

[[nodiscard]] std::string_view metadata_status_name(MetadataStatus status);  // "shape_and_dtype" …

/// Operator + input shapes + input dtypes. Shapes and dtypes are compact JSON, spelled as in the
/// trace (`[[8,1,1024],[]]`, `["c10::BFloat16","Scalar"]`); none() where not recorded. Formats are
/// a device's own memory layouts (`["FRACTAL_NZ","ND"]`), only in what its profiler says of a
/// kernel (DeviceEvent::recorded).
struct Signature {
  StringId operator_name;
  StringId input_shapes;
  StringId input_dtypes;
  StringId input_formats = {};

  [[nodiscard]] MetadataStatus metadata_status() const;

  friend auto operator<=>(const Signature&, const Signature&) = default;
};

/// What one call of an operator was given beside shapes and dtypes, as compact JSON with one entry
/// an input; none() where not recorded.
struct Arguments {
  StringId input_strides;    ///< `[[1024,1],[]]`
  StringId concrete_inputs;  ///< scalars as text: `["","1","None"]`
  StringId tensors;          ///< which inputs are the same tensor, numbered by first use: `[0,1,0]`

  friend auto operator<=>(const Arguments&, const Arguments&) = default;
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
  std::uint64_t external_id = 0;         ///< 0 = none
  std::uint64_t record_function_id = 0;  ///< of the framework; 0 = none
  SignatureId signature;                 ///< annotations have a signature with a name only
  ThreadId thread;
  ArgumentsId arguments;  ///< operators only; none() where not recorded
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

/// Graph: one execution of a whole graph, where the profiler did not record what ran inside.
enum class DeviceEventKind : std::uint8_t { Kernel, Memcpy, Memset, Graph };

[[nodiscard]] std::string_view device_event_kind_name(DeviceEventKind kind);  // "kernel" …

/// One kernel, memcpy or memset executed on the device, or a graph recorded as a whole.
struct DeviceEvent {
  Nanoseconds start;
  Nanoseconds duration;
  std::uint64_t correlation = 0;    ///< 0 = none
  std::uint64_t external_id = 0;    ///< 0 = none
  std::uint64_t graph_node_id = 0;  ///< 0 = none (ordinary kernels carry 0)
  StringId name;
  DimsId dims;
  SignatureId recorded;  ///< what the profiler itself says of the kernel: the device library's
                         ///< operator (`MatMulV2`), shapes, dtypes, formats; none() for most
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
  StringId kernel;            ///< that was captured, as device events name it; none() = not told
  DeviceEventKind kind = DeviceEventKind::Kernel;
};

/// How the profiler calls the graphs of GraphNodeRow.
struct GraphNaming {
  std::string word = "graph";
  std::uint64_t first = 0;  ///< the graph id that it calls 0
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
  std::string path;     ///< as given by the user
  std::string format;   ///< "kineto_json"
  std::string variant;  ///< "schema 3.25.0", "level 1, database"; empty: there is one only
  std::string device_type = "CUDA";  ///< as PyTorch heads its columns: "CUDA" (ROCm too), "NPU" …
  std::vector<std::string> cannot_tell;  ///< what this format or level leaves out, a phrase each
  std::string trace_id;                  ///< empty if the format has none
  std::uint64_t bytes = 0;               ///< decompressed
  Nanoseconds base_time;                 ///< already added to every time
  std::optional<std::int64_t> rank;
  std::optional<std::int64_t> world_size;
  std::optional<bool> record_shapes;  ///< header key; absent in old traces
  bool complete = true;               ///< false: truncated or damaged
  std::vector<DeviceInfo> devices;
  std::vector<TraceProperty> properties;
  std::vector<CategoryCount> categories;       ///< sorted by name
  std::array<RawDeviceCount, 4> raw_device{};  ///< by DeviceEventKind

  std::vector<Thread> threads;
  std::vector<Stream> streams;
  std::vector<HostSpan> host_spans;
  std::vector<ApiCall> api_calls;
  std::vector<DeviceEvent> device_events;
  std::vector<AuxiliarySpan> auxiliary;
  GraphNaming graph_naming;
  std::vector<GraphNodeRow> graph_nodes;  ///< sorted by (node, valid_from); empty in most formats

  /// The rows of a long trace are here, and in the columns only those of one segment at a time.
  std::shared_ptr<SegmentSource> segments;
  Segment segment;

  Diagnostics diagnostics;
};

}  // namespace opcensus

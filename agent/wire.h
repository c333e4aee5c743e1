/* SPDX-License-Identifier: Apache-2.0
 *
 * The recording: what the agent writes and import/recording reads. schema/wire.md explains it.
 *
 * A file is a FileHeader and then chunks. A chunk is a ChunkHeader and `bytes` of payload: records
 * of one type, each a multiple of 8 bytes. Chunks are written whole and in order; a file that was
 * cut off ends in a torn chunk, and everything before it is good. Little endian, no pointers.
 *
 * Raw facts only: the agent does no thinking in its host. Ids are CUPTI's own: a graph node id is
 * (graph id << 32) | index, where the graph is a template or an executable graph. Times are
 * CLOCK_REALTIME nanoseconds (CUPTI's clock). Text 0 and operator 0 mean "none".
 */
#ifndef OPCENSUS_AGENT_WIRE_H
#define OPCENSUS_AGENT_WIRE_H

#include <cstdint>

namespace opcensus::wire {

constexpr std::uint64_t kMagic = 0x3143455253434f50ULL; /* "POCSREC1" as little-endian bytes */
constexpr std::uint32_t kVersion = 2; /* 2: NodeName chunks; readers take 1, too */

struct FileHeader {
  std::uint64_t magic;
  std::uint32_t version;
  std::uint32_t header_bytes; /* of this struct: later versions may add fields */
  std::uint64_t process_id;
  std::uint64_t start_ns;
  std::uint32_t cupti_version;  /* cuptiGetVersion, 0 = no CUPTI */
  std::uint32_t driver_version; /* cuDriverGetVersion, e.g. 13000; 0 unknown */
  std::int64_t rank;            /* from RANK / LOCAL_RANK … in the environment; -1 unknown */
};

enum class ChunkType : std::uint32_t {
  Text = 1,     /* TextRecord + bytes, padded to 8 */
  Operator = 2, /* OperatorRecord */
  Span = 3,     /* SpanRecord */
  Call = 4,     /* CallRecord */
  Node = 5,     /* NodeRecord */
  Device = 6,   /* DeviceRecord */
  Window = 7,   /* WindowRecord */
  Loss = 8,     /* LossRecord */
  Property = 9, /* PropertyRecord */
  Replay = 10,  /* DeviceRecord of kind WholeGraph (graph detail) */
  NodeName = 11 /* NodeNameRecord */
};

struct ChunkHeader {
  std::uint32_t type;
  std::uint32_t bytes; /* of the payload that follows; a multiple of 8 */
};

struct TextRecord {
  std::uint32_t id; /* from 1, ascending; defined before its first use in the file */
  std::uint32_t bytes;
};

/* An operator with its inputs, interned. Shapes and dtypes are compact JSON as Kineto writes them
 * (`[[8,64],[]]`, `["c10::BFloat16","Scalar"]`), strides likewise; 0 = not recorded. */
struct OperatorRecord {
  std::uint32_t id; /* from 1, ascending */
  std::uint32_t name;
  std::uint32_t input_shapes;
  std::uint32_t input_dtypes;
  std::uint32_t input_strides;
  std::uint32_t concrete_inputs;
  std::uint32_t kind; /* OperatorKind */
  std::uint32_t reserved;
};

enum class OperatorKind : std::uint32_t {
  Operator = 0,   /* a framework operator: RecordFunction scope FUNCTION …, opcensus_op_begin */
  Annotation = 1, /* a user scope: record_function, NVTX range */
};

/* One call of an operator or annotation on a host thread, written when it ends. */
struct SpanRecord {
  std::uint64_t start_ns;
  std::uint64_t end_ns;
  std::uint32_t op;
  std::uint32_t thread; /* kernel thread id */
};

/* One runtime or driver call, from its enter callback. */
struct CallRecord {
  std::uint64_t start_ns;
  std::uint64_t graph_exec; /* graph launches: the executable graph's id; else 0 */
  std::uint32_t correlation;
  std::uint32_t kind; /* CallKind */
  std::uint32_t op;   /* innermost operator or annotation on the thread */
  std::uint32_t thread;
};

enum class CallKind : std::uint32_t {
  Other = 0,
  LaunchKernel = 1, /* through the runtime: compiled-in kernels */
  Memcpy = 2,
  Memset = 3,
  GraphLaunch = 4,
  BeginCapture = 5,
  EndCapture = 6,
  GraphInstantiate = 7,
  LaunchFunction =
      8, /* cuLaunchKernel …: a loaded module's function, as just-in-time compilers do */
};

enum class NodeEvent : std::uint16_t {
  Created = 0, /* node; op is the operator on the creating thread, 0 inside instantiate and clone */
  Cloned = 1,  /* node from origin */
  Updated = 2, /* cudaGraphExecUpdate: node (of the executable graph) now does what origin does */
  Instantiated = 3, /* node = executable graph's id << 32, origin = template graph's id << 32 */
  GraphCloned = 4,  /* likewise for graphs: a child graph or a copy */
  GraphDestroyed = 5,
  ExecDestroyed = 6,
};

enum class NodeKind : std::uint16_t {
  Other = 0,
  Kernel = 1,
  Memcpy = 2,
  Memset = 3,
  ChildGraph = 4,
  Conditional = 5
};

struct NodeRecord {
  std::uint64_t node;
  std::uint64_t origin; /* 0 = none */
  std::uint64_t time_ns;
  std::uint32_t op;     /* innermost operator or annotation; 0 = none */
  std::uint32_t top_op; /* outermost operator */
  std::uint16_t event;  /* NodeEvent */
  std::uint16_t kind;   /* NodeKind */
  std::uint32_t thread;
};

/* The kernel that was captured into a node, where the launch call told it: what a replay of the
 * node must run. */
struct NodeNameRecord {
  std::uint64_t node;
  std::uint32_t name; /* mangled, as in DeviceRecord */
  std::uint32_t reserved;
};

enum class DeviceKind : std::uint16_t { Kernel = 0, Memcpy = 1, Memset = 2, WholeGraph = 3 };

struct DeviceRecord {
  std::uint64_t start_ns;
  std::uint64_t end_ns;
  std::uint64_t node;  /* graph node id in the executable graph; 0 = ordinary launch */
  std::uint64_t bytes; /* copies and memsets */
  std::uint32_t correlation;
  std::uint32_t
      name; /* kernels: mangled. Copies: "Memcpy HtoD (Pinned -> Device)"; 0 in version 1 */
  std::uint32_t stream;
  std::uint16_t device;
  std::uint16_t kind; /* DeviceKind */
  std::uint32_t grid[3];
  std::uint32_t block[3];
};

struct WindowRecord {
  std::uint64_t time_ns;
  std::uint32_t event;  /* 0 start, 1 stop */
  std::uint32_t detail; /* 0 node, 1 graph */
};

struct LossRecord {
  std::uint64_t time_ns;
  std::uint64_t dropped_records; /* by CUPTI, or by the agent's own limits */
  std::uint32_t cause;           /* LossCause */
  std::uint32_t reserved;
};

enum class LossCause : std::uint32_t {
  CuptiDropped = 0,
  BufferLimit = 1,
  WriteFailed = 2,
  InternalError = 3
};

struct PropertyRecord {
  std::uint32_t name; /* "torch_version", "operator_source" … */
  std::uint32_t value;
};

static_assert(sizeof(FileHeader) == 48 && sizeof(ChunkHeader) == 8 && sizeof(TextRecord) == 8);
static_assert(sizeof(OperatorRecord) == 32 && sizeof(SpanRecord) == 24 && sizeof(CallRecord) == 32);
static_assert(sizeof(NodeRecord) == 40 && sizeof(DeviceRecord) == 72 && sizeof(WindowRecord) == 16);
static_assert(sizeof(LossRecord) == 24 && sizeof(PropertyRecord) == 8 &&
              sizeof(NodeNameRecord) == 16);

}  // namespace opcensus::wire

#endif

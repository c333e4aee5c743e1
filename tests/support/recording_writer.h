// SPDX-License-Identifier: Apache-2.0
//
// RecordingWriter: recordings of the agent, record by record. Consecutive records of one type go
// into one chunk; texts and operators are defined on first use, as the agent does it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <map>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <vector>

#include "agent/wire.h"

namespace opcensus::testing {

/// (graph << 32) | index, as CUPTI numbers nodes.
[[nodiscard]] constexpr std::uint64_t node_id(std::uint64_t graph, std::uint64_t index) {
  return (graph << 32U) | index;
}

class RecordingWriter {
 public:
  static constexpr std::uint32_t kThread = 77;

  explicit RecordingWriter(std::int64_t rank = -1, std::uint64_t process_id = 4242) {
    header_.magic = wire::kMagic;
    header_.version = wire::kVersion;
    header_.header_bytes = sizeof(header_);
    header_.process_id = process_id;
    header_.start_ns = 1000;
    header_.cupti_version = 130000;
    header_.driver_version = 13000;
    header_.rank = rank;
  }

  wire::FileHeader& header() { return header_; }

  std::uint32_t text(std::string_view value) {
    const auto [entry, is_new] =
        texts_.try_emplace(std::string(value), static_cast<std::uint32_t>(texts_.size() + 1));
    if (is_new) {
      const wire::TextRecord record{entry->second, static_cast<std::uint32_t>(value.size())};
      std::string bytes(reinterpret_cast<const char*>(&record), sizeof(record));
      bytes += value;
      bytes.resize((bytes.size() + 7) / 8 * 8);
      add_bytes(wire::ChunkType::Text, bytes);
    }
    return entry->second;
  }

  std::uint32_t op(std::string_view name,
                   std::string_view shapes = {},
                   std::string_view dtypes = {},
                   wire::OperatorKind kind = wire::OperatorKind::Operator) {
    wire::OperatorRecord record{};
    record.name = text(name);
    record.input_shapes = shapes.empty() ? 0 : text(shapes);
    record.input_dtypes = dtypes.empty() ? 0 : text(dtypes);
    record.kind = static_cast<std::uint32_t>(kind);
    const auto key = std::tuple(record.name, record.input_shapes, record.input_dtypes, record.kind);
    const auto [entry, is_new] =
        operators_.try_emplace(key, static_cast<std::uint32_t>(operators_.size() + 1));
    if (is_new) {
      record.id = entry->second;
      add(wire::ChunkType::Operator, record);
    }
    return entry->second;
  }

  /// A new one each time.
  std::uint32_t op_with_arguments(std::string_view name,
                                  std::string_view strides,
                                  std::string_view concrete) {
    wire::OperatorRecord record{};
    record.name = text(name);
    record.input_strides = text(strides);
    record.concrete_inputs = text(concrete);
    record.id = static_cast<std::uint32_t>(operators_.size() + 1);
    operators_.try_emplace(std::tuple(record.name, record.id, 0U, 99U), record.id);
    add(wire::ChunkType::Operator, record);
    return record.id;
  }

  std::uint32_t annotation(std::string_view name) {
    return op(name, {}, {}, wire::OperatorKind::Annotation);
  }

  void span(std::uint32_t op,
            std::uint64_t start,
            std::uint64_t end,
            std::uint32_t thread = kThread) {
    add(wire::ChunkType::Span, wire::SpanRecord{start, end, op, thread});
  }

  void call(wire::CallKind kind,
            std::uint64_t start,
            std::uint32_t correlation,
            std::uint32_t thread = kThread,
            std::uint64_t graph_exec = 0) {
    wire::CallRecord record{};
    record.start_ns = start;
    record.graph_exec = graph_exec;
    record.correlation = correlation;
    record.kind = static_cast<std::uint32_t>(kind);
    record.thread = thread;
    add(wire::ChunkType::Call, record);
  }

  void node(wire::NodeEvent event,
            std::uint64_t node,
            std::uint64_t origin,
            std::uint64_t time,
            wire::NodeKind kind = wire::NodeKind::Kernel,
            std::uint32_t op = 0,
            std::uint32_t thread = kThread) {
    wire::NodeRecord record{};
    record.node = node;
    record.origin = origin;
    record.time_ns = time;
    record.op = op;
    record.top_op = op;
    record.event = static_cast<std::uint16_t>(event);
    record.kind = static_cast<std::uint16_t>(kind);
    record.thread = thread;
    add(wire::ChunkType::Node, record);
  }

  /// The kernel that was captured into a node.
  void node_name(std::uint64_t node, std::string_view kernel) {
    add(wire::ChunkType::NodeName, wire::NodeNameRecord{node, text(kernel), 0});
  }

  /// A node made by a launch under capture.
  void created(std::uint64_t graph,
               std::uint64_t index,
               std::uint32_t op,
               std::uint64_t time,
               wire::NodeKind kind = wire::NodeKind::Kernel,
               std::uint32_t thread = kThread) {
    node(wire::NodeEvent::Created, node_id(graph, index), 0, time, kind, op, thread);
  }

  /// What CUPTI tells when a graph of `nodes` nodes is copied: the graph, then each node twice.
  void cloned(std::uint64_t graph,
              std::uint64_t from,
              std::uint64_t nodes,
              std::uint64_t time,
              std::uint32_t thread = kThread) {
    node(wire::NodeEvent::GraphCloned,
         node_id(graph, 0),
         node_id(from, 0),
         time,
         wire::NodeKind::Other,
         0,
         thread);
    for (std::uint64_t i = 0; i < nodes; ++i) {
      cloned_node(node_id(graph, i), node_id(from, i), time, thread);
    }
  }

  void cloned_node(std::uint64_t node_of_copy,
                   std::uint64_t origin,
                   std::uint64_t time,
                   std::uint32_t thread = kThread) {
    const auto other = wire::NodeKind::Other;
    node(wire::NodeEvent::Created, node_of_copy, 0, time, other, 0, thread);
    node(wire::NodeEvent::Cloned, node_of_copy, origin, time, other, 0, thread);
  }

  void instantiated(std::uint64_t executable,
                    std::uint64_t graph,
                    std::uint64_t time,
                    std::uint32_t thread = kThread) {
    // The driver's own node at the end.
    node(wire::NodeEvent::Created,
         node_id(executable, 1000),
         0,
         time,
         wire::NodeKind::Other,
         0,
         thread);
    node(wire::NodeEvent::Instantiated,
         node_id(executable, 0),
         node_id(graph, 0),
         time,
         wire::NodeKind::Other,
         0,
         thread);
  }

  /// A graph without bodies: its copy is the executable graph.
  void instantiate(std::uint64_t executable,
                   std::uint64_t graph,
                   std::uint64_t nodes,
                   std::uint64_t time,
                   std::uint32_t thread = kThread) {
    cloned(executable, graph, nodes, time, thread);
    instantiated(executable, graph, time, thread);
  }

  void device(wire::DeviceKind kind,
              std::string_view name,
              std::uint64_t start,
              std::uint64_t end,
              std::uint32_t correlation,
              std::uint64_t node = 0,
              std::uint32_t stream = 7) {
    wire::DeviceRecord record{};
    record.start_ns = start;
    record.end_ns = end;
    record.node = node;
    record.correlation = correlation;
    record.name = name.empty() ? 0 : text(name);
    record.stream = stream;
    record.kind = static_cast<std::uint16_t>(kind);
    if (kind == wire::DeviceKind::Kernel) {
      record.grid[0] = 8;
      record.grid[1] = record.grid[2] = 1;
      record.block[0] = 128;
      record.block[1] = record.block[2] = 1;
    }
    add(kind == wire::DeviceKind::WholeGraph ? wire::ChunkType::Replay : wire::ChunkType::Device,
        record);
  }

  void kernel(std::string_view name,
              std::uint64_t start,
              std::uint32_t correlation,
              std::uint64_t node = 0,
              std::uint32_t stream = 7) {
    device(wire::DeviceKind::Kernel, name, start, start + 5, correlation, node, stream);
  }

  void loss(std::uint64_t dropped, wire::LossCause cause) {
    add(wire::ChunkType::Loss,
        wire::LossRecord{5000, dropped, static_cast<std::uint32_t>(cause), 0});
  }

  void window(bool is_start, std::uint64_t time) {
    add(wire::ChunkType::Window, wire::WindowRecord{time, is_start ? 0U : 1U, 0});
  }

  void property(std::string_view name, std::string_view value) {
    const wire::PropertyRecord record{text(name), text(value)};
    add(wire::ChunkType::Property, record);
  }

  /// A record as it is; for damage, too.
  template <class Record>
  void add(wire::ChunkType type, const Record& record) {
    static_assert(std::is_trivially_copyable_v<Record>);
    add_bytes(type, {reinterpret_cast<const char*>(&record), sizeof(record)});
  }

  void add_bytes(wire::ChunkType type, std::string_view bytes) {
    if (chunks_.empty() || chunks_.back().type != type) {
      end_chunk();
      chunks_.back().type = type;
    }
    chunks_.back().payload += bytes;
  }

  /// What follows goes into a chunk of its own.
  void end_chunk() { chunks_.emplace_back(); }

  [[nodiscard]] std::string bytes() const {
    std::string out(reinterpret_cast<const char*>(&header_), sizeof(header_));
    out.resize(header_.header_bytes);
    for (const ChunkBytes& chunk : chunks_) {
      if (chunk.payload.empty()) {
        continue;
      }
      const wire::ChunkHeader header{static_cast<std::uint32_t>(chunk.type),
                                     static_cast<std::uint32_t>(chunk.payload.size())};
      out.append(reinterpret_cast<const char*>(&header), sizeof(header));
      out += chunk.payload;
    }
    return out;
  }

 private:
  struct ChunkBytes {
    wire::ChunkType type = wire::ChunkType::Text;
    std::string payload;
  };

  wire::FileHeader header_{};
  std::vector<ChunkBytes> chunks_;
  std::map<std::string, std::uint32_t> texts_;
  std::map<std::tuple<std::uint32_t, std::uint32_t, std::uint32_t, std::uint32_t>, std::uint32_t>
      operators_;
};

/// A small run: warm-up, capture of two graphs, their replays, one eager launch. Two operators and
/// a memset a graph.
[[nodiscard]] inline std::string small_run(std::int64_t rank = -1,
                                           std::uint64_t process_id = 4242) {
  RecordingWriter w(rank, process_id);
  w.property("torch_version", "2.11.0");
  std::uint64_t now = 10000;
  std::uint32_t correlation = 0;
  const auto mm = [&w](int size) {
    return w.op("aten::mm", "[[" + std::to_string(size) + ",64],[64,64]]", R"(["float","float"])");
  };
  const auto copy = [&w](int size) {
    return w.op("aten::copy_", "[[" + std::to_string(size) + ",64]]", R"(["float"])");
  };
  w.window(true, now);
  for (std::uint64_t graph = 1; graph <= 2; ++graph) {
    const int size = graph == 1 ? 8 : 4;
    const std::uint64_t begin = now;
    for (const std::uint32_t op : {mm(size), copy(size)}) {  // warm-up
      w.call(wire::CallKind::LaunchKernel, now + 2, ++correlation);
      w.kernel(op == mm(size) ? "_Z4gemmPf" : "elementwise", now + 500, correlation);
      w.span(op, now, now + 8);
      now += 10;
    }
    now += 10;
    w.call(wire::CallKind::BeginCapture, now++, ++correlation);
    std::uint64_t index = 0;
    for (const std::uint32_t op : {mm(size), copy(size)}) {
      w.created(graph * 10, index++, op, now + 3);
      w.span(op, now, now + 8);
      now += 10;
    }
    w.created(graph * 10, index, 0, now++, wire::NodeKind::Memset);
    w.call(wire::CallKind::EndCapture, now++, ++correlation);
    w.span(w.annotation("capture_" + std::to_string(size) + "_FULL"), begin, now++);
    w.instantiate(graph * 10 + 1, graph * 10, 3, now++);
    w.node(
        wire::NodeEvent::GraphDestroyed, node_id(graph * 10, 0), 0, now++, wire::NodeKind::Other);
    now += 1000;
  }
  for (int replay = 0; replay < 3; ++replay) {
    const std::uint64_t executable = replay == 1 ? 21 : 11;
    w.call(wire::CallKind::GraphLaunch, now, ++correlation, RecordingWriter::kThread, executable);
    w.kernel("_Z4gemmPf", now + 100, correlation, node_id(executable, 0), 20);
    w.kernel("elementwise", now + 110, correlation, node_id(executable, 1), 20);
    w.device(wire::DeviceKind::Memset,
             {},
             now + 120,
             now + 122,
             correlation,
             node_id(executable, 2),
             20);
    now += 1000;
  }
  w.call(wire::CallKind::LaunchKernel, now + 2, ++correlation);
  w.kernel("_Z4gemmPf", now + 100, correlation);
  w.span(mm(2), now, now + 8);
  w.window(false, now + 500);
  return w.bytes();
}

}  // namespace opcensus::testing

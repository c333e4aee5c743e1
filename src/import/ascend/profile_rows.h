// SPDX-License-Identifier: Apache-2.0
//
// ProfileRows: what one Ascend profile says, whichever form it was read from. The two sources fill
// it in, trace_builder makes a Trace of it. Texts are in the Model's string table.
#pragma once

#include <array>
#include <compare>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "src/base/diagnostics.h"
#include "src/base/ids.h"
#include "src/base/nanoseconds.h"
#include "src/model/trace.h"

namespace opcensus::import::ascend {

/// Model id of a task that belongs to no graph, and connection id of one that nothing launched.
inline constexpr std::uint64_t kNoId = 0xffffffffU;

struct HostThread {
  std::int64_t process = 0;
  std::int64_t thread = 0;

  friend auto operator<=>(const HostThread&, const HostThread&) = default;
};

struct HostInputs {
  StringId shapes;  ///< none() = not recorded
  StringId dtypes;
  bool has_elided_list = false;

  [[nodiscard]] bool is_recorded() const { return shapes.has_value() || dtypes.has_value(); }
};

enum class HostRowKind : std::uint8_t {
  Call,     ///< what torch_npu wrote between begin and end: operators, backend calls, annotations
  Enqueue,  ///< hands a backend call to the task queue
  Dequeue,  ///< runs it, on the queue's thread
  Range,    ///< a range of the user (mstx)
};

struct HostRow {
  Nanoseconds start;
  Nanoseconds duration;
  HostThread thread;
  StringId name;
  HostInputs inputs;
  std::uint64_t queue_id = 0;  ///< Enqueue and Dequeue: equal for the two of one call
  HostRowKind kind = HostRowKind::Call;

  [[nodiscard]] Nanoseconds end() const { return start + duration; }
};

enum class CannLevel : std::uint8_t { Other, Runtime, Hccl, Node, Model, Acl };

struct CannCall {
  Nanoseconds start;
  Nanoseconds duration;
  HostThread thread;
  StringId name;
  std::uint64_t connection = kNoId;
  CannLevel level = CannLevel::Other;
};

/// Where in the framework a connection begins: the start of a HostRow.
struct HostLink {
  std::uint64_t connection = kNoId;
  HostThread thread;
  Nanoseconds start;
};

/// What ran on a device: a compute kernel, a communication operator, a copy or a set.
struct DeviceTask {
  Nanoseconds start;
  Nanoseconds duration;
  std::int64_t device = 0;
  std::int64_t stream = 0;
  std::uint64_t task = kNoId;
  std::uint64_t context = kNoId;  ///< part of a task of several kernels
  std::uint64_t model = kNoId;    ///< the graph that it belongs to
  std::uint64_t connection = kNoId;
  StringId name;
  Signature recorded;  ///< operator_name none() = nothing was recorded
  std::uint32_t blocks = 0;
  DeviceEventKind kind = DeviceEventKind::Kernel;
};

struct ProfileRows {
  std::vector<HostRow> host;
  std::vector<CannCall> cann;
  std::vector<HostLink> links;
  std::vector<DeviceTask> tasks;

  std::vector<DeviceInfo> devices;
  std::vector<TraceProperty> properties;
  std::map<std::string, std::uint64_t, std::less<>> categories;
  std::array<RawDeviceCount, 4> raw_device{};  ///< by DeviceEventKind
  std::optional<std::int64_t> rank;
  std::uint64_t bytes = 0;
  bool complete = true;
  Diagnostics diagnostics;
};

}  // namespace opcensus::import::ascend

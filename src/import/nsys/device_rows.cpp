// SPDX-License-Identifier: Apache-2.0
#include "src/import/nsys/device_rows.h"

#include <algorithm>
#include <array>
#include <limits>
#include <map>
#include <string>
#include <utility>

#include <fmt/format.h>

namespace opcensus::import {
namespace {

// ENUM_CUDA_MEMCPY_OPER and ENUM_CUDA_MEM_KIND, spelled as Kineto does.
constexpr std::array<std::string_view, 14> kCopies{"Unknown",
                                                   "HtoD",
                                                   "DtoH",
                                                   "HtoA",
                                                   "AtoH",
                                                   "AtoA",
                                                   "AtoD",
                                                   "DtoA",
                                                   "DtoD",
                                                   "HtoH",
                                                   "PtoP",
                                                   "HtoD, unified memory",
                                                   "DtoH, unified memory",
                                                   "DtoD, unified memory"};
constexpr std::array<std::string_view, 8> kMemories{"Pageable",
                                                    "Pinned",
                                                    "Device",
                                                    "Array",
                                                    "Managed",
                                                    "Device Static",
                                                    "Managed Static",
                                                    "Unknown"};

template <std::size_t count>
std::string_view word(const std::array<std::string_view, count>& words,
                      std::optional<std::int64_t> code) {
  const bool is_known = code && *code >= 0 && static_cast<std::uint64_t>(*code) < count;
  return is_known ? words[static_cast<std::size_t>(*code)] : "Unknown";
}

std::uint32_t extent(std::optional<std::int64_t> value) {
  const bool fits = value && *value >= 0 && *value <= std::numeric_limits<std::uint32_t>::max();
  return fits ? static_cast<std::uint32_t>(*value) : 0;
}

class DeviceRows {
 public:
  explicit DeviceRows(RowIntake& intake) : intake_(intake) {}

  Status read() {
    OPCENSUS_CHECK_OK(read_devices());
    OPCENSUS_CHECK_OK(read_kernels());
    OPCENSUS_CHECK_OK(read_copies());
    OPCENSUS_CHECK_OK(read_memsets());
    return read_whole_graphs();
  }

 private:
  Status read_devices() {
    OPCENSUS_CHECK_OK(
        intake_.for_each_row({"TARGET_INFO_GPU", {"id", "name"}}, [this](Statement& row) {
          const auto id = row.lenient_integer();
          if (id) {
            intake_.trace().devices.push_back({*id, row.lenient_text()});
          }
          return Status(Done{});
        }));
    return intake_.for_each_row({"TARGET_INFO_CUDA_DEVICE", {"pid", "cudaId", "gpuId"}},
                                [this](Statement& row) {
                                  const auto pid = row.lenient_integer();
                                  const auto cuda = row.lenient_integer();
                                  const auto gpu = row.lenient_integer();
                                  if (pid && cuda && gpu) {
                                    gpu_of_[{*pid, *cuda}] = *gpu;
                                  }
                                  return Status(Done{});
                                });
  }

  Status read_kernels() {
    // "name" stands in hand-made and very old exports.
    const TableQuery query{"CUPTI_ACTIVITY_KIND_KERNEL",
                           {"start",
                            "end",
                            "globalPid",
                            "deviceId",
                            "streamId",
                            "correlationId",
                            "graphNodeId",
                            "gridX",
                            "gridY",
                            "gridZ",
                            "blockX",
                            "blockY",
                            "blockZ"},
                           {"demangledName", "shortName", "mangledName"},
                           {"name"}};
    return intake_.for_each_row(query, [this](Statement& row) -> Status {
      auto event = take_common(row, DeviceEventKind::Kernel);
      if (event) {
        event->graph_node_id = take_id(row);
        event->dims = take_dims(row);
        OPCENSUS_TRY(event->name, intake_.text_of(row));
        intake_.trace().device_events.push_back(*event);
      }
      return Done{};
    });
  }

  Status read_copies() {
    const TableQuery query{"CUPTI_ACTIVITY_KIND_MEMCPY",
                           {"start",
                            "end",
                            "globalPid",
                            "deviceId",
                            "streamId",
                            "correlationId",
                            "graphNodeId",
                            "copyKind",
                            "srcKind",
                            "dstKind"}};
    return intake_.for_each_row(query, [this](Statement& row) -> Status {
      auto event = take_common(row, DeviceEventKind::Memcpy);
      if (event) {
        event->graph_node_id = take_id(row);
        const std::string_view copy = word(kCopies, row.lenient_integer());
        const auto source = row.lenient_integer();
        const auto target = row.lenient_integer();
        std::string name = fmt::format("Memcpy {}", copy);
        if (source || target) {
          name += fmt::format(" ({} -> {})", word(kMemories, source), word(kMemories, target));
        }
        OPCENSUS_TRY(event->name, intake_.intern(name));
        intake_.trace().device_events.push_back(*event);
      }
      return Done{};
    });
  }

  Status read_memsets() {
    const TableQuery query{"CUPTI_ACTIVITY_KIND_MEMSET",
                           {"start",
                            "end",
                            "globalPid",
                            "deviceId",
                            "streamId",
                            "correlationId",
                            "graphNodeId",
                            "memKind"}};
    return intake_.for_each_row(query, [this](Statement& row) -> Status {
      auto event = take_common(row, DeviceEventKind::Memset);
      if (event) {
        event->graph_node_id = take_id(row);
        const std::string_view memory = word(kMemories, row.lenient_integer());
        OPCENSUS_TRY(event->name, intake_.intern(fmt::format("Memset ({})", memory)));
        intake_.trace().device_events.push_back(*event);
      }
      return Done{};
    });
  }

  Status read_whole_graphs() {
    const TableQuery query{"CUPTI_ACTIVITY_KIND_GRAPH_TRACE",
                           {"start",
                            "end",
                            "globalPid",
                            "deviceId",
                            "streamId",
                            "correlationId",
                            "graphExecId",
                            "graphId"}};
    return intake_.for_each_row(query, [this](Statement& row) -> Status {
      auto event = take_common(row, DeviceEventKind::Graph);
      if (event) {
        const auto executable = row.lenient_integer();
        const auto captured = row.lenient_integer();
        const std::int64_t graph = executable.value_or(captured.value_or(0));
        OPCENSUS_TRY(event->name, intake_.intern(fmt::format("CUDA graph {}", graph)));
        intake_.trace().device_events.push_back(*event);
      }
      return Done{};
    });
  }

  /// The columns from start to correlationId; nullopt, and counted, without a time.
  std::optional<DeviceEvent> take_common(Statement& row, DeviceEventKind kind) {
    auto start = row.lenient_integer();
    const auto end = row.lenient_integer();
    if (kind == DeviceEventKind::Graph && start == 0 && end == 0) {
      start.reset();  // CUPTI's way to say that it does not know
    }
    const std::string_view name = device_event_kind_name(kind);
    const auto found = intake_.times(start, end, name);
    if (!found) {
      return std::nullopt;
    }
    RawDeviceCount& raw = intake_.trace().raw_device.at(static_cast<std::size_t>(kind));
    ++raw.events;
    raw.time += found->duration;
    intake_.count_category(name);
    DeviceEvent event;
    event.start = found->start;
    event.duration = found->duration;
    event.kind = kind;
    const auto global = row.lenient_integer();
    const ProcessKey process = global ? process_of_global_id(*global) : 0;
    const std::int64_t device = row.lenient_integer().value_or(0);
    const std::int64_t stream = row.lenient_integer().value_or(0);
    event.stream = intake_.processes().stream(gpu_of(process, device), stream, process);
    event.correlation = take_id(row);
    return event;
  }

  /// 0 for NULL and for anything that is no id.
  static std::uint64_t take_id(Statement& row) {
    return static_cast<std::uint64_t>(std::max<std::int64_t>(row.lenient_integer().value_or(0), 0));
  }

  DimsId take_dims(Statement& row) {
    Dims dims;
    for (std::uint32_t& value : dims.grid) {
      value = extent(row.lenient_integer());
    }
    for (std::uint32_t& value : dims.block) {
      value = extent(row.lenient_integer());
    }
    return intake_.model().dims.intern(dims);
  }

  /// Each process numbers the devices that it sees; the file says which those are, or does not.
  [[nodiscard]] std::int64_t gpu_of(ProcessKey process, std::int64_t device) const {
    const auto pid = static_cast<std::int64_t>(process_number(process));
    const auto found = gpu_of_.find({pid, device});
    return found == gpu_of_.end() ? device : found->second;
  }

  RowIntake& intake_;
  std::map<std::pair<std::int64_t, std::int64_t>, std::int64_t> gpu_of_;
};

}  // namespace

Status read_device_rows(RowIntake& intake) {
  return DeviceRows(intake).read();
}

}  // namespace opcensus::import

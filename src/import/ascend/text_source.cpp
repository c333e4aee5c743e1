// SPDX-License-Identifier: Apache-2.0
#include "src/import/ascend/text_source.h"

#include <algorithm>
#include <cstdlib>
#include <optional>
#include <set>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <utility>

#include "src/import/ascend/task_kind.h"

namespace opcensus::import::ascend {
namespace {

/// The two files round a start in different ways; old versions write few decimals to the CSV.
constexpr std::int64_t kSameStart = 1000;

/// The pids of CANN's and the device's lanes are made of the process's, a place and the device.
constexpr unsigned kLanePidShift = 10;
constexpr std::int64_t kLaneDeviceMask = 31;

/// Rows of one lane by name and start; each is given out once.
class RowsByName {
 public:
  void add(const LaneRow& row, std::size_t index) {
    starts_[row.name].push_back({row.start.count(), index, false});
  }

  void sort() {
    for (auto& [name, starts] : starts_) {
      std::sort(starts.begin(), starts.end(), [](const Entry& a, const Entry& b) {
        return std::pair(a.start, a.index) < std::pair(b.start, b.index);
      });
    }
  }

  /// The row of that name whose start is nearest.
  std::optional<std::size_t> take(StringId name, std::int64_t start) {
    const auto found = starts_.find(name);
    if (found == starts_.end()) {
      return std::nullopt;
    }
    std::vector<Entry>& entries = found->second;
    Entry* best = nullptr;
    auto entry =
        std::lower_bound(entries.begin(),
                         entries.end(),
                         start - kSameStart,
                         [](const Entry& a, std::int64_t wanted) { return a.start < wanted; });
    for (; entry != entries.end() && entry->start <= start + kSameStart; ++entry) {
      const bool is_nearer = best == nullptr || distance(*entry, start) < distance(*best, start);
      if (!entry->is_taken && is_nearer) {
        best = &*entry;
      }
    }
    if (best == nullptr) {
      return std::nullopt;
    }
    best->is_taken = true;
    return best->index;
  }

 private:
  struct Entry {
    std::int64_t start;
    std::size_t index;
    bool is_taken;
  };

  static std::int64_t distance(const Entry& entry, std::int64_t start) {
    return std::abs(entry.start - start);
  }

  std::unordered_map<StringId, std::vector<Entry>> starts_;
};

class TextJoin {
 public:
  TextJoin(const TraceView& view, StringTable& strings, ProfileRows& rows)
      : view_(view), strings_(strings), rows_(rows) {
    for (const auto& [pid, lane] : view.lanes) {
      if (lane == Lane::Python) {
        processes_.insert(pid);
      }
    }
  }

  void run(std::vector<KernelRow> kernels, bool has_kernels) {
    for (std::size_t i = 0; i < view_.rows.size(); ++i) {
      sort_in(view_.rows[i], i);
    }
    std::sort(parts_.begin(), parts_.end(), [](const LaneRow* a, const LaneRow* b) {
      return a->start < b->start;
    });
    by_name_.sort();
    for (KernelRow& kernel : kernels) {
      complete(kernel);
    }
    add_device_rows(!has_kernels);
  }

 private:
  void sort_in(const LaneRow& row, std::size_t index) {
    switch (view_.lane_of(row.pid)) {
      case Lane::Cann:
        add_cann_call(row);
        break;
      case Lane::Hardware:
        by_name_.add(row, index);
        break;
      case Lane::Communication:
        // Its operators carry a connection; their parts carry the stream that they ran on.
        if (row.stream) {
          parts_.push_back(&row);
        } else {
          by_name_.add(row, index);
        }
        break;
      case Lane::Other:
      case Lane::Python:
        break;
    }
  }

  void add_cann_call(const LaneRow& row) {
    std::string_view name = strings_.view(row.name);
    name = name.substr(name.find('@') + 1);  // all of it where there is none
    CannCall call;
    call.start = row.start;
    call.duration = row.duration;
    call.thread = {process_of(row.pid), row.thread};
    call.name = strings_.intern(std::string(name));
    call.connection = row.connection;
    call.level = row.level;
    rows_.cann.push_back(call);
  }

  [[nodiscard]] std::int64_t process_of(std::int64_t lane_pid) const {
    return processes_.size() == 1 ? *processes_.begin() : lane_pid >> kLanePidShift;
  }

  [[nodiscard]] std::int64_t device_of(std::int64_t lane_pid) const {
    const bool is_made = processes_.count(lane_pid >> kLanePidShift) > 0;
    return is_made ? lane_pid & kLaneDeviceMask : 0;
  }

  /// What trace_view.json adds to a row of kernel_details.csv.
  void complete(KernelRow& kernel) {
    DeviceTask& task = kernel.task;
    if (const auto index = by_name_.take(task.name, task.start.count())) {
      taken_.insert(*index);
      const LaneRow& row = view_.rows[*index];
      task.device = kernel.has_device ? task.device : device_of(row.pid);
      add_identity(row, task);
      link(row);
    }
    rows_.tasks.push_back(task);
  }

  void add_identity(const LaneRow& row, DeviceTask& task) {
    task.connection = row.connection;
    const LaneRow* source = &row;
    if (view_.lane_of(row.pid) == Lane::Communication) {
      source = first_part_of(row);
    }
    if (source == nullptr) {
      return;
    }
    task.stream = task.stream == kUnknownStream
                      ? static_cast<std::int64_t>(source->stream.value_or(0) & kNoId)
                      : task.stream;
    task.task = task.task == kNoId ? source->task : task.task;
    task.context = task.context == kNoId ? source->context : task.context;
    task.model = task.model == kNoId ? source->model : task.model;
  }

  /// The first task of a communication operator.
  [[nodiscard]] const LaneRow* first_part_of(const LaneRow& op) const {
    const auto part = std::lower_bound(
        parts_.begin(), parts_.end(), op.start, [](const LaneRow* row, Nanoseconds start) {
          return row->start < start;
        });
    return part != parts_.end() && (*part)->start < op.end() ? *part : nullptr;
  }

  void link(const LaneRow& row) {
    const auto place = view_.launched.find(row.start.count());
    const bool is_linked = place != view_.launched.end() && row.connection != kNoId;
    if (is_linked && linked_.insert(row.connection).second) {
      rows_.links.push_back({row.connection, place->second.thread, place->second.start});
    }
  }

  /// What only trace_view.json has: copies and sets; and, without kernel_details.csv, all others.
  void add_device_rows(bool with_kernels) {
    for (std::size_t i = 0; i < view_.rows.size(); ++i) {
      const LaneRow& row = view_.rows[i];
      const auto kind = taken_.count(i) > 0 ? std::nullopt : kind_of(row);
      if (!kind) {
        continue;
      }
      if (*kind == DeviceEventKind::Kernel && !with_kernels) {
        ++rows_.categories["kernel not in kernel_details.csv"];
        continue;
      }
      RawDeviceCount& raw = rows_.raw_device.at(static_cast<std::size_t>(*kind));
      ++raw.events;
      raw.time += row.duration;
      ++rows_.categories[std::string(device_event_kind_name(*kind))];
      add_device_row(row, *kind);
    }
  }

  [[nodiscard]] std::optional<DeviceEventKind> kind_of(const LaneRow& row) {
    const Lane lane = view_.lane_of(row.pid);
    if (lane == Lane::Communication) {
      return row.stream ? std::nullopt : std::optional(DeviceEventKind::Kernel);
    }
    if (lane != Lane::Hardware) {
      return std::nullopt;
    }
    const std::string_view name = strings_.view(row.name);
    if (!is_task_type_name(name)) {
      return DeviceEventKind::Kernel;
    }
    const auto kind = kind_of_task_type(name);
    if (!kind) {
      ++rows_.categories["task " + std::string(name)];
    }
    return kind;
  }

  void add_device_row(const LaneRow& row, DeviceEventKind kind) {
    DeviceTask task;
    task.start = row.start;
    task.duration = row.duration;
    task.device = device_of(row.pid);
    task.stream = kUnknownStream;
    task.name = row.name;
    task.kind = kind;
    add_identity(row, task);
    link(row);
    rows_.tasks.push_back(task);
  }

  const TraceView& view_;
  StringTable& strings_;
  ProfileRows& rows_;
  std::set<std::int64_t> processes_;
  RowsByName by_name_;
  std::vector<const LaneRow*> parts_;  // of communication operators, by start
  std::unordered_set<std::size_t> taken_;
  std::unordered_set<std::uint64_t> linked_;
};

}  // namespace

void join_text_rows(std::vector<KernelRow> kernels,
                    bool has_kernels,
                    const TraceView& view,
                    StringTable& strings,
                    ProfileRows& rows) {
  TextJoin(view, strings, rows).run(std::move(kernels), has_kernels);
  std::set<std::int64_t> devices;
  for (const DeviceTask& task : rows.tasks) {
    devices.insert(task.device);
  }
  for (const std::int64_t device : devices) {
    rows.devices.push_back({device, "Ascend NPU"});  // the text form has no name
  }
}

Result<ProfileRows> read_text_source(const std::vector<std::string>& kernel_details,
                                     const std::vector<std::string>& trace_views,
                                     const AscendOptions& options,
                                     StringTable& strings) {
  ProfileRows rows;
  std::vector<KernelRow> kernels;
  for (const std::string& path : kernel_details) {
    OPCENSUS_CHECK_OK(read_kernel_details(path, options, strings, kernels, rows));
  }
  TraceView view;
  for (const std::string& path : trace_views) {
    OPCENSUS_CHECK_OK(read_trace_view(path, options, strings, view, rows));
  }
  join_text_rows(std::move(kernels), !kernel_details.empty(), view, strings, rows);
  return rows;
}

}  // namespace opcensus::import::ascend

// SPDX-License-Identifier: Apache-2.0
#include "src/analyze/key_averages.h"

#include <algorithm>
#include <map>
#include <tuple>

#include "src/analyze/host_rows.h"

namespace opcensus {
namespace {

constexpr std::string_view kProfilerStep = "ProfilerStep#";

/// Adds rows to their groups; keeps the order of first calls.
class Groups {
 public:
  Groups(const Model& model, bool by_shape) : model_(model), by_shape_(by_shape) {}

  KeyAverage& of(StringId name, StringId shapes, bool is_device, bool is_annotation) {
    const Key key(name, by_shape_ ? shapes : StringId::none(), is_device, is_annotation);
    const auto [entry, is_new] = index_.try_emplace(key, averages_.rows.size());
    if (is_new) {
      KeyAverage row;
      row.name = model_.strings.view(name);
      row.input_shapes =
          by_shape_ && shapes.has_value() ? std::string(model_.strings.view(shapes)) : "[]";
      row.is_device = is_device;
      row.is_annotation = is_annotation;
      averages_.rows.push_back(std::move(row));
    }
    return averages_.rows[entry->second];
  }

  KeyAverages take() && { return std::move(averages_); }

  KeyAverages& averages() { return averages_; }

 private:
  using Key = std::tuple<StringId, StringId, bool, bool>;
  const Model& model_;
  bool by_shape_;
  std::map<Key, std::size_t> index_;
  KeyAverages averages_;
};

/// A device row of either kind.
struct DeviceRow {
  Nanoseconds start;
  Nanoseconds duration;
  StringId name;
  bool is_annotation = false;
};

/// Kineto's nanosecond writer widens a device annotation by 1 ns at each end, so that viewers put
/// it around its kernels (seen in torch 2.11 traces against the profiler's own table).
Nanoseconds annotation_duration(const Trace& trace, Nanoseconds written) {
  constexpr Nanoseconds kWidening(2);
  const bool has_nanoseconds = trace.base_time != Nanoseconds();
  return has_nanoseconds && written >= kWidening ? written - kWidening : written;
}

std::vector<DeviceRow> device_rows(const Trace& trace) {
  std::vector<DeviceRow> rows;
  for (const DeviceEvent& event : trace.device_events) {
    rows.push_back({event.start, event.duration, event.name, false});
  }
  for (const AuxiliarySpan& span : trace.auxiliary) {
    if (span.kind == AuxiliaryKind::DeviceAnnotation) {
      rows.push_back({span.start, annotation_duration(trace, span.duration), span.name, true});
    }
  }
  std::stable_sort(rows.begin(), rows.end(), [](const DeviceRow& a, const DeviceRow& b) {
    return a.start < b.start;
  });
  return rows;
}

void add_host_row(const HostRow& row, Groups& groups) {
  const Nanoseconds self_cpu = row.duration - row.children_cpu;
  groups.averages().self_cpu_total += self_cpu;
  KeyAverage& average = groups.of(row.name, row.input_shapes, false, row.is_annotation);
  ++average.calls;
  average.cpu_total += row.duration;
  average.self_cpu += self_cpu;
  average.device_total += row.device_total;
  average.self_device += row.self_device;
}

void add_device_row(const DeviceRow& row, Groups& groups) {
  if (!row.is_annotation) {
    groups.averages().self_device_total += row.duration;
  }
  KeyAverage& average = groups.of(row.name, StringId::none(), true, row.is_annotation);
  ++average.calls;
  average.device_total += row.duration;
  average.self_device += row.duration;
}

/// "ProfilerStep#0", "ProfilerStep#1" … are one row, as PyTorch prints them.
void join_profiler_steps(std::vector<KeyAverage>& rows) {
  std::map<bool, std::size_t> step_row;  // by is_device
  std::vector<KeyAverage> joined;
  for (KeyAverage& row : rows) {
    if (row.name.starts_with(kProfilerStep)) {
      row.name = "ProfilerStep*";
      const auto [entry, is_new] = step_row.try_emplace(row.is_device, joined.size());
      if (!is_new) {
        KeyAverage& sum = joined[entry->second];
        sum.calls += row.calls;
        sum.cpu_total += row.cpu_total;
        sum.self_cpu += row.self_cpu;
        sum.device_total += row.device_total;
        sum.self_device += row.self_device;
        continue;
      }
    }
    joined.push_back(std::move(row));
  }
  rows = std::move(joined);
}

Nanoseconds sort_value(const KeyAverage& row, KeyAverageSort sort) {
  switch (sort) {
    case KeyAverageSort::DeviceTotal:
      return row.device_total;
    case KeyAverageSort::CpuTotal:
      return row.cpu_total;
    case KeyAverageSort::SelfDevice:
      return row.self_device;
    case KeyAverageSort::SelfCpu:
      return row.self_cpu;
    case KeyAverageSort::Count:
      return Nanoseconds(static_cast<std::int64_t>(row.calls));
  }
  return {};
}

}  // namespace

KeyAverages compute_key_averages(const Model& model,
                                 const Trace& trace,
                                 bool group_by_input_shape) {
  const std::vector<HostRow> host = build_host_rows(model, trace);
  const std::vector<DeviceRow> device = device_rows(trace);
  Groups groups(model, group_by_input_shape);
  auto next_device = device.begin();
  for (const HostRow& row : host) {
    for (; next_device != device.end() && next_device->start < row.start; ++next_device) {
      add_device_row(*next_device, groups);
    }
    if (!row.is_joined) {
      add_host_row(row, groups);
    }
  }
  for (; next_device != device.end(); ++next_device) {
    add_device_row(*next_device, groups);
  }
  KeyAverages averages = std::move(groups).take();
  averages.device_type = trace.device_type;
  join_profiler_steps(averages.rows);
  return averages;
}

void sort_key_averages(KeyAverages& averages, KeyAverageSort sort) {
  std::stable_sort(
      averages.rows.begin(), averages.rows.end(), [sort](const KeyAverage& a, const KeyAverage& b) {
        return sort_value(a, sort) > sort_value(b, sort);
      });
}

}  // namespace opcensus

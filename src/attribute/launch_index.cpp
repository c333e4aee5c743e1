// SPDX-License-Identifier: Apache-2.0
#include "src/attribute/launch_index.h"

#include <algorithm>
#include <numeric>
#include <string_view>
#include <tuple>

namespace opcensus {
namespace {

/// Profilers write rows nearly in order.
template <class Rows, class Less>
void sort_unless_sorted(Rows& rows, const Less& less) {
  if (!std::is_sorted(rows.begin(), rows.end(), less)) {
    std::sort(rows.begin(), rows.end(), less);
  }
}

bool can_launch(ApiCallKind kind) {
  return is_launch(kind) || kind == ApiCallKind::GraphLaunch;
}

}  // namespace

LaunchIndex::LaunchIndex(const Model& model, const Trace& trace) : model_(model), trace_(trace) {
  entries_.reserve(trace.api_calls.size());
  for (std::size_t i = 0; i < trace.api_calls.size(); ++i) {
    if (trace.api_calls[i].correlation != 0) {
      entries_.push_back({trace.api_calls[i].correlation, CallId(i)});
    }
  }
  // A runtime call and the driver call inside it share a correlation id: the launch comes first.
  sort_unless_sorted(entries_, [&trace](const Entry& a, const Entry& b) {
    const auto key = [&trace](const Entry& entry) {
      return std::tuple(
          entry.correlation, !can_launch(trace.api_calls[entry.call.index()].kind), entry.call);
    };
    return key(a) < key(b);
  });
}

bool LaunchIndex::same_process_group(const ApiCall& call, const DeviceEvent& event) const {
  const StringId group = trace_.streams[event.stream.index()].process_group;
  if (group.is_none()) {
    return true;
  }
  const std::string_view process = model_.strings.view(trace_.threads[call.thread.index()].process);
  return process.starts_with(model_.strings.view(group));
}

LaunchMatch LaunchIndex::find(const DeviceEvent& event) const {
  if (event.correlation == 0) {
    return {};
  }
  auto entry = std::lower_bound(
      entries_.begin(),
      entries_.end(),
      event.correlation,
      [](const Entry& candidate, std::uint64_t wanted) { return candidate.correlation < wanted; });
  LaunchMatch match;
  for (; entry != entries_.end() && entry->correlation == event.correlation; ++entry) {
    const ApiCall& call = trace_.api_calls[entry->call.index()];
    if (!same_process_group(call, event)) {
      continue;
    }
    if (match.call.is_none()) {
      match.call = entry->call;
      continue;
    }
    const StringId known =
        trace_.threads[trace_.api_calls[match.call.index()].thread.index()].process;
    match.ambiguous = match.ambiguous || trace_.threads[call.thread.index()].process != known;
  }
  if (match.ambiguous) {
    match.call = CallId::none();
  }
  return match;
}

std::vector<std::uint32_t> LaunchIndex::place_of_streams() const {
  std::vector<std::uint32_t> order(trace_.streams.size());
  std::iota(order.begin(), order.end(), 0U);
  std::sort(order.begin(), order.end(), [this](std::uint32_t a, std::uint32_t b) {
    const auto key = [this](std::uint32_t index) {
      const Stream& stream = trace_.streams[index];
      const bool has_group = stream.process_group.has_value();
      return std::tuple(stream.device,
                        stream.stream,
                        has_group ? model_.strings.view(stream.process_group) : std::string_view());
    };
    return key(a) < key(b);
  });
  std::vector<std::uint32_t> place(order.size());
  for (std::uint32_t i = 0; i < order.size(); ++i) {
    place[order[i]] = i;
  }
  return place;
}

std::vector<EventId> LaunchIndex::events_by_launch(const std::vector<CallId>& launch_of) const {
  const std::vector<std::uint32_t> place = place_of_streams();
  std::vector<std::uint32_t> order(trace_.device_events.size());
  std::iota(order.begin(), order.end(), 0U);
  sort_unless_sorted(order, [this, &launch_of, &place](std::uint32_t a, std::uint32_t b) {
    const auto key = [this, &launch_of, &place](std::uint32_t index) {
      const DeviceEvent& event = trace_.device_events[index];
      return std::tuple(launch_of[index], place[event.stream.index()], event.start, index);
    };
    return key(a) < key(b);
  });
  std::vector<EventId> events;
  events.reserve(order.size());
  for (const std::uint32_t index : order) {
    events.emplace_back(index);
  }
  return events;
}

}  // namespace opcensus

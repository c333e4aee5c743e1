// SPDX-License-Identifier: Apache-2.0
#include "src/segments/stored_segments.h"

#include <algorithm>
#include <limits>
#include <utility>

namespace opcensus {
namespace {

constexpr Nanoseconds kFirst{std::numeric_limits<std::int64_t>::min()};
constexpr Nanoseconds kLast{std::numeric_limits<std::int64_t>::max()};

std::vector<Nanoseconds> choose_cuts(const StoredRows& rows, std::size_t step) {
  std::vector<Nanoseconds> samples = rows.spans.samples();
  for (const auto* more : {&rows.calls.samples(), &rows.events.samples()}) {
    samples.insert(samples.end(), more->begin(), more->end());
  }
  std::sort(samples.begin(), samples.end());
  std::vector<Nanoseconds> cuts;
  for (std::size_t i = step; i < samples.size(); i += step) {
    if (cuts.empty() || cuts.back() < samples[i]) {
      cuts.push_back(samples[i]);
    }
  }
  return cuts;
}

void sort_and_unite(std::vector<std::uint64_t>& ids) {
  std::sort(ids.begin(), ids.end());
  ids.erase(std::unique(ids.begin(), ids.end()), ids.end());
}

bool is_in(const std::vector<std::uint64_t>& sorted_ids, std::uint64_t id) {
  return std::binary_search(sorted_ids.begin(), sorted_ids.end(), id);
}

void clear_rows(Trace& trace) {
  trace.host_spans.clear();
  trace.api_calls.clear();
  trace.device_events.clear();
  trace.auxiliary.clear();
  trace.segment = {};
}

/// External ids of device events that may stand for an operator of another segment.
std::vector<std::uint64_t> foreign_ids(const Trace& trace) {
  std::vector<std::uint64_t> own;
  for (const HostSpan& span : trace.host_spans) {
    if (lookup_id(span) != 0) {
      own.push_back(span.external_id);
    }
  }
  sort_and_unite(own);
  std::vector<std::uint64_t> foreign;
  for (const DeviceEvent& event : trace.device_events) {
    if (event.external_id != 0 && event.external_id != event.correlation &&
        !is_in(own, event.external_id)) {
      foreign.push_back(event.external_id);
    }
  }
  sort_and_unite(foreign);
  return foreign;
}

}  // namespace

StoredSegments::StoredSegments(StoredRows rows, Nanoseconds base_time, std::size_t samples)
    : rows_(std::move(rows)),
      base_time_(base_time),
      cuts_(choose_cuts(rows_, std::max<std::size_t>(1, samples))) {}

Status StoredSegments::load_host_rows(Trace& trace, Nanoseconds from, Nanoseconds to) const {
  const auto load = [&](const auto& column, auto& out) -> Status {
    for (const auto& block : column.blocks()) {
      if (block.begins_within(from, to)) {
        OPCENSUS_CHECK_OK(column.read(*rows_.file, block, base_time_, out, [&](const auto& row) {
          return row.start >= from && row.start < to;
        }));
      }
    }
    return Done{};
  };
  OPCENSUS_CHECK_OK(load(rows_.spans, trace.host_spans));
  OPCENSUS_CHECK_OK(load(rows_.calls, trace.api_calls));
  return load(rows_.auxiliary, trace.auxiliary);
}

/// An event goes with the call that launched it. Calls that share a correlation (a runtime call and
/// the driver call inside it) may stand on both sides of a cut: then it goes with the first.
Status StoredSegments::load_events(Trace& trace, Nanoseconds from, Nanoseconds to) {
  std::vector<std::uint64_t> launched;
  for (const ApiCall& call : trace.api_calls) {
    if (call.correlation != 0 && !is_in(last_launched_, call.correlation)) {
      launched.push_back(call.correlation);
    }
  }
  sort_and_unite(launched);
  for (const auto& block : rows_.events.blocks()) {
    if (!block.begins_within(from, to) && !block.ids.may_hold_one_of(launched)) {
      continue;
    }
    OPCENSUS_CHECK_OK(rows_.events.read(
        *rows_.file, block, base_time_, trace.device_events, [&](const DeviceEvent& event) {
          const bool has_call =
              event.correlation != 0 && rows_.correlations.contains(event.correlation);
          return has_call ? is_in(launched, event.correlation)
                          : event.start >= from && event.start < to;
        }));
  }
  last_launched_ = std::move(launched);
  return Done{};
}

/// In front of the segment's own spans. Two operators with one id are enough to tell that it names
/// no single one.
Status StoredSegments::borrow_operators(Trace& trace) const {
  const std::vector<std::uint64_t> wanted = foreign_ids(trace);
  if (wanted.empty()) {
    return Done{};
  }
  std::vector<HostSpan> borrowed;
  for (const auto& block : rows_.spans.blocks()) {
    if (block.ids.may_hold_one_of(wanted)) {
      OPCENSUS_CHECK_OK(
          rows_.spans.read(*rows_.file, block, base_time_, borrowed, [&](const HostSpan& span) {
            return lookup_id(span) != 0 && is_in(wanted, span.external_id);
          }));
    }
  }
  const auto place = trace.host_spans.begin() + static_cast<std::ptrdiff_t>(open_.size());
  trace.host_spans.insert(place, borrowed.begin(), borrowed.end());
  trace.segment.borrowed_spans += borrowed.size();
  return Done{};
}

Status StoredSegments::load_next(Trace& trace) {
  if (next_ == 0) {
    open_.clear();
    last_launched_.clear();
  }
  const Nanoseconds from = next_ == 0 ? kFirst : cuts_[next_ - 1];
  const Nanoseconds to = next_ == cuts_.size() ? kLast : cuts_[next_];
  clear_rows(trace);
  trace.host_spans = open_;
  trace.segment.open_spans = open_.size();
  trace.segment.borrowed_spans = open_.size();
  trace.segment.end = to == kLast ? kLast : to + base_time_;
  OPCENSUS_CHECK_OK(load_host_rows(trace, from, to));
  OPCENSUS_CHECK_OK(load_events(trace, from, to));
  OPCENSUS_CHECK_OK(borrow_operators(trace));
  std::vector<HostSpan> open;
  for (std::size_t i = 0; i < trace.host_spans.size(); ++i) {
    const bool is_foreign = i >= trace.segment.open_spans && i < trace.segment.borrowed_spans;
    if (!is_foreign && trace.host_spans[i].end() > trace.segment.end) {
      open.push_back(trace.host_spans[i]);
    }
  }
  open_ = std::move(open);
  next_ = next_ == cuts_.size() ? 0 : next_ + 1;
  return Done{};
}

Status StoredSegments::load_all(Trace& trace) {
  next_ = 0;
  clear_rows(trace);
  return rows_.read_all(base_time_, trace);
}

}  // namespace opcensus

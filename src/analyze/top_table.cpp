// SPDX-License-Identifier: Apache-2.0
#include "src/analyze/top_table.h"

#include <algorithm>
#include <map>
#include <tuple>
#include <utility>

#include "src/analyze/signature_order.h"

namespace opcensus {
namespace {

/// A signature, or (kNoIndex, reason) for what has none.
using RowKey = std::pair<std::uint32_t, Reason>;

struct RowParts {
  TopRow row;
  std::map<TextIndex, Nanoseconds> kernels;
};

std::map<RowKey, RowParts> collect_parts(const Census& census, Phase phase) {
  std::map<RowKey, RowParts> parts;
  for (const OperatorCalls& calls : census.operator_calls) {
    if (calls.phase == phase) {
      TopRow& row = parts[{calls.signature, Reason::None}].row;
      row.calls += calls.calls;
      row.self_cpu_time += calls.self_cpu_time;
    }
  }
  for (const DeviceTime& time : census.device_times) {
    if (time.phase != phase) {
      continue;
    }
    const Reason reason = time.signature == kNoIndex ? time.reason : Reason::None;
    RowParts& part = parts[{time.signature, reason}];
    part.row.device += EventSum{time.events, time.time};
    part.row.tiers.insert(time.tier);
    part.kernels[time.kernel] += time.time;
  }
  return parts;
}

/// Most time; among equals the first by name.
TextIndex find_main_kernel(const Census& census, const std::map<TextIndex, Nanoseconds>& kernels) {
  TextIndex best = kernels.begin()->first;
  for (const auto& [kernel, time] : kernels) {
    const Nanoseconds best_time = kernels.at(best);
    if (time > best_time || (time == best_time && census.text(kernel) < census.text(best))) {
      best = kernel;
    }
  }
  return best;
}

TopRow finish_row(const Census& census, const RowKey& key, const RowParts& parts) {
  TopRow row = parts.row;
  row.signature = key.first;
  row.reason = key.second;
  if (!parts.kernels.empty()) {
    row.main_kernel = find_main_kernel(census, parts.kernels);
    row.other_kernels = parts.kernels.size() - 1;
  }
  return row;
}

/// What decides first, largest first; the other two break ties.
std::tuple<std::int64_t, std::int64_t, std::int64_t> sort_key(const TopRow& row, SortBy sort) {
  const std::int64_t device = row.device.time.count();
  const std::int64_t cpu = row.self_cpu_time.count();
  const auto calls = static_cast<std::int64_t>(row.calls);
  switch (sort) {
    case SortBy::Cpu:
      return {cpu, device, calls};
    case SortBy::Calls:
      return {calls, device, cpu};
    case SortBy::Device:
      break;
  }
  return {device, calls, cpu};
}

bool comes_before(const Census& census, const TopRow& a, const TopRow& b, SortBy sort) {
  const auto key_a = sort_key(a, sort);
  const auto key_b = sort_key(b, sort);
  if (key_a != key_b) {
    return key_a > key_b;
  }
  const auto order = compare_signatures(census, a.signature, b.signature);
  return order != 0 ? order < 0 : a.reason < b.reason;
}

/// Keeps the first `top` signatures and everything unattributed; adds up the others.
void keep_top_rows(TopTable& table, std::size_t top) {
  std::vector<TopRow> kept;
  std::size_t signatures = 0;
  for (const TopRow& row : table.rows) {
    const bool has_signature = row.signature != kNoIndex;
    if (has_signature && top != 0 && signatures == top) {
      ++table.further_rows;
      table.further_device += row.device;
      table.further_calls += row.calls;
      table.further_self_cpu_time += row.self_cpu_time;
      continue;
    }
    signatures += has_signature ? 1 : 0;
    kept.push_back(row);
  }
  table.rows = std::move(kept);
}

}  // namespace

TopTable compute_top_table(const Census& census, Phase phase, SortBy sort, std::size_t top) {
  TopTable table;
  table.phase = phase;
  table.per_step = compute_per_step(census, phase);
  for (const auto& [key, parts] : collect_parts(census, phase)) {
    table.device += parts.row.device;
    table.calls += parts.row.calls;
    table.self_cpu_time += parts.row.self_cpu_time;
    if (sort != SortBy::Device || parts.row.device.events > 0) {
      table.rows.push_back(finish_row(census, key, parts));
    }
  }
  std::sort(table.rows.begin(), table.rows.end(), [&](const TopRow& a, const TopRow& b) {
    return comes_before(census, a, b, sort);
  });
  keep_top_rows(table, top);
  return table;
}

PerStep compute_per_step(const Census& census, Phase phase) {
  if (phase != Phase::Replay) {
    return {};
  }
  std::uint64_t decode = 0;
  std::uint64_t other = 0;
  for (const CensusSteps& row : census.steps) {
    if (row.graph_launches > 0 && row.kind != StepKind::Other) {
      (row.kind == StepKind::Decode ? decode : other) += row.steps;
    }
  }
  if (decode + other > 0) {
    return {other == 0 ? StepBasis::DecodeSteps : StepBasis::EngineSteps, decode + other};
  }
  std::uint64_t replays = 0;
  for (const CensusGraph& graph : census.graphs) {
    replays += graph.replays;
  }
  return replays > 0 ? PerStep{StepBasis::GraphReplays, replays} : PerStep{};
}

}  // namespace opcensus

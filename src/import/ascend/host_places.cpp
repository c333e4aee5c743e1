// SPDX-License-Identifier: Apache-2.0
#include "src/import/ascend/host_places.h"

#include <algorithm>
#include <tuple>

namespace opcensus::import::ascend {
namespace {

/// Backend calls hardly nest; a row that long over is no reason to look at all of them.
constexpr int kMaxNesting = 16;

HostStretch stretch_of(const HostRow& row) {
  return {row.thread, row.start, row.duration};
}

void sort_by_start(std::vector<const HostRow*>& rows) {
  std::sort(rows.begin(), rows.end(), [](const HostRow* a, const HostRow* b) {
    return std::tuple(a->thread, a->start, b->duration, a) <
           std::tuple(b->thread, b->start, a->duration, b);
  });
}

}  // namespace

HostPlaces::HostPlaces(const ProfileRows& rows, const std::vector<HostRowUse>& uses) {
  for (std::size_t i = 0; i < rows.host.size(); ++i) {
    const HostRow& row = rows.host[i];
    if (row.kind == HostRowKind::Dequeue) {
      dequeues_.push_back(&row);
    } else if (row.kind == HostRowKind::Enqueue) {
      enqueues_.try_emplace(row.queue_id, &row);
    } else if (row.kind == HostRowKind::Call && uses[i] == HostRowUse::Backend) {
      backends_.push_back(&row);
    }
  }
  sort_by_start(backends_);
  sort_by_start(dequeues_);
  for (const HostLink& link : rows.links) {
    const auto [known, is_new] = links_.try_emplace(link.connection, link);
    if (!is_new && link.start < known->second.start) {
      known->second = link;
    }
  }
}

const HostRow* HostPlaces::enclosing(const Order& order, HostThread thread, Nanoseconds time) {
  auto row = std::upper_bound(
      order.begin(), order.end(), std::tuple(thread, time), [](const auto& wanted, const auto* a) {
        return wanted < std::tuple(a->thread, a->start);
      });
  for (int steps = 0; steps < kMaxNesting && row != order.begin(); ++steps) {
    --row;
    if ((*row)->thread != thread) {
      return nullptr;
    }
    if (time <= (*row)->end()) {
      return *row;
    }
  }
  return nullptr;
}

std::optional<HostStretch> HostPlaces::linked(std::uint64_t connection) const {
  const auto found = links_.find(connection);
  if (found == links_.end()) {
    return std::nullopt;
  }
  const HostLink& link = found->second;
  const HostRow* backend = enclosing(backends_, link.thread, link.start);
  if (backend != nullptr && backend->start == link.start) {
    return stretch_of(*backend);
  }
  return HostStretch{link.thread, link.start, Nanoseconds()};
}

std::optional<HostStretch> HostPlaces::queued(const CannCall& call) const {
  const HostRow* dequeue = enclosing(dequeues_, call.thread, call.start);
  if (dequeue == nullptr) {
    return std::nullopt;
  }
  const auto enqueue = enqueues_.find(dequeue->queue_id);
  if (enqueue == enqueues_.end()) {
    return std::nullopt;
  }
  const HostRow& asked = *enqueue->second;
  const HostRow* backend = enclosing(backends_, asked.thread, asked.start);
  return stretch_of(backend != nullptr ? *backend : asked);
}

}  // namespace opcensus::import::ascend

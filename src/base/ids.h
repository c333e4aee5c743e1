// SPDX-License-Identifier: Apache-2.0
//
// Ids are types: a KernelId cannot be passed where a SignatureId is wanted. Each is a dense
// index (0, 1, 2 …) into one table; a default-constructed id is none().
#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>

namespace opcensus {

template <class Tag>
class Id {
 public:
  constexpr Id() = default;

  constexpr explicit Id(std::size_t index) : value_(static_cast<std::uint32_t>(index)) {}

  [[nodiscard]] static constexpr Id none() { return Id(); }

  [[nodiscard]] constexpr bool is_none() const { return value_ == kNone; }

  [[nodiscard]] constexpr bool has_value() const { return value_ != kNone; }

  [[nodiscard]] constexpr std::uint32_t index() const { return value_; }

  friend constexpr auto operator<=>(Id, Id) = default;

 private:
  static constexpr std::uint32_t kNone = std::numeric_limits<std::uint32_t>::max();
  std::uint32_t value_ = kNone;
};

using StringId = Id<struct StringTag>;        ///< StringTable
using SignatureId = Id<struct SignatureTag>;  ///< Model::signatures
using ArgumentsId = Id<struct ArgumentsTag>;  ///< Model::arguments
using DimsId = Id<struct DimsTag>;            ///< Model::dims (grid and block of a launch)
using ThreadId = Id<struct ThreadTag>;        ///< Trace::threads
using StreamId = Id<struct StreamTag>;        ///< Trace::streams
using SpanId = Id<struct SpanTag>;            ///< Trace::host_spans
using CallId = Id<struct CallTag>;            ///< Trace::api_calls
using EventId = Id<struct EventTag>;          ///< Trace::device_events
using TraceId = Id<struct TraceTag>;          ///< Model::traces
using PlanId = Id<struct PlanTag>;            ///< Attribution::plans
using ReplayId = Id<struct ReplayTag>;        ///< Attribution::replays

}  // namespace opcensus

template <class Tag>
struct std::hash<opcensus::Id<Tag>> {
  std::size_t operator()(opcensus::Id<Tag> id) const noexcept {
    return std::hash<std::uint32_t>{}(id.index());
  }
};

/* SPDX-License-Identifier: Apache-2.0
 *
 * The runtime and driver calls that matter, by callback id (CUPTI 12.9 and 13.0: equal).
 */
#pragma once

#include <cstdint>
#include <span>

#include "agent/wire.h"

namespace opcensus::agent {

struct CallId {
  std::uint32_t domain;
  std::uint32_t id;
  wire::CallKind kind;
};

/* Graph launches, begin and end of captures, instantiate: watched always. */
std::span<const CallId> always_watched_calls();

/* Launches of kernels, copies and memsets: watched while a window is open. */
std::span<const CallId> launch_calls();

wire::CallKind kind_of_call(std::uint32_t domain, std::uint32_t id);

}  // namespace opcensus::agent

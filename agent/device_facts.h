/* SPDX-License-Identifier: Apache-2.0
 *
 * What the driver says of a device, for the recording's properties.
 */
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace opcensus::agent {

/* ("device.0.name", "NVIDIA H200"), …; empty if the driver is not there. The driver must be
 * initialised: call it after the device has run something, and outside of callbacks. */
std::vector<std::pair<std::string, std::string>> device_facts(std::uint16_t device);

}  // namespace opcensus::agent

/* SPDX-License-Identifier: Apache-2.0
 *
 * Names for copies and memsets, spelled as Kineto spells them, so that the census of a recording
 * and that of a trace agree: "Memcpy DtoD (Device -> Device)", "Memset (Device)".
 */
#pragma once

#include <cstdint>
#include <string>

namespace opcensus::agent {

/* kind: CUpti_ActivityMemcpyKind; source, target: CUpti_ActivityMemoryKind. */
std::string memcpy_name(std::uint8_t kind, std::uint8_t source, std::uint8_t target);
std::string memset_name(std::uint16_t memory);

}  // namespace opcensus::agent

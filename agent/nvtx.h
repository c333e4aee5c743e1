/* SPDX-License-Identifier: Apache-2.0
 *
 * NVTX ranges as what runs on a thread, for engines without torch: push and pop of every domain,
 * with plain, wide and registered texts.
 *
 * - A range is an operator; where the torch shim is on, it is an annotation, a name around torch's.
 * - Ranges nest within their domain and thread. A pop ends the innermost range of its domain and
 *   leaves those of others, so that domains may interleave (see FrameStack).
 * - nvtxRangeStart and nvtxRangeEnd are left out: such ranges may cross and end on other threads,
 *   so that they say nothing of what a thread launches.
 * - NVTX may be used before CUDA, so before there is an agent. Such ranges are kept on their thread
 *   and handed over when the agent first sees it.
 *
 * Everything is noexcept; a failure costs a name, never the nesting.
 */
#pragma once

#include "agent/nvtx_abi.h"

namespace opcensus::agent {

class Agent;
class ThreadState;

/* Takes the functions of one NVTX in this process; there may be several. False: it is of a kind
 * that is not known, and was left alone. */
bool attach_nvtx(nvtx::GetExportTable get_export_table) noexcept;

/* The ranges that this thread opened before the agent first saw it. Thread: `thread`'s own. */
void hand_over_ranges(Agent& agent, ThreadState& thread) noexcept;

}  // namespace opcensus::agent

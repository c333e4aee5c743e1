// SPDX-License-Identifier: Apache-2.0
//
// A libcupti without a GPU: it keeps what the agent asks for, and a test plays the driver's part.
// Handles of graphs, nodes and executable graphs are their ids.
#pragma once

#include <cstdint>

extern "C" {

/// Fires a callback if the agent enabled it.
void fake_cupti_resource(std::uint32_t id,
                         std::uint64_t graph,
                         std::uint64_t original_graph,
                         std::uint64_t node,
                         std::uint64_t original_node,
                         std::uint64_t exec);
void fake_cupti_api(std::uint32_t domain,
                    std::uint32_t id,
                    bool enter,
                    std::uint32_t correlation,
                    std::uint64_t exec);

/// cudaLaunchKernel and the driver's call inside it, with the kernel's name as CUPTI tells it.
void fake_cupti_launch(bool enter, std::uint32_t correlation, const char* symbol);

/// Queues a device record; dropped if the agent did not enable its kind. Delivered by a flush. A
/// start of 0 is that of a kernel whose times CUPTI could not collect.
void fake_cupti_kernel(const char* name,
                       std::uint64_t start,
                       std::uint64_t node,
                       std::uint32_t correlation,
                       std::uint32_t grid);
void fake_cupti_memset(std::uint64_t start, std::uint64_t node, std::uint32_t correlation);

/// What cuptiActivityGetNumDroppedRecords will say once.
void fake_cupti_drop(std::uint64_t records);

/// As set by cuptiActivitySetAttribute; 0 = not set.
std::uint64_t fake_cupti_attribute(int attribute);

/// What cuptiSubscribe returns from now on (39 = another tool is subscribed).
void fake_cupti_refuse(int result);
}

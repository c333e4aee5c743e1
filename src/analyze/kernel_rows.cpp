// SPDX-License-Identifier: Apache-2.0
#include "src/analyze/kernel_rows.h"

#include <algorithm>
#include <map>
#include <tuple>

#include "src/analyze/signature_order.h"

namespace opcensus {
namespace {

bool comes_before(const Census& census, const KernelRow& a, const KernelRow& b) {
  if (a.device.time != b.device.time) {
    return a.device.time > b.device.time;
  }
  if (a.kernel != b.kernel) {
    return census.text(a.kernel) < census.text(b.kernel);
  }
  const auto order = compare_signatures(census, a.signature, b.signature);
  if (order != 0) {
    return order < 0;
  }
  const auto recorded = compare_signatures(census, a.recorded, b.recorded);
  if (recorded != 0) {
    return recorded < 0;
  }
  return std::tie(a.phase, a.tier, a.reason) < std::tie(b.phase, b.tier, b.reason);
}

}  // namespace

std::vector<KernelRow> compute_kernel_rows(const Census& census) {
  using Key = std::tuple<TextIndex, std::uint32_t, std::uint32_t, Phase, Tier, Reason>;
  std::map<Key, EventSum> sums;
  for (const DeviceTime& row : census.device_times) {
    sums[{row.kernel, row.signature, row.recorded, row.phase, row.tier, row.reason}] +=
        EventSum{row.events, row.time};
  }
  std::vector<KernelRow> rows;
  rows.reserve(sums.size());
  for (const auto& [key, sum] : sums) {
    rows.push_back({std::get<0>(key),
                    std::get<1>(key),
                    std::get<2>(key),
                    std::get<3>(key),
                    std::get<4>(key),
                    std::get<5>(key),
                    sum});
  }
  std::sort(rows.begin(), rows.end(), [&](const KernelRow& a, const KernelRow& b) {
    return comes_before(census, a, b);
  });
  return rows;
}

}  // namespace opcensus

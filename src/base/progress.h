// SPDX-License-Identifier: Apache-2.0
//
// ProgressObserver: how the library, which never prints, tells that a long read goes on.
#pragma once

#include <cstdint>

namespace opcensus {

class ProgressObserver {
 public:
  ProgressObserver() = default;
  ProgressObserver(const ProgressObserver&) = delete;
  ProgressObserver& operator=(const ProgressObserver&) = delete;
  virtual ~ProgressObserver() = default;

  /// Bytes of the file itself (compressed); total is 0 where unknown.
  virtual void on_progress(std::uint64_t consumed, std::uint64_t total) = 0;
};

}  // namespace opcensus

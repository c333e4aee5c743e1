// SPDX-License-Identifier: Apache-2.0
//
// What a verb says on stderr.
#pragma once

#include <chrono>
#include <string>

#include "opcensus/result.h"

#include "src/engine/load.h"

#include "apps/opcensus/streams.h"

namespace opcensus::cli {

/// `opcensus: error: FILE: what (byte N)` and `hint: …`; returns kExitFailed.
int report_error(const Error& error, Streams& streams);

/// One line on a terminal, rewritten at most ten times a second, gone when reading is done.
class ProgressBar : public LoadObserver {
 public:
  explicit ProgressBar(Streams& streams) : streams_(streams) {}

  ProgressBar(const ProgressBar&) = delete;
  ProgressBar& operator=(const ProgressBar&) = delete;

  ~ProgressBar() override { clear(); }

  void on_read(const std::string& path,
               std::size_t number,
               std::size_t count,
               std::uint64_t consumed,
               std::uint64_t total) override;

  void clear();

 private:
  Streams& streams_;
  std::chrono::steady_clock::time_point started_ = std::chrono::steady_clock::now();
  std::chrono::steady_clock::time_point drawn_;
  bool is_drawn_ = false;
};

}  // namespace opcensus::cli

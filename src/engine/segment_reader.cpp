// SPDX-License-Identifier: Apache-2.0
#include "src/engine/segment_reader.h"

#include <utility>

namespace opcensus {

SegmentReader::SegmentReader(Trace& trace, bool reads_ahead)
    : trace_(trace), reads_ahead_(reads_ahead) {
  start();
}

void SegmentReader::start() {
  if (started_ < trace_.segments->count()) {
    ++started_;
    pending_ = std::async(reads_ahead_ ? std::launch::async : std::launch::deferred,
                          [this] { return trace_.segments->load_next(ahead_); });
  }
}

Result<bool> SegmentReader::next() {
  if (!pending_.valid()) {
    return false;
  }
  OPCENSUS_CHECK_OK(pending_.get());
  std::swap(trace_.host_spans, ahead_.host_spans);
  std::swap(trace_.api_calls, ahead_.api_calls);
  std::swap(trace_.device_events, ahead_.device_events);
  std::swap(trace_.auxiliary, ahead_.auxiliary);
  trace_.segment = ahead_.segment;
  start();
  return true;
}

}  // namespace opcensus

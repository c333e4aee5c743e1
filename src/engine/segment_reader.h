// SPDX-License-Identifier: Apache-2.0
//
// SegmentReader: the segments of a long trace, one after the other; with a second thread the next
// one is read while the caller works on the last.
#pragma once

#include <cstddef>
#include <future>

#include "opcensus/result.h"

#include "src/model/trace.h"

namespace opcensus {

class SegmentReader {
 public:
  /// The trace has segments. Nothing else may load them until the reader is gone.
  SegmentReader(Trace& trace, bool reads_ahead);

  /// Puts the next segment into the columns of the trace. False: there is none.
  [[nodiscard]] Result<bool> next();

 private:
  void start();

  Trace& trace_;
  bool reads_ahead_;
  std::size_t started_ = 0;
  Trace ahead_;                  ///< the columns alone
  std::future<Status> pending_;  ///< last: waits before the rest goes
};

}  // namespace opcensus

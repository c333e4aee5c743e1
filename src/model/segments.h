// SPDX-License-Identifier: Apache-2.0
//
// Segments: a trace that is too long to be held in memory, as consecutive stretches of its time.
//
// A segment has the operators, annotations, calls and auxiliary rows that begin in its stretch, and
// the device events that these calls launched (events that nothing launched, by their own begin).
// Its first spans are borrowed from other segments, which count them: spans that are still open
// from before, then operators that its device events name by their External id.
#pragma once

#include <cstddef>
#include <limits>

#include "opcensus/result.h"

#include "src/base/nanoseconds.h"

namespace opcensus {

struct Trace;

/// Of the rows that are in a trace's columns. A trace that is held as a whole is one segment.
struct Segment {
  std::size_t open_spans = 0;      ///< the first host_spans: still open from the segment before,
                                   ///< in the order in which they stood there
  std::size_t borrowed_spans = 0;  ///< these, and those after them that other segments count
  Nanoseconds end{std::numeric_limits<std::int64_t>::max()};  ///< of the stretch
};

class SegmentSource {
 public:
  SegmentSource() = default;
  SegmentSource(const SegmentSource&) = delete;
  SegmentSource& operator=(const SegmentSource&) = delete;
  virtual ~SegmentSource() = default;

  [[nodiscard]] virtual std::size_t count() const = 0;

  /// Replaces the rows of `trace` by those of the next segment; the first again after the last.
  virtual Status load_next(Trace& trace) = 0;

  /// Replaces them by all rows.
  virtual Status load_all(Trace& trace) = 0;
};

/// Takes rows out of a trace while it is being read, so that memory does not grow with its length.
class RowSink {
 public:
  RowSink() = default;
  RowSink(const RowSink&) = delete;
  RowSink& operator=(const RowSink&) = delete;
  virtual ~RowSink() = default;

  /// How many rows to collect before take().
  [[nodiscard]] virtual std::size_t batch_rows() const = 0;

  /// Moves the rows of all four columns out. Their times have no base time yet.
  virtual Status take(Trace& trace) = 0;

  /// Puts them back, in front of those that are there; nothing is left in the sink.
  virtual Status put_back(Trace& trace) = 0;

  /// At the end of the trace, whose other members are complete. All rows have been taken. Gives the
  /// trace its segments, or puts the rows back, with the base time, if it must not be cut.
  virtual Status finish(Trace& trace, Nanoseconds base_time) = 0;

  /// Whether there are any.
  [[nodiscard]] virtual bool has_rows() const = 0;
};

}  // namespace opcensus

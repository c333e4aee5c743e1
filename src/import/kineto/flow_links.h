// SPDX-License-Identifier: Apache-2.0
//
// FlowLinks: the operator of device events that carry neither a correlation nor an External id.
// torch_npu's Kineto plugin writes such rows; all that links them is the arrow (`ac2g`) that ends
// at the event's start on its stream, whose id is the operator's "Record function id". Only an
// unambiguous link is taken.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "src/base/ids.h"
#include "src/base/nanoseconds.h"
#include "src/model/trace.h"

namespace opcensus::import {

class FlowLinks {
 public:
  /// An arrow can lead to the last so many operators only: files without arrows need none.
  explicit FlowLinks(std::size_t max_operators) : max_operators_(max_operators) {}

  /// Rows by their index in the trace's columns. An id of 0 is none.
  void add_operator(std::size_t span, std::uint64_t record_function_id) {
    if (record_function_id != 0) {
      if (operators_.size() >= max_operators_ && flows_.empty()) {
        operators_.clear();
      }
      operators_.push_back({low_half(record_function_id), span});
    }
  }

  void add_unlinked(std::size_t device_event) { unlinked_.push_back(device_event); }

  void add_flow_end(StreamId stream, Nanoseconds time, std::uint64_t id) {
    flows_.push_back({stream, time, low_half(id)});
  }

  /// Gives the unlinked events the External id of their operator, and forgets everything. Times
  /// are those of the rows. O(n log n) where there are flows, O(1) otherwise.
  void apply(Trace& trace);

 private:
  struct Operator {
    std::uint32_t record_function_id;
    std::size_t span;
  };

  struct FlowEnd {
    StreamId stream;
    Nanoseconds time;
    std::uint32_t id;
  };

  /// Kineto keeps 32 bits of a flow's id.
  static constexpr std::uint32_t low_half(std::uint64_t id) {
    return static_cast<std::uint32_t>(id & 0xffffffffU);
  }

  void sort();
  [[nodiscard]] const FlowEnd* find_flow(StreamId stream, Nanoseconds time) const;
  [[nodiscard]] const Operator* find_operator(std::uint32_t id) const;

  std::size_t max_operators_;
  std::vector<Operator> operators_;
  std::vector<std::size_t> unlinked_;
  std::vector<FlowEnd> flows_;
};

}  // namespace opcensus::import

// SPDX-License-Identifier: Apache-2.0
//
// CensusBuilder: the attributed traces of one rank, added up. Every device event lands in exactly
// one DeviceTime row; captured, warm-up, eager and replayed calls stay apart.
//
// Replay calls: the host does not run operators at replay, so a call is counted for each operator
// call of the capture that owns at least one executed node. Operators that launched nothing
// (views, wrappers) have no replay calls.
#pragma once

#include <cstdint>
#include <memory>

#include "src/attribute/attribution.h"
#include "src/census/census.h"
#include "src/model/model.h"

namespace opcensus {

/// Follows an Attributor: both arguments are looked at again at every call.
class CensusBuilder {
 public:
  CensusBuilder(const Model& model, const Attribution& attribution, std::int64_t rank);
  CensusBuilder(const CensusBuilder&) = delete;
  CensusBuilder& operator=(const CensusBuilder&) = delete;
  ~CensusBuilder();

  /// Once, first: graphs, and all traces that are held as a whole.
  void add_whole_traces();

  /// The segment that stands in the columns of the trace, and its replays.
  void add_segment(TraceId trace);

  /// Inputs get role and rank here. The result is canonical, with its checks computed.
  [[nodiscard]] Census finish();

 private:
  class Impl;
  std::unique_ptr<Impl> impl_;
};

/// For a model whose traces are all held as a whole.
[[nodiscard]] Census build_census(const Model& model,
                                  const Attribution& attribution,
                                  std::int64_t rank);

}  // namespace opcensus

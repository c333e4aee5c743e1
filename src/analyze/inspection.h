// SPDX-License-Identifier: Apache-2.0
//
// Inspection: what each input is and what it holds, before anybody trusts a number made from it.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "src/attribute/attribution.h"
#include "src/census/census.h"
#include "src/model/model.h"

namespace opcensus {

struct GraphInspection {
  std::uint32_t number = 0;  ///< as in the census: capture order within the rank
  std::string label;
  std::optional<std::int64_t> batch_size;
  std::uint64_t nodes = 0;
  std::uint64_t nodes_with_operator = 0;
  std::uint64_t nodes_with_kernel = 0;  ///< the kernel is known from the warm-up or the launch
  std::uint64_t replays = 0;            ///< in all traces of the rank
};

struct StepInspection {
  StepKind kind = StepKind::Other;
  std::int64_t tokens = -1;
  std::uint64_t steps = 0;
  std::uint64_t graph_launches = 0;
};

struct PhaseInspection {
  Phase phase = Phase::Eager;
  std::uint64_t operator_calls = 0;
  std::uint64_t device_events = 0;
};

struct FileInspection {
  std::string path;
  std::string format;
  std::string variant;                   ///< of the format: "schema 3.25.0", "level 1, database"
  std::vector<std::string> cannot_tell;  ///< what the format or its level leaves out
  std::string role;
  std::int64_t rank = 0;
  std::uint64_t bytes = 0;
  bool complete = true;
  std::string devices;
  std::vector<TraceProperty> properties;
  std::vector<CategoryCount> categories;
  std::uint64_t operators = 0;
  std::uint64_t operators_with_shapes = 0;
  std::uint64_t graph_launches = 0;        ///< with device events
  std::uint64_t graph_launches_bound = 0;  ///< of these, given to one captured graph
  std::vector<PhaseInspection> phases;     ///< phases without any row are left out
  std::vector<StepInspection> steps;
  std::vector<GraphInspection> graphs;  ///< captured in this file
};

/// Follows an Attributor, like CensusBuilder.
class RankInspector {
 public:
  RankInspector(const Model& model, const Attribution& attribution, std::int64_t rank);
  RankInspector(const RankInspector&) = delete;
  RankInspector& operator=(const RankInspector&) = delete;
  ~RankInspector();

  /// Once, first: all traces that are held as a whole.
  void add_whole_traces();

  /// The segment that stands in the columns of the trace, and its replays.
  void add_segment(TraceId trace);

  /// One row per trace of the rank, in the order of Model::traces.
  [[nodiscard]] std::vector<FileInspection> finish();

 private:
  class Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace opcensus

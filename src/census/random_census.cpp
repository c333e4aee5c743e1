// SPDX-License-Identifier: Apache-2.0
#include "src/census/random_census.h"

#include <algorithm>
#include <numeric>
#include <string_view>

#include "src/census/census_indices.h"

namespace opcensus::testing {
namespace {

constexpr std::size_t kRanks = 2;

std::string operator_of(std::size_t number) {
  return "aten::op" + std::to_string(number);
}

/// Builds one census; every random choice comes from the seed.
class Builder {
 public:
  Builder(std::uint64_t seed, std::string name) : random_(seed), name_(std::move(name)) {
    census_.tool_version = "0." + std::to_string(random_.below(3)) + ".0";
    add_signatures();
    for (std::int64_t rank = 0; rank < static_cast<std::int64_t>(kRanks); ++rank) {
      add_rank(rank);
    }
    add_diagnostics();
  }

  void add_graphs() {
    for (std::int64_t rank = 0; rank < static_cast<std::int64_t>(kRanks); ++rank) {
      const std::size_t graphs = random_.below(3);
      for (std::size_t number = 0; number < graphs; ++number) {
        add_graph(rank, static_cast<std::uint32_t>(number));
      }
    }
  }

  Census finish() {
    for (const DeviceTime& row : census_.device_times) {
      census_.raw_counts.push_back({row.rank, row.input, row.kind, row.events, row.time});
    }
    canonicalize(census_);
    census_.checks = compute_checks(census_);
    return std::move(census_);
  }

 private:
  TextIndex text(const std::string& value) {
    census_.texts.push_back(value);
    return static_cast<TextIndex>(census_.texts.size() - 1);
  }

  std::uint32_t signature() {
    return static_cast<std::uint32_t>(random_.below(census_.signatures.size() - 1) + 1);
  }

  Nanoseconds time() { return Nanoseconds(static_cast<std::int64_t>(random_.below(100000))); }

  std::uint32_t input_of(std::int64_t rank) { return static_cast<std::uint32_t>(rank * 2); }

  void add_signatures() {
    census_.signatures.push_back({operator_of(0), "", "", "no_input_metadata"});  // no shapes
    const std::size_t count = 2 + random_.below(5);
    for (std::size_t i = 0; i < count; ++i) {
      const std::string size = std::to_string(1 + random_.below(4));
      census_.signatures.push_back({operator_of(random_.below(4)),
                                    "[[" + size + ",8]]",
                                    R"(["c10::BFloat16"])",
                                    "shape_and_dtype"});
    }
  }

  void add_rank(std::int64_t rank) {
    const std::string folder = name_ + "/rank" + std::to_string(rank);
    census_.inputs.push_back(
        {folder + "/runtime.json", "kineto_json", "runtime", rank, 1000, 50, true, ""});
    census_.inputs.push_back(
        {"common/merged.json", "kineto_json", "ignored", rank, 10, 5, false, "merged trace"});
    census_.ranks.push_back({rank, "NVIDIA H200", random_.below(2) == 0 ? "{}" : R"({"a":1})"});
    census_.steps.push_back({rank, StepKind::Decode, 8, 1 + random_.below(9), random_.below(9)});
    const std::size_t rows = 1 + random_.below(6);
    for (std::size_t i = 0; i < rows; ++i) {
      add_eager(rank);
      add_unattributed(rank);
      add_ambiguous(rank);
    }
  }

  DeviceTime& add_device_time(std::int64_t rank) {
    const TextIndex kernel = text("kernel" + std::to_string(random_.below(5)));
    const TextIndex kind = text(random_.below(4) == 0 ? "memcpy" : "kernel");
    DeviceTime& row = census_.device_times.emplace_back();
    row.rank = rank;
    row.input = input_of(rank);
    row.kernel = kernel;
    row.kind = kind;
    row.stream = static_cast<std::int64_t>(7 + random_.below(2));
    row.recorded = random_.below(3) == 0 ? signature() : kNoIndex;
    row.events = 1 + random_.below(20);
    row.time = time();
    return row;
  }

  void add_eager(std::int64_t rank) {
    DeviceTime& row = add_device_time(rank);
    row.phase = random_.below(2) == 0 ? Phase::Eager : Phase::Warmup;
    row.signature = signature();
    OperatorCalls& calls = census_.operator_calls.emplace_back();
    calls.rank = rank;
    calls.phase = row.phase;
    calls.signature = row.signature;
    calls.calls = row.events;
    calls.cpu_time = time();
    if (random_.below(2) == 0) {
      const TextIndex strides = text("[[" + std::to_string(random_.below(3)) + "]]");
      OperatorArguments& arguments = census_.operator_arguments.emplace_back();
      arguments.rank = rank;
      arguments.phase = row.phase;
      arguments.signature = row.signature;
      arguments.input_strides = strides;
      arguments.calls = row.events;
    }
  }

  void add_unattributed(std::int64_t rank) {
    DeviceTime& row = add_device_time(rank);
    row.phase = kPhases[random_.below(kPhases.size())];
    row.tier = Tier::Unattributed;
    row.reason = random_.below(2) == 0 ? Reason::NoLaunch : Reason::PlanMismatch;
  }

  void add_ambiguous(std::int64_t rank) {
    DeviceTime& row = add_device_time(rank);
    row.phase = Phase::Replay;
    row.tier = Tier::Aligned;
    row.reason = Reason::ShapeAmbiguous;
    row.signature = 0;
  }

  void add_graph(std::int64_t rank, std::uint32_t number) {
    const auto index = static_cast<std::uint32_t>(census_.graphs.size());
    CensusGraph graph;
    graph.rank = rank;
    graph.number = number;
    graph.label = "capture_" + std::to_string(random_.below(3));
    if (random_.below(3) != 0) {
      graph.batch_size = static_cast<std::int64_t>(1 + random_.below(3));
    }
    graph.nodes = 1 + random_.below(5);
    graph.replays = random_.below(4);
    for (std::uint32_t node = 0; node < graph.nodes; ++node) {
      add_node(graph, index, node);
    }
    graph.busy_time = Nanoseconds(graph.device_time.count() / 2);
    census_.graphs.push_back(graph);
  }

  void add_node(CensusGraph& graph, std::uint32_t index, std::uint32_t position) {
    CensusGraphNode node;
    node.graph = index;
    node.node = position;
    node.top_operator = text("top" + std::to_string(random_.below(2)));
    node.grid = text("[8,1,1]");
    if (random_.below(5) != 0) {
      node.signature = signature();
      node.tier = random_.below(2) == 0 ? Tier::Exact : Tier::Aligned;
      ++graph.attributed_nodes;
    }
    DeviceTime& row = add_device_time(graph.rank);
    row.phase = Phase::Replay;
    row.tier = node.tier;
    row.reason = node.tier == Tier::Unattributed ? Reason::NoEnclosingOp : Reason::None;
    row.signature = node.signature;
    row.graph = index;
    row.events = graph.replays;
    row.time = graph.replays == 0 ? Nanoseconds(0) : row.time;
    node.kernel = row.kernel;
    node.kind = row.kind;
    node.executions = row.events;
    node.device_time = row.time;
    graph.device_time += row.time;
    census_.graph_nodes.push_back(node);
  }

  void add_diagnostics() {
    census_.diagnostics.push_back(
        {"bad_event", "data_loss", 1 + random_.below(5), name_ + " (byte 7): b\n" + name_ + ": a"});
    if (random_.below(2) == 0) {
      census_.diagnostics.push_back({"no_warmup", "info", 1, ""});
    }
  }

  Random random_;
  std::string name_;
  Census census_;
};

/// A random permutation of the table; returns where each old row went.
template <class Row>
std::vector<std::uint32_t> permute(std::vector<Row>& rows, Random& random) {
  std::vector<std::uint32_t> old_of_new(rows.size());
  std::iota(old_of_new.begin(), old_of_new.end(), 0U);
  random.shuffle(old_of_new);
  std::vector<Row> permuted;
  std::vector<std::uint32_t> new_of_old(rows.size());
  for (const std::uint32_t old : old_of_new) {
    new_of_old[old] = static_cast<std::uint32_t>(permuted.size());
    permuted.push_back(rows[old]);
  }
  rows = std::move(permuted);
  return new_of_old;
}

void map_index(std::uint32_t& index, const std::vector<std::uint32_t>& numbers) {
  if (index != kNoIndex) {
    index = numbers[index];
  }
}

void permute_referenced(Census& census, Random& random) {
  const auto signatures = permute(census.signatures, random);
  for_each_signature_index(census, [&](std::uint32_t& index) { map_index(index, signatures); });
  const auto inputs = permute(census.inputs, random);
  for_each_input_index(census, [&](std::uint32_t& index) { map_index(index, inputs); });
  const auto graphs = permute(census.graphs, random);
  for_each_graph_index(census, [&](std::uint32_t& index) { map_index(index, graphs); });
  const auto texts = permute(census.texts, random);
  for_each_text_index(census, [&](std::uint32_t& index) { map_index(index, texts); });
  // "" must be first again: swap it with what is there
  const auto empty = static_cast<std::uint32_t>(
      std::find(census.texts.begin(), census.texts.end(), "") - census.texts.begin());
  std::swap(census.texts[0], census.texts[empty]);
  for_each_text_index(census, [&](std::uint32_t& index) {
    if (index == 0 || index == empty) {
      index = empty - index;
    }
  });
}

void split_rows(Census& census, Random& random) {
  const std::size_t rows = census.device_times.size();
  for (std::size_t i = 0; i < rows; ++i) {
    DeviceTime part = census.device_times[i];
    if (part.events > 1 && random.below(2) == 0) {
      part.events = 1;
      part.time = Nanoseconds(part.time.count() / 3);
      census.device_times[i].events -= part.events;
      census.device_times[i].time -= part.time;
      census.device_times.push_back(part);
    }
  }
  for (RawCount& row : census.raw_counts) {
    if (row.events > 1) {
      RawCount part = row;
      part.events = 1;
      part.time = Nanoseconds(1);
      row.events -= part.events;
      row.time -= part.time;
      census.raw_counts.push_back(part);
      break;
    }
  }
}

}  // namespace

Census random_census(std::uint64_t seed, const std::string& name, bool with_graphs) {
  Builder builder(seed, name);
  if (with_graphs) {
    builder.add_graphs();
  }
  return builder.finish();
}

Census scrambled(Census census, std::uint64_t seed) {
  Random random(seed);
  split_rows(census, random);
  census.texts.emplace_back("nothing uses this");
  census.texts.push_back(census.texts.back());
  census.signatures.push_back({"aten::unused", "[]", "[]", "shape_and_dtype"});
  if (!census.device_times.empty()) {  // one text twice, both used
    census.texts.push_back(census.texts[census.device_times[0].kernel]);
    census.device_times[0].kernel = static_cast<TextIndex>(census.texts.size() - 1);
  }
  permute_referenced(census, random);
  random.shuffle(census.ranks);
  random.shuffle(census.operator_calls);
  random.shuffle(census.operator_arguments);
  random.shuffle(census.device_times);
  random.shuffle(census.graph_nodes);
  random.shuffle(census.steps);
  random.shuffle(census.raw_counts);
  random.shuffle(census.diagnostics);
  random.shuffle(census.checks);
  return census;
}

}  // namespace opcensus::testing

// SPDX-License-Identifier: Apache-2.0
#include "src/report/run_facts.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include "src/report/flat_json.h"
#include "src/report/text_safety.h"
#include "src/report/units.h"

namespace opcensus {
namespace {

enum class VersionForm : std::uint8_t {
  Text,  // as written
  Cuda,  // 1000 × major + 10 × minor
  Hip,   // 10,000,000 × major + 100,000 × minor + patch
};

struct VersionRow {
  std::string_view key;
  std::string_view name;
  VersionForm form;
};

// Trace header keys that say which software ran, in the order they are shown.
constexpr std::array<VersionRow, 8> kVersions{{
    {"vllm_version", "vLLM", VersionForm::Text},
    {"sglang_version", "SGLang", VersionForm::Text},
    {"torch_version", "torch", VersionForm::Text},
    {"pytorch_version", "torch", VersionForm::Text},
    {"cuda_runtime_version", "CUDA", VersionForm::Cuda},
    {"hip_runtime_version", "ROCm", VersionForm::Hip},
    {"cann_version", "CANN", VersionForm::Text},
    {"nccl_version", "NCCL", VersionForm::Text},
}};

std::string version_text(const FlatMember& member, VersionForm form) {
  std::uint64_t number = 0;
  const std::string& value = member.value;
  const auto [end, error] = std::from_chars(value.data(), value.data() + value.size(), number);
  if (form == VersionForm::Text || error != std::errc() || end != value.data() + value.size()) {
    return safe_text(value);
  }
  return form == VersionForm::Cuda
             ? fmt::format("{}.{}", number / 1000, number % 1000 / 10)
             : fmt::format("{}.{}", number / 10'000'000, number % 10'000'000 / 100'000);
}

void add_once(std::vector<std::string>& list, std::string text) {
  if (!text.empty() && std::find(list.begin(), list.end(), text) == list.end()) {
    list.push_back(std::move(text));
  }
}

void add_versions(std::vector<std::string>& facts, const Census& census) {
  std::vector<FlatMember> members;
  for (const CensusRank& rank : census.ranks) {
    const std::vector<FlatMember> own = parse_flat_object(rank.properties);
    members.insert(members.end(), own.begin(), own.end());
  }
  for (const VersionRow& row : kVersions) {
    for (const FlatMember& member : members) {
      if (member.name == row.key) {
        add_once(facts, fmt::format("{} {}", row.name, version_text(member, row.form)));
      }
    }
  }
}

std::string plural(std::uint64_t count, std::string_view noun) {
  return fmt::format("{} {}{}", format_count(count), noun, count == 1 ? "" : "s");
}

std::string list_batch_sizes(const Census& census) {
  std::vector<std::string> sizes;
  for (const CensusGraph& graph : census.graphs) {
    if (graph.batch_size) {
      add_once(sizes, std::to_string(*graph.batch_size));
    }
  }
  constexpr std::size_t kMost = 12;  // more would fill the line: engines capture up to 67 sizes
  if (sizes.size() > kMost) {
    return fmt::format(" (bs {} … {}, {} sizes)", sizes.front(), sizes.back(), sizes.size());
  }
  return sizes.empty() ? "" : fmt::format(" (bs {})", fmt::join(sizes, " "));
}

std::string describe_node_counts(const Census& census) {
  const auto [least, most] = std::minmax_element(
      census.graphs.begin(), census.graphs.end(), [](const CensusGraph& a, const CensusGraph& b) {
        return a.nodes < b.nodes;
      });
  if (least->nodes == most->nodes) {
    return plural(least->nodes, "node") + (census.graphs.size() > 1 ? " each" : "");
  }
  return fmt::format("{} to {} nodes", format_count(least->nodes), format_count(most->nodes));
}

}  // namespace

std::string describe_run(const Census& census) {
  std::vector<std::string> facts;
  for (const CensusRank& rank : census.ranks) {
    add_once(facts, safe_text(rank.devices));
  }
  if (facts.empty()) {
    facts.emplace_back("unknown device");
  }
  if (!census.ranks.empty()) {
    facts.push_back(plural(census.ranks.size(), "rank"));
  }
  add_versions(facts, census);
  return fmt::format("{}", fmt::join(facts, " · "));
}

std::string describe_graphs(const Census& census) {
  if (census.graphs.empty()) {
    return "";
  }
  std::uint64_t replays = 0;
  for (const CensusGraph& graph : census.graphs) {
    replays += graph.replays;
  }
  return fmt::format("{}{}, {}, {}",
                     plural(census.graphs.size(), "graph"),
                     list_batch_sizes(census),
                     describe_node_counts(census),
                     plural(replays, "replay"));
}

std::string describe_steps(const Census& census) {
  std::vector<std::string> parts;
  for (const StepKind kind :
       {StepKind::Decode, StepKind::Prefill, StepKind::Mixed, StepKind::Other}) {
    std::uint64_t steps = 0;
    for (const CensusSteps& row : census.steps) {
      steps += row.kind == kind ? row.steps : 0;
    }
    if (steps > 0) {
      parts.push_back(fmt::format("{} {}", format_count(steps), step_kind_name(kind)));
    }
  }
  return parts.empty() ? "" : fmt::format("steps: {}", fmt::join(parts, ", "));
}

}  // namespace opcensus

// SPDX-License-Identifier: Apache-2.0
//
// Invariants 1 to 5 (docs/invariants.md) on random runs, from files to the census.
#include <algorithm>
#include <cstdint>
#include <map>
#include <string>
#include <tuple>
#include <vector>

#include <gtest/gtest.h>

#include "src/attribute/attribute.h"
#include "src/census/build_census.h"
#include "src/engine/engine.h"
#include "src/io/gzip_test_data.h"

#include "tests/property/run_files.h"
#include "tests/property/server_run.h"

namespace opcensus::testing {
namespace {

/// Different kinds of run, one after the other.
RunOptions options_for(std::uint64_t seed) {
  RunOptions options;
  options.ranks = seed % 3 == 0 ? 2 : 1;
  options.warmups = static_cast<int>(seed % 4 == 0 ? 0 : 2);
  options.step_annotations = seed % 5 != 0;
  options.branches = seed % 2 == 0 ? 2 : 1;
  options.few_kernels = seed % 7 < 3;
  options.drop_nodes = seed % 6 == 1;
  options.recapture = seed % 8 == 2;
  options.piecewise = seed % 5 == 3;
  options.module_launches = seed % 3 == 1;
  return options;
}

struct Sum {
  std::uint64_t events = 0;
  std::int64_t time = 0;

  friend bool operator==(const Sum&, const Sum&) = default;

  void add(std::uint64_t count, std::int64_t duration) {
    events += count;
    time += duration;
  }
};

using Sums = std::map<std::string, Sum>;

std::string group(const std::string& what, const std::string& input, const std::string& value) {
  return what + " " + input + " " + value;
}

Sums launched_sums(const ServerRun& run) {
  Sums sums;
  for (const GeneratedTrace& trace : run.traces) {
    for (const LaunchedEvent& event : trace.launched) {
      const std::string kind = event.category == "kernel" ? "kernel" : event.category.substr(4);
      sums["total"].add(1, event.duration);
      for (const std::string& key :
           {group("phase", trace.file_name, event.phase),
            group("kind", trace.file_name, kind),
            group("stream", trace.file_name, std::to_string(event.stream))}) {
        sums[key].add(1, event.duration);
      }
    }
  }
  return sums;
}

Sums census_sums(const Census& census) {
  Sums sums;
  for (const DeviceTime& row : census.device_times) {
    const std::string& input = census.inputs[row.input].path;
    sums["total"].add(row.events, row.time.count());
    for (const std::string& key : {group("phase", input, std::string(phase_name(row.phase))),
                                   group("kind", input, census.text(row.kind)),
                                   group("stream", input, std::to_string(row.stream))}) {
      sums[key].add(row.events, row.time.count());
    }
  }
  return sums;
}

void expect_checks_pass(const Census& census) {
  EXPECT_FALSE(census.checks.empty());
  for (const Check& check : census.checks) {
    EXPECT_TRUE(check.passed) << check.name;
  }
}

TEST(Invariants, TheLedgerBalancesAgainstWhatWasLaunched) {
  for (std::uint64_t seed = 1; seed <= 40; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    const ServerRun run = generate_run(seed, options_for(seed));
    const RunFiles files(run);
    const Census census = without_file_facts(census_of(files.paths()));
    EXPECT_EQ(census_sums(census), launched_sums(run));
    expect_checks_pass(census);
  }
}

/// So short that every runtime trace of a test is cut into many.
RowStoreOptions short_segments(std::uint64_t seed) {
  RowStoreOptions options;
  options.segment_rows = 20 + seed * 11 % 100;
  options.batch_rows = 1 + seed * 7 % 300;
  options.layout = {1 + seed * 13 % 64, 1 + seed % 4};
  return options;
}

std::size_t most_segments(const std::vector<std::string>& paths, const RowStoreOptions& options) {
  LoadOptions load;
  load.long_traces = options;
  const auto loaded = load_traces(paths, load);
  std::size_t most = 0;
  for (const auto& [rank, model] : loaded->ranks) {
    for (const Trace& trace : model.traces) {
      most = std::max(most, trace.segments == nullptr ? 0 : trace.segments->count());
    }
  }
  return most;
}

TEST(Invariants, ATraceThatIsCutIntoSegmentsGivesTheSameCensus) {
  std::size_t most = 0;
  for (std::uint64_t seed = 1; seed <= 40; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    RunOptions run_options = options_for(seed);
    run_options.more_steps = static_cast<int>(seed % 3 * 10);
    const ServerRun run = generate_run(seed, run_options);
    const RunFiles files(run);
    EXPECT_EQ(census_of(files.paths(), short_segments(seed)), census_of(files.paths()));
    most = std::max(most, most_segments(files.paths(), short_segments(seed)));
  }
  EXPECT_GT(most, 10U);
}

TEST(Invariants, TheNumberOfThreadsDoesNotMatter) {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    const ServerRun run = generate_run(seed, options_for(seed));
    const RunFiles files(run, {}, seed % 2 == 0);
    CensusRequest request;
    request.paths = files.paths();
    request.load.long_traces = short_segments(seed);
    const auto one = make_census(request);
    ASSERT_TRUE(one);
    for (const int threads : {2, 7}) {
      request.load.threads = threads;
      const auto many = make_census(request);
      ASSERT_TRUE(many);
      EXPECT_EQ(*many, *one) << threads << " threads";
    }
  }
}

TEST(Invariants, TheGraphsAddUpToWhatTheyLaunched) {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    const ServerRun run = generate_run(seed);
    const RunFiles files(run);
    const Census census = census_of(files.paths());
    std::map<std::uint32_t, std::int64_t> launched;
    for (const LaunchedEvent& event : run.traces[1].launched) {
      if (event.graph >= 0) {
        launched[static_cast<std::uint32_t>(event.graph)] += event.duration;
      }
    }
    for (const CensusGraph& graph : census.graphs) {
      EXPECT_EQ(graph.device_time.count(), launched[graph.number]) << graph.label;
    }
  }
}

TEST(Invariants, TheLayoutOfTheTextDoesNotMatter) {
  const std::vector<Layout> layouts{
      {.pretty = true},
      {.reverse_keys = true},
      {.header_last = true},
      {.text_ids = true},
      {.text_times = true},
      {.shuffle = 1},
      {.pretty = true, .reverse_keys = true, .text_times = true, .shuffle = 2},
      {.reverse_keys = true, .header_last = true, .text_ids = true, .shuffle = 3}};
  for (std::uint64_t seed = 1; seed <= 12; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    const ServerRun run = generate_run(seed, options_for(seed));
    const RunFiles plain(run);
    const Census expected = without_file_facts(census_of(plain.paths()));
    for (std::size_t i = 0; i < layouts.size(); ++i) {
      const RunFiles files(run, layouts[i], i % 2 == 1);
      EXPECT_TRUE(without_file_facts(census_of(files.paths())) == expected) << "layout " << i;
    }
  }
}

TEST(Invariants, TheSizeOfChunksDoesNotMatter) {
  for (std::uint64_t seed = 1; seed <= 8; ++seed) {
    const ServerRun run = generate_run(seed, options_for(seed));
    Model whole = import_rank(run, 0);
    const Census expected = build_census(whole, attribute(whole), 0);
    for (const std::size_t bytes : {std::size_t{64}, std::size_t{257}, std::size_t{4096}}) {
      Model model = import_rank(run, 0, bytes);
      EXPECT_TRUE(build_census(model, attribute(model), 0) == expected)
          << seed << ", chunks of " << bytes;
    }
  }
}

TEST(Invariants, TheOrderOfFilesDoesNotMatter) {
  for (std::uint64_t seed = 1; seed <= 12; ++seed) {
    const ServerRun run = generate_run(seed, options_for(seed));
    const RunFiles files(run);
    std::vector<std::string> reversed = files.paths();
    std::reverse(reversed.begin(), reversed.end());
    EXPECT_TRUE(census_of(files.paths()) == census_of(reversed)) << seed;
  }
}

TEST(Invariants, TheCensusOfAllFilesIsTheMergeOfTheRanks) {
  for (std::uint64_t seed = 1; seed <= 12; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    RunOptions options = options_for(seed);
    options.ranks = 3;
    const ServerRun run = generate_run(seed, options);
    const RunFiles files(run);
    std::vector<Census> parts;
    parts.reserve(3);
    for (int rank = 0; rank < options.ranks; ++rank) {
      parts.push_back(census_of(files.paths_of(run, rank)));
    }
    const auto forward = merge(parts[0], parts[1]);
    const auto backward = merge(parts[1], parts[0]);
    ASSERT_TRUE(forward.has_value() && backward.has_value());
    EXPECT_TRUE(*forward == *backward);
    const auto all = merge(parts[2], *forward);
    ASSERT_TRUE(all.has_value());
    EXPECT_TRUE(*all == census_of(files.paths()));
    expect_checks_pass(*all);
  }
}

TEST(Invariants, ARunComparedWithItselfIsEqual) {
  for (std::uint64_t seed = 1; seed <= 12; ++seed) {
    const ServerRun run = generate_run(seed, options_for(seed));
    const RunFiles first(run);
    const RunFiles second(run);
    const Census a = census_of(first.paths());
    EXPECT_TRUE(a == census_of(first.paths())) << seed;
    EXPECT_TRUE(without_file_facts(a) == without_file_facts(census_of(second.paths()))) << seed;
  }
}

std::uint64_t device_events(const Census& census) {
  std::uint64_t events = 0;
  for (const DeviceTime& row : census.device_times) {
    events += row.events;
  }
  return events;
}

bool says_data_loss(const Census& census) {
  return std::any_of(
      census.diagnostics.begin(), census.diagnostics.end(), [](const auto& diagnostic) {
        return (diagnostic.name == "truncated_input" || diagnostic.name == "damaged_compression") &&
               diagnostic.severity == "data_loss" && !diagnostic.places.empty();
      });
}

/// An error, or a census that says what it lacks.
void expect_prefix(const std::vector<std::string>& paths, const Census& whole) {
  CensusRequest request;
  request.paths = paths;
  const auto census = make_census(request);
  if (!census) {
    EXPECT_FALSE(census.error().message.empty());
    EXPECT_FALSE(census.error().hint.empty());
    EXPECT_EQ(census.error().file, paths.back());
    return;
  }
  EXPECT_TRUE(says_data_loss(*census));
  EXPECT_TRUE(std::any_of(census->inputs.begin(),
                          census->inputs.end(),
                          [](const CensusInput& input) { return !input.complete; }));
  EXPECT_LE(device_events(*census), device_events(whole));
  expect_checks_pass(*census);
}

TEST(Invariants, ATruncatedFileGivesItsBeginningOrAnError) {
  for (std::uint64_t seed = 1; seed <= 4; ++seed) {
    RunOptions options = options_for(seed);
    options.ranks = 1;
    const ServerRun run = generate_run(seed, options);
    const RunFiles files(run);
    const Census whole = census_of(files.paths());
    for (const bool gzipped : {false, true}) {
      const std::string text = render(run.traces[1].text, {.pretty = seed % 2 == 0});
      const std::string content = gzipped ? gzip(text) : text;
      const TemporaryFolder folder;
      for (std::size_t i = 0; i < 50; ++i) {
        // Not the end: what follows the root's last bracket is white space.
        const std::size_t length = (content.size() - 4) * (2 * i + 1) / 100;
        SCOPED_TRACE("seed " + std::to_string(seed) + (gzipped ? ", gzip" : "") + ", cut at " +
                     std::to_string(length));
        expect_prefix({files.paths()[0], folder.write("cut.json", content.substr(0, length))},
                      whole);
      }
    }
  }
}

TEST(Invariants, AFlippedBitOfAGzipIsNeverSilent) {
  const ServerRun run = generate_run(5);
  const RunFiles files(run);
  const Census whole = census_of(files.paths());
  const std::string content = gzip(render(run.traces[1].text));
  const TemporaryFolder folder;
  for (std::size_t i = 0; i < 100; ++i) {
    const std::size_t at =
        10 + (content.size() - 19) * i / 100;  // behind the header, before the size
    SCOPED_TRACE("bit flipped in byte " + std::to_string(at));
    CensusRequest request;
    request.paths = {files.paths()[0], folder.write("damaged.json.gz", flip_bit(content, at))};
    const auto census = make_census(request);
    if (census) {
      EXPECT_TRUE(says_data_loss(*census));
      expect_checks_pass(*census);
    } else {
      EXPECT_FALSE(census.error().hint.empty());
    }
  }
}

}  // namespace
}  // namespace opcensus::testing

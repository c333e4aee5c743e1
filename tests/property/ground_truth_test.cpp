// SPDX-License-Identifier: Apache-2.0
//
// The most important property: whatever the evidence, an event has the operator that launched it,
// or says that it does not know. Never another one.
#include <map>
#include <string>

#include <gtest/gtest.h>

#include "src/attribute/attribute.h"

#include "tests/property/run_files.h"
#include "tests/property/server_run.h"

namespace opcensus::testing {
namespace {

struct Tally {
  int events = 0;
  int replayed = 0;
  int replayed_in_full = 0;  // operator, shapes and dtypes
};

std::string describe(const std::string& name,
                     const std::string& shapes,
                     const std::string& dtypes) {
  return name + " " + shapes + " " + dtypes;
}

class Judge {
 public:
  Judge(const Model& model, const Attribution& result) : model_(model), result_(result) {}

  void trace(std::size_t t, const GeneratedTrace& generated) {
    std::map<std::int64_t, const LaunchedEvent*> launched;
    for (const LaunchedEvent& event : generated.launched) {
      launched.emplace(event.start, &event);
    }
    const Trace& trace = model_.traces[t];
    ASSERT_EQ(trace.device_events.size(), generated.launched.size());
    for (std::size_t e = 0; e < trace.device_events.size(); ++e) {
      const auto truth = launched.find((trace.device_events[e].start - trace.base_time).count());
      ASSERT_NE(truth, launched.end());
      event(result_.traces[t].events[e], *truth->second);
    }
  }

  Tally tally;

 private:
  void event(const EventAttribution& found, const LaunchedEvent& truth) {
    ++tally.events;
    tally.replayed += truth.phase == "replay" ? 1 : 0;
    if (found.signature.is_none()) {
      EXPECT_EQ(found.tier, Tier::Unattributed);
      EXPECT_NE(found.reason, Reason::None);
      return;
    }
    const Signature& signature = model_.signatures[found.signature];
    const std::string name(model_.strings.view(signature.operator_name));
    if (found.reason == Reason::ShapeAmbiguous) {
      EXPECT_EQ(name, truth.operator_name) << truth.input_shapes << " at " << truth.start;
      EXPECT_TRUE(signature.input_shapes.is_none());
      return;
    }
    EXPECT_EQ(describe(name, text(signature.input_shapes), text(signature.input_dtypes)),
              describe(truth.operator_name, truth.input_shapes, truth.input_dtypes))
        << truth.phase << " at " << truth.start;
    tally.replayed_in_full += truth.phase == "replay" ? 1 : 0;
  }

  [[nodiscard]] std::string text(StringId id) const {
    return id.is_none() ? std::string() : std::string(model_.strings.view(id));
  }

  const Model& model_;
  const Attribution& result_;
};

constexpr int kSeeds = 30;

/// Runs many seeds; gives what was found over all of them.
Tally judge(const RunOptions& options) {
  Tally sum;
  for (std::uint64_t seed = 1; seed <= kSeeds; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    const ServerRun run = generate_run(seed, options);
    Model model = import_rank(run, 0);
    const Attribution result = attribute(model);
    Judge one(model, result);
    for (std::size_t t = 0; t < run.traces.size(); ++t) {
      one.trace(t, run.traces[t]);
    }
    sum.events += one.tally.events;
    sum.replayed += one.tally.replayed;
    sum.replayed_in_full += one.tally.replayed_in_full;
  }
  EXPECT_GT(sum.replayed, 500);
  return sum;
}

double share(const Tally& tally) {
  return static_cast<double>(tally.replayed_in_full) / static_cast<double>(tally.replayed);
}

TEST(GroundTruth, WithAllEvidenceEveryReplayedEventIsAttributed) {
  const Tally tally = judge({});
  EXPECT_EQ(tally.replayed_in_full, tally.replayed);
}

TEST(GroundTruth, WithoutStepAnnotationsTheWarmupIsEvidenceEnough) {
  RunOptions options;
  options.step_annotations = false;
  const Tally tally = judge(options);
  EXPECT_GT(share(tally), 0.99);
}

TEST(GroundTruth, WithoutWarmupTheStepsAreEvidenceEnough) {
  RunOptions options;
  options.warmups = 0;
  const Tally tally = judge(options);
  EXPECT_EQ(tally.replayed_in_full, tally.replayed);
}

TEST(GroundTruth, WithoutWarmupAndStepsNothingIsWrong) {
  RunOptions options;
  options.warmups = 0;
  options.step_annotations = false;
  options.capture_annotations = false;
  judge(options);
}

TEST(GroundTruth, ManyOperatorsOnFewKernels) {
  RunOptions options;
  options.few_kernels = true;
  judge(options);
  options.step_annotations = false;
  judge(options);
}

TEST(GroundTruth, TwoStreams) {
  RunOptions options;
  options.branches = 2;
  const Tally tally = judge(options);
  EXPECT_GT(share(tally), 0.9);
}

TEST(GroundTruth, EqualKernelsOnTwoStreams) {
  RunOptions options;
  options.branches = 2;
  options.few_kernels = true;
  judge(options);
}

TEST(GroundTruth, TwoStreamsWithoutWarmup) {
  RunOptions options;
  options.branches = 2;
  options.warmups = 0;
  judge(options);
}

TEST(GroundTruth, TwoCapturedStreamsReplayedOnOne) {
  RunOptions options;
  options.branches = 2;
  options.replay_streams = 1;
  judge(options);
  options.few_kernels = true;
  judge(options);
}

TEST(GroundTruth, ThreeCapturedStreamsReplayedOnTwo) {
  RunOptions options;
  options.branches = 3;
  options.replay_streams = 2;
  judge(options);
  options.few_kernels = true;
  judge(options);
}

TEST(GroundTruth, OneNodeMissing) {
  RunOptions options;
  options.drop_nodes = true;
  const Tally tally = judge(options);
  EXPECT_GT(share(tally), 0.9);
  options.few_kernels = true;
  judge(options);
  options.warmups = 0;
  judge(options);
}

TEST(GroundTruth, OneNodeMissingOnTwoStreams) {
  RunOptions options;
  options.drop_nodes = true;
  options.branches = 2;
  judge(options);
  options.few_kernels = true;
  judge(options);
}

TEST(GroundTruth, RecapturedGraphs) {
  RunOptions options;
  options.recapture = true;
  judge(options);
  options.few_kernels = true;
  judge(options);
  options.step_annotations = false;
  judge(options);
}

TEST(GroundTruth, RecapturedGraphsWithoutWarmup) {
  RunOptions options;
  options.recapture = true;
  options.warmups = 0;
  judge(options);
}

TEST(GroundTruth, PiecesWithEagerWorkBetween) {
  RunOptions options;
  options.piecewise = true;
  judge(options);
  options.few_kernels = true;
  judge(options);
  options.step_annotations = false;
  judge(options);
}

TEST(GroundTruth, PiecesWithoutWarmup) {
  RunOptions options;
  options.piecewise = true;
  options.warmups = 0;
  judge(options);
}

TEST(GroundTruth, ModuleLaunchesOutsideEveryOperator) {
  RunOptions options;
  options.module_launches = true;
  const Tally tally = judge(options);
  EXPECT_EQ(tally.replayed_in_full, tally.replayed);
}

TEST(GroundTruth, AutotunedKernelsInTheFirstWarmup) {
  RunOptions options;
  options.autotune = true;
  const Tally tally = judge(options);
  EXPECT_GT(share(tally), 0.9);
}

}  // namespace
}  // namespace opcensus::testing

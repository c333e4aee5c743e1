// SPDX-License-Identifier: Apache-2.0
//
// Real profiles, which are not part of the project. OPCENSUS_CORPUS names the folder that holds
// them; without it these tests are skipped.
#include <algorithm>
#include <array>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include <gtest/gtest.h>

#include "src/import/ascend/ascend_test_support.h"

namespace opcensus::import {
namespace {

namespace fs = std::filesystem;
using testing::AscendReading;
using testing::read_ascend;

constexpr std::string_view kSamples = "Ascend+msinsight/test/data/pytorch";

fs::path corpus() {
  const char* const folder = std::getenv("OPCENSUS_CORPUS");  // NOLINT(concurrency-mt-unsafe)
  return folder == nullptr ? fs::path() : fs::path(folder);
}

/// Folders and files of the corpus that are Ascend profiles, or name themselves so.
std::vector<std::string> candidates() {
  std::vector<std::string> paths;
  for (const std::string_view top : {"Ascend+msinsight", "Ascend+msprof-analyze"}) {
    std::error_code error;
    for (const auto& entry : fs::recursive_directory_iterator(corpus() / top, error)) {
      const std::string path = entry.path().string();
      if (entry.is_directory() ? is_ascend_folder(path) : is_ascend_file(path)) {
        paths.push_back(path);
      }
    }
  }
  std::sort(paths.begin(), paths.end());
  return paths;
}

/// The innermost operator around the launch of each event, on the launch's thread.
class Operators {
 public:
  explicit Operators(const Trace& trace) : trace_(trace) {
    for (const ApiCall& call : trace.api_calls) {
      calls_.try_emplace(call.correlation, &call);
    }
  }

  [[nodiscard]] const HostSpan* of(const DeviceEvent& event) const {
    const auto call = calls_.find(event.correlation);
    return event.correlation == 0 || call == calls_.end() ? nullptr : around(*call->second);
  }

 private:
  [[nodiscard]] const HostSpan* around(const ApiCall& call) const {
    const HostSpan* innermost = nullptr;
    for (const HostSpan& span : trace_.host_spans) {  // by start: the last one is the innermost
      if (span.start > call.start) {
        break;
      }
      const bool is_around = span.kind == HostSpanKind::Operator && span.thread == call.thread &&
                             call.start <= span.end();
      innermost = is_around ? &span : innermost;
    }
    return innermost;
  }

  const Trace& trace_;
  std::unordered_map<std::uint64_t, const ApiCall*> calls_;
};

void expect_sums_agree(const Trace& trace) {
  std::array<RawDeviceCount, 4> sums{};
  for (const DeviceEvent& event : trace.device_events) {
    ++sums.at(static_cast<std::size_t>(event.kind)).events;
    sums.at(static_cast<std::size_t>(event.kind)).time += event.duration;
  }
  for (std::size_t kind = 0; kind < sums.size(); ++kind) {
    EXPECT_EQ(sums.at(kind).events, trace.raw_device.at(kind).events) << trace.path;
    EXPECT_EQ(sums.at(kind).time, trace.raw_device.at(kind).time) << trace.path;
  }
}

TEST(AscendCorpus, EverythingEndsInATraceOrOneClearError) {
  const std::vector<std::string> paths = candidates();
  if (paths.empty()) {
    GTEST_SKIP() << "set OPCENSUS_CORPUS to the folder that holds Ascend+msinsight";
  }
  for (const std::string& path : paths) {
    const AscendReading reading = read_ascend(path);
    if (reading.error) {
      EXPECT_FALSE(reading.error->message.empty()) << path;
      EXPECT_FALSE(reading.error->hint.empty()) << path;
      EXPECT_FALSE(reading.error->file.empty()) << path;
      continue;
    }
    ASSERT_EQ(reading.model.traces.size(), 1U);
    const Trace& trace = reading.trace();
    EXPECT_FALSE(trace.device_events.empty()) << path;
    EXPECT_FALSE(trace.diagnostics.has(Severity::DataLoss)) << path;
    expect_sums_agree(trace);
  }
}

struct Sample {
  std::string_view folder;  ///< below kSamples
  bool has_shapes;          ///< of kernels
};

class AscendSample : public ::testing::TestWithParam<Sample> {
 protected:
  void SetUp() override {
    const fs::path folder = corpus() / kSamples / GetParam().folder;
    if (corpus().empty() || !fs::exists(folder)) {
      GTEST_SKIP() << "set OPCENSUS_CORPUS to the folder that holds " << kSamples;
    }
    reading = read_ascend(folder.string());
    ASSERT_FALSE(reading.error) << reading.error->message;
  }

  [[nodiscard]] const Signature* recorded(const DeviceEvent& event) const {
    return event.recorded.is_none() ? nullptr : &reading.model.signatures[event.recorded];
  }

  AscendReading reading;
};

INSTANTIATE_TEST_SUITE_P(Folders,
                         AscendSample,
                         ::testing::Values(Sample{"db/level0/rank0_ascend_pt", false},
                                           Sample{"db/level1/rank0_ascend_pt", true},
                                           Sample{"db/level1/rank1_ascend_pt", true},
                                           Sample{"db/level2/rank0_ascend_pt", true},
                                           Sample{"text/level0/rank0_ascend_pt", false},
                                           Sample{"text/level1/rank0_ascend_pt", true},
                                           Sample{"text/level2/rank0_ascend_pt", true}));

// 187 compute kernels, 4 communication operators, 24 copies.
TEST_P(AscendSample, EveryEventHasAnOperatorWithInputs) {
  EXPECT_EQ(reading.trace().device_events.size(), 215U);
  EXPECT_EQ(reading.trace().raw_device[0].events, 191U);
  EXPECT_EQ(reading.trace().raw_device[1].events, 24U);
  const Operators operators(reading.trace());
  for (const DeviceEvent& event : reading.trace().device_events) {
    const HostSpan* op = operators.of(event);
    ASSERT_NE(op, nullptr) << reading.text(event.name);
    const Signature& signature = reading.model.signatures[op->signature];
    EXPECT_EQ(signature.metadata_status(), MetadataStatus::ShapeAndDtype)
        << reading.text(op->signature);
  }
}

// CANN writes N/A for MemSet at every level, and a type but no inputs for communication.
TEST_P(AscendSample, KernelsHaveTheShapesThatTheLevelRecords) {
  std::size_t with_shapes = 0;
  for (const DeviceEvent& event : reading.trace().device_events) {
    const Signature* signature = recorded(event);
    if (event.kind != DeviceEventKind::Kernel || signature == nullptr) {
      continue;
    }
    const std::string type = reading.text(signature->operator_name);
    const bool is_complete = signature->metadata_status() == MetadataStatus::ShapeAndDtype;
    EXPECT_TRUE(is_complete || type == "MemSet" || type == "hcom_allReduce_") << type;
    with_shapes += is_complete ? 1U : 0U;
  }
  EXPECT_EQ(with_shapes, GetParam().has_shapes ? 176U : 0U);
}

}  // namespace
}  // namespace opcensus::import

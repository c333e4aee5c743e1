// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "src/import/recording/recording_test_support.h"

#include "tests/support/recording_writer.h"

namespace opcensus::import {
namespace {

using opcensus::testing::RecordingWriter;
using opcensus::testing::small_run;
using testing::read_bytes;

constexpr std::size_t kHeader = sizeof(wire::FileHeader);

/// Where each chunk of a good recording ends.
std::vector<std::size_t> chunk_ends(const std::string& bytes) {
  std::vector<std::size_t> ends{kHeader};
  while (ends.back() < bytes.size()) {
    wire::ChunkHeader header{};
    std::memcpy(&header, bytes.data() + ends.back(), sizeof(header));
    ends.push_back(ends.back() + sizeof(header) + header.bytes);
  }
  return ends;
}

TEST(RecordingDamage, ATornTailLeavesAllWholeChunks) {
  const std::string bytes = small_run();
  const std::vector<std::size_t> ends = chunk_ends(bytes);
  for (std::size_t size = 0; size <= bytes.size(); ++size) {
    const auto reading = read_bytes(std::string_view(bytes).substr(0, size));
    if (size < kHeader) {
      ASSERT_TRUE(reading.error) << size;
      EXPECT_EQ(reading.error->code, size == 0 ? ErrorCode::Empty : ErrorCode::Damaged) << size;
      continue;
    }
    ASSERT_FALSE(reading.error) << size;
    const auto end = std::prev(std::upper_bound(ends.begin(), ends.end(), size));
    const bool is_clean = *end == size;
    const Diagnostics& issues = reading.trace().diagnostics;
    EXPECT_EQ(reading.trace().complete, is_clean) << size;
    ASSERT_EQ(issues.times(Issue::TornRecording), is_clean ? 0U : 1U) << size;
    if (!is_clean) {
      EXPECT_EQ(issues.samples(Issue::TornRecording).at(0).byte_offset, *end) << size;
      const auto good = read_bytes(std::string_view(bytes).substr(0, *end));
      EXPECT_EQ(good.trace().device_events.size(), reading.trace().device_events.size()) << size;
      EXPECT_EQ(good.graph_nodes(), reading.graph_nodes()) << size;
    }
  }
}

TEST(RecordingDamage, OtherFilesAreNoRecording) {
  const auto reading = read_bytes("{\"traceEvents\": []} and so on, longer than a header is …");
  ASSERT_TRUE(reading.error);
  EXPECT_EQ(reading.error->code, ErrorCode::NotATrace);
  EXPECT_EQ(reading.error->file, "run.ocrec");
  EXPECT_TRUE(reading.model.traces.empty());
}

TEST(RecordingDamage, ANewerVersionIsToldWithTheWayOut) {
  RecordingWriter w;
  w.header().version = wire::kVersion + 1;
  const auto reading = read_bytes(w.bytes());
  ASSERT_TRUE(reading.error);
  EXPECT_EQ(reading.error->code, ErrorCode::UnsupportedFormat);
  EXPECT_FALSE(reading.error->hint.empty());
}

TEST(RecordingDamage, AHeaderMustBeSane) {
  for (const std::uint32_t size : {0U, 47U, 1U << 30U}) {
    RecordingWriter w;
    std::string bytes = w.bytes();
    std::memcpy(bytes.data() + offsetof(wire::FileHeader, header_bytes), &size, sizeof(size));
    const auto reading = read_bytes(bytes);
    ASSERT_TRUE(reading.error) << size;
    EXPECT_EQ(reading.error->code, ErrorCode::Damaged) << size;
  }
}

/// A good kernel, then what `damage` adds, then a kernel that must not be read.
template <class Damage>
void expect_stop(std::string_view why, const Damage& damage) {
  RecordingWriter w;
  w.kernel("before", 100, 1);
  w.text("after");
  w.end_chunk();
  const std::size_t at = w.bytes().size();
  damage(w);
  w.end_chunk();
  w.kernel("after", 200, 2);
  const auto reading = read_bytes(w.bytes());
  ASSERT_FALSE(reading.error) << why;
  EXPECT_EQ(reading.trace().device_events.size(), 1U) << why;
  EXPECT_FALSE(reading.trace().complete) << why;
  ASSERT_EQ(reading.trace().diagnostics.times(Issue::TornRecording), 1U) << why;
  const IssuePlace& place = reading.trace().diagnostics.samples(Issue::TornRecording).at(0);
  EXPECT_EQ(place.detail, why);
  EXPECT_GE(place.byte_offset.value_or(0), at);
}

TEST(RecordingDamage, ADamagedChunkEndsTheReading) {
  using wire::ChunkType;
  const std::string word(8, '\0');
  expect_stop("no chunk begins there",
              [&](RecordingWriter& w) { w.add_bytes(ChunkType(0), word); });
  expect_stop("no chunk begins there",
              [&](RecordingWriter& w) { w.add_bytes(ChunkType(12), word); });
  expect_stop("a chunk's size is no multiple of 8",
              [](RecordingWriter& w) { w.add_bytes(ChunkType::Loss, "1234"); });
  expect_stop("a chunk's size is no multiple of its records'",
              [&](RecordingWriter& w) { w.add_bytes(ChunkType::Loss, word); });
  expect_stop("a text is longer than its chunk", [](RecordingWriter& w) {
    w.add(ChunkType::Text, wire::TextRecord{9, 1});
  });
  expect_stop("the ids of texts do not ascend", [](RecordingWriter& w) {
    w.add(ChunkType::Text, wire::TextRecord{1, 0});
  });
}

TEST(RecordingDamage, UndefinedIdsEndTheReading) {
  using wire::ChunkType;
  constexpr std::string_view kText = "a text is used that was not defined";
  constexpr std::string_view kOperator = "an operator is used that was not defined";
  expect_stop(kText, [](RecordingWriter& w) {
    w.add(ChunkType::Operator, wire::OperatorRecord{1, 99, 0, 0, 0, 0, 0, 0});
  });
  expect_stop(kText, [](RecordingWriter& w) {
    w.add(ChunkType::Property, wire::PropertyRecord{1, 0xffffffffU});
  });
  expect_stop(kText, [](RecordingWriter& w) {
    wire::DeviceRecord record{};
    record.name = 99;
    w.add(ChunkType::Device, record);
  });
  expect_stop(kOperator, [](RecordingWriter& w) { w.span(1, 10, 20); });
  expect_stop(kOperator, [](RecordingWriter& w) { w.created(1, 0, 1, 10); });
  expect_stop(kOperator, [](RecordingWriter& w) {
    wire::CallRecord record{};
    record.op = 1;
    w.add(ChunkType::Call, record);
  });
}

TEST(RecordingDamage, UnknownKindsEndTheReading) {
  using wire::ChunkType;
  expect_stop("an operator has an unknown kind", [](RecordingWriter& w) {
    w.add(ChunkType::Operator, wire::OperatorRecord{1, 1, 0, 0, 0, 0, 7, 0});
  });
  expect_stop("a call has an unknown kind",
              [](RecordingWriter& w) { w.call(wire::CallKind(99), 1, 1); });
  expect_stop("a graph node has an unknown kind",
              [](RecordingWriter& w) { w.node(wire::NodeEvent(7), 1, 0, 1); });
  expect_stop("a device event has an unknown kind", [](RecordingWriter& w) {
    wire::DeviceRecord record{};
    record.kind = 4;
    w.add(ChunkType::Device, record);
  });
  expect_stop("a loss has an unknown cause",
              [](RecordingWriter& w) { w.loss(1, wire::LossCause(9)); });
  expect_stop("a window has an unknown kind", [](RecordingWriter& w) {
    w.add(ChunkType::Window, wire::WindowRecord{1, 2, 0});
  });
}

TEST(RecordingDamage, LimitsAreErrors) {
  const std::string bytes = small_run();
  const auto expect_limit = [&bytes](const RecordingLimits& limits, std::string_view name) {
    const auto reading = read_bytes(bytes, RecordingOptions{limits, nullptr});
    ASSERT_TRUE(reading.error) << name;
    EXPECT_EQ(reading.error->code, ErrorCode::LimitExceeded) << name;
    EXPECT_NE(reading.error->message.find(name), std::string::npos) << reading.error->message;
    EXPECT_TRUE(reading.error->byte_offset);
  };
  RecordingLimits limits;
  limits.max_chunk_bytes = 32;
  expect_limit(limits, "max_chunk_bytes");
  limits = {};
  limits.max_string_bytes = 4;
  expect_limit(limits, "max_string_bytes");
  limits = {};
  limits.max_distinct_strings = 4;
  expect_limit(limits, "max_distinct_strings");
}

TEST(RecordingDamage, AClaimedSizeIsNotAllocated) {
  RecordingWriter w;
  std::string bytes = w.bytes();
  const wire::ChunkHeader header{static_cast<std::uint32_t>(wire::ChunkType::Device), 0xfffffff8U};
  bytes.append(reinterpret_cast<const char*>(&header), sizeof(header));
  RecordingOptions options;
  options.limits.max_chunk_bytes = std::size_t{1} << 40U;
  const auto reading = read_bytes(bytes, options);
  ASSERT_FALSE(reading.error);
  EXPECT_EQ(reading.trace().diagnostics.times(Issue::TornRecording), 1U);
}

}  // namespace
}  // namespace opcensus::import

// SPDX-License-Identifier: Apache-2.0
#include "src/segments/row_store.h"

#include <algorithm>
#include <cstdint>
#include <random>
#include <set>
#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace opcensus {
namespace {

constexpr std::int64_t kBase = 1'000'000;

/// Operators, each with a call that launches a kernel, in nearly sorted order; every tenth kernel
/// has no call.
Trace random_trace(std::uint64_t seed, std::size_t launches) {
  std::mt19937_64 random(seed);
  Trace trace;
  trace.threads.resize(2);
  trace.streams.resize(1);
  std::int64_t now = 0;
  for (std::size_t i = 1; i <= launches; ++i) {
    now += static_cast<std::int64_t>(random() % 20);
    HostSpan span;
    span.start = Nanoseconds(now);
    span.duration = Nanoseconds(static_cast<std::int64_t>(random() % (i % 50 == 0 ? 5000 : 30)));
    span.external_id = i;
    span.thread = ThreadId(random() % 2);
    trace.host_spans.push_back(span);
    ApiCall call;
    call.start = Nanoseconds(now + static_cast<std::int64_t>(random() % 5));
    call.correlation = 2 * i;
    call.thread = span.thread;
    DeviceEvent event;
    event.start = Nanoseconds(now + 100 + static_cast<std::int64_t>(random() % 300));
    event.correlation = 2 * i;
    event.external_id = random() % 7 == 0 ? 1 + random() % launches : i;
    event.stream = StreamId(0);
    trace.device_events.push_back(event);
    if (i % 10 != 0) {
      trace.api_calls.push_back(call);
    }
  }
  return trace;
}

RowStoreOptions small_segments() {
  RowStoreOptions options;
  options.segment_rows = 512;
  options.layout = {37, 16};
  return options;
}

/// The trace in the store, taken in pieces.
void store(RowSink& sink, Trace& trace) {
  Trace whole = trace;
  trace.host_spans.clear();
  trace.api_calls.clear();
  trace.device_events.clear();
  for (std::size_t begin = 0; begin < whole.host_spans.size(); begin += 100) {
    const auto part = [begin](const auto& rows) {
      const std::size_t from = std::min(begin, rows.size());
      const std::size_t to = std::min(begin + 100, rows.size());
      return std::vector(rows.begin() + static_cast<std::ptrdiff_t>(from),
                         rows.begin() + static_cast<std::ptrdiff_t>(to));
    };
    trace.host_spans = part(whole.host_spans);
    trace.api_calls = part(whole.api_calls);
    trace.device_events = part(whole.device_events);
    ASSERT_TRUE(sink.take(trace));
  }
  ASSERT_TRUE(sink.finish(trace, Nanoseconds(kBase)));
}

TEST(RowStore, EveryRowIsInOneSegmentWithTheCallThatLaunchedIt) {
  for (std::uint64_t seed = 1; seed <= 5; ++seed) {
    const Trace whole = random_trace(seed, 3000);
    Trace trace = whole;
    const auto sink = make_row_store(small_segments());
    store(*sink, trace);
    ASSERT_NE(trace.segments, nullptr);
    ASSERT_GT(trace.segments->count(), 5U);
    std::vector<std::uint64_t> spans;
    std::vector<std::uint64_t> events;
    std::size_t calls = 0;
    for (std::size_t n = 0; n < trace.segments->count(); ++n) {
      ASSERT_TRUE(trace.segments->load_next(trace));
      std::set<std::uint64_t> launched;
      for (const ApiCall& call : trace.api_calls) {
        launched.insert(call.correlation);
      }
      for (std::size_t i = trace.segment.borrowed_spans; i < trace.host_spans.size(); ++i) {
        spans.push_back(trace.host_spans[i].external_id);
      }
      for (const DeviceEvent& event : trace.device_events) {
        events.push_back(event.correlation);
        EXPECT_EQ(launched.count(event.correlation) == 1, event.correlation % 20 != 0);
      }
      calls += trace.api_calls.size();
    }
    EXPECT_EQ(calls, whole.api_calls.size());
    std::sort(spans.begin(), spans.end());
    std::sort(events.begin(), events.end());
    ASSERT_EQ(spans.size(), whole.host_spans.size());
    ASSERT_EQ(events.size(), whole.device_events.size());
    EXPECT_EQ(std::adjacent_find(spans.begin(), spans.end()), spans.end());
    EXPECT_EQ(std::adjacent_find(events.begin(), events.end()), events.end());
  }
}

TEST(RowStore, ASegmentHasWhatIsStillOpenAndWhatItsEventsName) {
  Trace trace = random_trace(1, 3000);
  const auto sink = make_row_store(small_segments());
  store(*sink, trace);
  std::vector<std::uint64_t> expected_open;
  std::size_t most_open = 0;
  for (std::size_t n = 0; n < trace.segments->count(); ++n) {
    ASSERT_TRUE(trace.segments->load_next(trace));
    std::vector<std::uint64_t> open;
    std::set<std::uint64_t> named;
    for (std::size_t i = 0; i < trace.host_spans.size(); ++i) {
      const HostSpan& span = trace.host_spans[i];
      named.insert(span.external_id);
      const bool is_foreign = i >= trace.segment.open_spans && i < trace.segment.borrowed_spans;
      if (i < trace.segment.open_spans) {
        ASSERT_LT(i, expected_open.size());
        EXPECT_EQ(span.external_id, expected_open[i]);
      }
      if (!is_foreign && span.end() > trace.segment.end) {
        open.push_back(span.external_id);
      }
    }
    EXPECT_EQ(trace.segment.open_spans, expected_open.size());
    for (const DeviceEvent& event : trace.device_events) {
      EXPECT_EQ(named.count(event.external_id), 1U);
    }
    most_open = std::max(most_open, open.size());
    expected_open = open;
  }
  EXPECT_TRUE(expected_open.empty());
  EXPECT_GT(most_open, 0U);
}

TEST(RowStore, RowsHaveTheBaseTime) {
  const Trace whole = random_trace(3, 2000);
  Trace trace = whole;
  const auto sink = make_row_store(small_segments());
  store(*sink, trace);
  ASSERT_TRUE(trace.segments->load_next(trace));
  EXPECT_EQ(trace.host_spans.at(trace.segment.borrowed_spans).start,
            whole.host_spans[0].start + Nanoseconds(kBase));
  ASSERT_TRUE(trace.segments->load_all(trace));
  ASSERT_EQ(trace.device_events.size(), whole.device_events.size());
  EXPECT_EQ(trace.device_events[7].start, whole.device_events[7].start + Nanoseconds(kBase));
}

TEST(RowStore, ATraceWithCapturesOrSeveralProcessesIsNotCut) {
  Trace captures = random_trace(1, 2000);
  captures.api_calls[900].kind = ApiCallKind::BeginCapture;
  const std::size_t spans = captures.host_spans.size();
  auto sink = make_row_store(small_segments());
  store(*sink, captures);
  EXPECT_EQ(captures.segments, nullptr);
  EXPECT_EQ(captures.host_spans.size(), spans);

  Trace processes = random_trace(1, 2000);
  processes.threads[0].process = StringId(0);
  processes.threads[1].process = StringId(1);
  sink = make_row_store(small_segments());
  store(*sink, processes);
  EXPECT_EQ(processes.segments, nullptr);
}

TEST(RowStore, PutsRowsBackInFrontAsTheyWere) {
  const Trace whole = random_trace(1, 1000);
  Trace trace = whole;
  const auto sink = make_row_store(small_segments());
  ASSERT_TRUE(sink->take(trace));
  EXPECT_TRUE(sink->has_rows());
  trace.host_spans = {whole.host_spans[5]};
  ASSERT_TRUE(sink->put_back(trace));
  EXPECT_FALSE(sink->has_rows());
  ASSERT_EQ(trace.host_spans.size(), whole.host_spans.size() + 1);
  EXPECT_EQ(trace.host_spans.front().start, whole.host_spans.front().start);
  EXPECT_EQ(trace.host_spans.back().external_id, whole.host_spans[5].external_id);
}

}  // namespace
}  // namespace opcensus

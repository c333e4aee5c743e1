// SPDX-License-Identifier: Apache-2.0
//
// Broken, foreign and hostile inputs. Every case is read in chunks of 1, 7 and 64 bytes as well.
#include <initializer_list>
#include <string>
#include <string_view>

#include <gtest/gtest.h>

#include "src/import/kineto/kineto_test_support.h"

namespace opcensus::import {
namespace {

using testing::MemorySource;
using testing::read_from;
using testing::read_in_chunks;
using testing::read_text;
using testing::Reading;
using testing::ReadingText;

/// Reads in one piece, and expects the same from every chunk size.
Reading read_checked(std::string_view content) {
  Reading reading = read_text(content);
  const std::string whole = ReadingText(reading).everything();
  for (const std::size_t chunk : {1U, 7U, 64U}) {
    EXPECT_EQ(ReadingText(read_in_chunks(content, chunk)).everything(), whole) << chunk;
  }
  return reading;
}

std::string event(std::string_view name, std::string_view more = "") {
  return R"({"ph": "X", "cat": "kernel", "name": ")" + std::string(name) +
         R"(", "pid": 0, "tid": 7, "ts": 1, "dur": 2, "args": {"stream": 7)" + std::string(more) +
         "}}";
}

std::string joined(std::initializer_list<std::string_view> events) {
  std::string text;
  for (const std::string_view each : events) {
    text.append(text.empty() ? "" : ",\n ").append(each);
  }
  return text;
}

std::string trace_of(std::string_view events) {
  return "{\"schemaVersion\": 1, \"traceEvents\": [\n  " + std::string(events) +
         "\n  ],\n \"baseTimeNanoseconds\": 5}";
}

std::size_t events_in(const Reading& reading) {
  return reading.error ? 0 : reading.trace().device_events.size();
}

TEST(KinetoDamage, AQuoteInANameCostsThatEventOnly) {
  const std::string bad = event("say \"hello\" x");
  const Reading reading = read_checked(trace_of(event("a") + ",\n  " + bad + ",\n  " + event("b")));
  EXPECT_EQ(events_in(reading), 2U);
  EXPECT_EQ(reading.times(Issue::InvalidJson), 1U);
  EXPECT_EQ(reading.trace().base_time.count(), 5);
  EXPECT_TRUE(reading.trace().complete);
}

TEST(KinetoDamage, AnOddQuoteCostsThatEventOnly) {
  const std::string bad = event("7\" disk {lambda()#1}");
  for (const std::string& events : {joined({event("a"), bad, event("b"), event("c")}),
                                    joined({bad, event("b"), event("c")}),
                                    joined({event("b"), event("c"), bad}),
                                    joined({event("a"), bad, bad, event("c"), bad})}) {
    const Reading reading = read_checked(trace_of(events));
    EXPECT_GE(events_in(reading), 2U) << events;
    EXPECT_EQ(events_in(reading) + reading.times(Issue::InvalidJson),
              static_cast<std::size_t>(std::ranges::count(events, 'X')))
        << events;
    EXPECT_EQ(reading.trace().base_time.count(), 5) << events;
  }
}

TEST(KinetoDamage, AnOddQuoteInASkippedEventHidesNoOther) {
  std::string bad = event("f\"g");
  bad.replace(bad.find("kernel"), 6, "python_function");
  const Reading reading =
      read_checked(trace_of(bad + ",\n" + event("a") + ",\n" + bad + ",\n" + event("b")));
  EXPECT_EQ(events_in(reading), 2U);
  EXPECT_EQ(reading.times(Issue::InvalidJson), 2U);
}

TEST(KinetoDamage, AnOddQuoteFarFromTheEndIsFoundSoon) {
  std::string events = event("a\"b");
  for (int i = 0; i < 1000; ++i) {
    events += ",\n  " + event("k" + std::to_string(i));
  }
  const Reading reading = read_text(trace_of(events));
  EXPECT_EQ(events_in(reading), 1000U);
  EXPECT_EQ(reading.times(Issue::InvalidJson), 1U);
}

TEST(KinetoDamage, AKeyWithoutItsQuoteCostsThatEventOnly) {
  std::string bad = event("x");
  bad.erase(bad.find("\"tid"), 1);
  const Reading reading = read_checked(trace_of(bad + ",\n" + event("a")));
  EXPECT_EQ(events_in(reading), 1U);
  EXPECT_EQ(reading.times(Issue::InvalidJson), 1U);
}

TEST(KinetoDamage, NonFiniteNumbersAreMissingValues) {
  for (const std::string_view token : {"inf", "-inf", "NaN", "Infinity", "N/A"}) {
    const Reading reading = read_checked(trace_of(
        event("a", ", \"memory bandwidth (GB/s)\": " + std::string(token)) + ", " + event("b")));
    EXPECT_EQ(events_in(reading), 2U) << token;
    EXPECT_EQ(reading.times(Issue::NonFiniteNumber), 1U) << token;
    EXPECT_EQ(reading.times(Issue::InvalidJson), 0U) << token;
  }
}

TEST(KinetoDamage, ANonFiniteDurationIsABadEvent) {
  std::string bad = event("a");
  bad.replace(bad.find("\"dur\": 2"), 8, "\"dur\": nan");
  const Reading reading = read_checked(trace_of(bad + "," + event("b")));
  EXPECT_EQ(events_in(reading), 1U);
  EXPECT_EQ(reading.times(Issue::BadEvent), 1U);
}

TEST(KinetoDamage, OddBytesInNamesAreAccepted) {
  const Reading reading = read_checked(trace_of(event("a\nb") + "," + event("\xFF\x80") + "," +
                                                event("C:\\Users\\me") + "," + event("\\ud800!")));
  ASSERT_EQ(events_in(reading), 4U);
  const auto& events = reading.trace().device_events;
  EXPECT_EQ(reading.text(events[0].name), "a\nb");
  EXPECT_EQ(reading.text(events[1].name), "\xEF\xBF\xBD\xEF\xBF\xBD");
  EXPECT_EQ(reading.text(events[2].name), "C:\\Users\\me");
  EXPECT_EQ(reading.text(events[3].name), "\xEF\xBF\xBD!");
  EXPECT_FALSE(reading.trace().diagnostics.has(Severity::DataLoss));
}

TEST(KinetoDamage, ARunOfBadEventsIsReadOneByOne) {
  std::string events;
  for (int i = 0; i < 200; ++i) {
    events += event("\xFF") + "," + event("say \"x\" y") + "," + event("good") + ",";
  }
  const Reading reading = read_text(trace_of(events));
  EXPECT_EQ(events_in(reading), 400U);
  EXPECT_EQ(reading.times(Issue::InvalidJson), 200U);
}

TEST(KinetoDamage, CommasAreForgiven) {
  EXPECT_EQ(events_in(read_checked("[," + event("a") + ",," + event("b") + ",]")), 2U);
  EXPECT_EQ(events_in(read_checked("[" + event("a") + "\n" + event("b") + "]")), 2U);
}

TEST(KinetoDamage, StringsBetweenEventsAreSteppedOver) {
  for (const std::string_view text :
       {R"("a,{")", R"("},{\"ph\": \"X\"")", R"(" ] , ")", R"("\\")"}) {
    const Reading reading = read_checked(trace_of(event("a") + "," + std::string(text) + "," +
                                                  event("b") + "," + std::string(text)));
    EXPECT_EQ(events_in(reading), 2U) << text;
    EXPECT_EQ(reading.times(Issue::BadEvent), 2U) << text;
    EXPECT_EQ(reading.times(Issue::InvalidJson), 0U) << text;
  }
  // No string, but a quote too many.
  const Reading odd = read_checked(trace_of(event("a") + ",\"warning\n" + event("b")));
  EXPECT_EQ(events_in(odd), 2U);
}

TEST(KinetoDamage, LinesBetweenEventsAreSteppedOver) {
  const Reading reading = read_checked(trace_of(
      event("a") + ",\n[W profiler.cpp:1] warning\nWARNING: can't stop, {x}\n" + event("b")));
  EXPECT_EQ(events_in(reading), 2U);
  EXPECT_GE(reading.times(Issue::InvalidJson), 1U);
}

TEST(KinetoDamage, BrokenHeaderValuesAreCounted) {
  const Reading reading = read_checked(R"({"distributedInfo": {"rank": 1, "pg": [}, )"
                                       R"("traceEvents": [)" +
                                       event("a") + R"(], "traceName": "C:\Users\x", )" +
                                       R"("WARNING": ["said "hi" at C:\t"]})");
  EXPECT_EQ(events_in(reading), 1U);
  EXPECT_EQ(reading.times(Issue::InvalidJson), 1U);
  EXPECT_EQ(reading.trace().properties.at(0).value, "C:\\Users\\x");

  const Reading cut =
      read_checked(R"({"distributedInfo": {"rank": 1 "pg"}, "traceEvents": [)" + event("a") + "]}");
  EXPECT_EQ(events_in(cut), 1U);
  EXPECT_EQ(cut.times(Issue::InvalidJson), 1U);
  EXPECT_EQ(cut.trace().rank, std::nullopt);
}

TEST(KinetoDamage, AnOddQuoteInTheHeaderDoesNotHideTheEvents) {
  const Reading reading =
      read_checked(R"({"INFO": ["7" disk"], "traceEvents": [)" + event("a") + "]}");
  EXPECT_EQ(events_in(reading), 1U);
  EXPECT_EQ(reading.times(Issue::InvalidJson), 1U);
}

TEST(KinetoDamage, ALargeUnknownValueIsSkipped) {
  KinetoOptions options;
  options.limits.max_metadata_bytes = 1000;
  options.chunk_bytes = 100;
  const std::string content = R"({"a": 1, "big": [)" + std::string(100000, ' ') +
                              R"(], "traceEvents": [)" + event("a") + "]}";
  const Reading reading = read_text(content, options);
  EXPECT_EQ(events_in(reading), 1U);
  EXPECT_EQ(reading.trace().properties.size(), 1U);
}

TEST(KinetoDamage, ASkippedValueThatIsTooDeepIsALimit) {
  const std::string content = R"({"big": [)" + std::string(100000, ' ') + std::string(100, '[');
  KinetoOptions options;
  options.limits.max_metadata_bytes = 1000;
  for (const std::size_t chunk : {std::size_t{100}, std::size_t{4} << 20}) {
    options.chunk_bytes = chunk;
    const Reading reading = read_text(content, options);
    ASSERT_TRUE(reading.error);
    EXPECT_EQ(reading.error->code, ErrorCode::LimitExceeded);
    // Where it is too deep: the value's beginning is no longer there to be looked at.
    EXPECT_EQ(reading.error->byte_offset, content.size() - 100 + options.limits.max_nesting);
  }
}

TEST(KinetoDamage, EverythingAfterTheEndIsNamed) {
  for (const std::string_view tail : {"}", "]}", "garbage", "}\n{"}) {
    const Reading reading = read_checked(trace_of(event("a")) + std::string(tail));
    EXPECT_EQ(events_in(reading), 1U) << tail;
    EXPECT_EQ(reading.times(Issue::TrailingBytes), 1U) << tail;
    EXPECT_TRUE(reading.trace().complete) << tail;
  }
  EXPECT_EQ(read_checked(trace_of(event("a")) + std::string(100, '\0')).times(Issue::TrailingBytes),
            1U);
  EXPECT_EQ(read_checked(trace_of(event("a")) + "\n\n").times(Issue::TrailingBytes), 0U);
}

TEST(KinetoDamage, ASecondEventArrayIsRead) {
  const Reading reading = read_checked(R"({"traceEvents": [)" + event("a") +
                                       R"(], "traceEvents": [)" + event("b") + "]}");
  EXPECT_EQ(events_in(reading), 2U);
  EXPECT_EQ(reading.times(Issue::SecondEventArray), 1U);
}

TEST(KinetoDamage, ASecondDocumentIsReadWithItsOwnBaseTime) {
  const Reading reading =
      read_checked(R"({"baseTimeNanoseconds": 100, "traceEvents": [)" + event("a") + "]}\n" +
                   R"({"traceEvents": [)" + event("b") + R"(], "baseTimeNanoseconds": 200})");
  ASSERT_EQ(events_in(reading), 2U);
  EXPECT_EQ(reading.trace().device_events[0].start.count(), 1100);
  EXPECT_EQ(reading.trace().device_events[1].start.count(), 1200);
  EXPECT_EQ(reading.times(Issue::SecondEventArray), 1U);
}

TEST(KinetoDamage, EveryPrefixGivesItsEventsOrAnError) {
  const std::string content = trace_of(event("a") + ",\n  " + event("b"));
  const std::size_t first = content.find("}}") + 2;
  const std::size_t second = content.rfind("}}") + 2;
  for (std::size_t length = 0; length < content.size(); ++length) {
    const Reading reading = read_text(std::string_view(content).substr(0, length));
    const std::size_t expected = length >= second ? 2U : length >= first ? 1U : 0U;
    ASSERT_EQ(events_in(reading), expected) << length;
    if (expected == 0) {
      EXPECT_EQ(reading.error->code, length == 0 ? ErrorCode::Empty : ErrorCode::Damaged) << length;
    } else {
      EXPECT_FALSE(reading.trace().complete) << length;
      EXPECT_EQ(reading.times(Issue::TruncatedInput), 1U) << length;
      EXPECT_EQ(reading.trace().diagnostics.samples(Issue::TruncatedInput)[0].byte_offset, length);
    }
  }
}

TEST(KinetoDamage, AFailingSourceEndsTheTraceWhereItFails) {
  const std::string content = trace_of(event("a") + "," + event("b"));
  const Error failure{ErrorCode::Damaged, "bad block", "", 77, ""};
  MemorySource source(std::string_view(content).substr(0, content.size() - 60), failure, false);
  const Reading reading = read_from(source);
  EXPECT_EQ(events_in(reading), 1U);
  EXPECT_FALSE(reading.trace().complete);
  EXPECT_EQ(reading.times(Issue::DamagedCompression), 1U);
  EXPECT_EQ(reading.trace().diagnostics.samples(Issue::DamagedCompression)[0].byte_offset, 77U);

  MemorySource cut(std::string_view(content).substr(0, content.size() - 60), failure, true);
  EXPECT_EQ(read_from(cut).times(Issue::TruncatedInput), 1U);

  MemorySource nothing("", failure, false);
  const Reading none = read_from(nothing);
  ASSERT_TRUE(none.error);
  EXPECT_EQ(none.error->message, "bad block");
  EXPECT_EQ(none.error->file, "test.json");
}

TEST(KinetoDamage, AFailureAfterTheEndIsNotHidden) {
  const std::string content = trace_of(event("a"));
  MemorySource source(content, Error{ErrorCode::Damaged, "bad checksum", "", {}, ""}, false);
  const Reading reading = read_from(source);
  EXPECT_EQ(events_in(reading), 1U);
  EXPECT_FALSE(reading.trace().complete);
  EXPECT_EQ(reading.times(Issue::DamagedCompression), 1U);
}

void expect_error(std::string_view content, ErrorCode code, std::string_view part) {
  const Reading reading = read_checked(content);
  ASSERT_TRUE(reading.error) << content;
  EXPECT_EQ(reading.error->code, code) << content;
  EXPECT_NE(reading.error->message.find(part), std::string::npos) << reading.error->message;
  EXPECT_EQ(reading.error->file, "test.json");
  EXPECT_TRUE(reading.model.traces.empty());
}

TEST(KinetoForeign, IsRefusedByName) {
  expect_error("", ErrorCode::Empty, "empty");
  expect_error(" \n\t ", ErrorCode::Empty, "empty");
  expect_error("<!DOCTYPE html><html></html>", ErrorCode::NotATrace, "HTML");
  expect_error(
      "version https://git-lfs.github.com/spec/v1\noid sha256:0\n", ErrorCode::NotATrace, "LFS");
  expect_error(R"({"rocprofiler-sdk-tool": [{"a": 1}]})", ErrorCode::NotATrace, "rocprofv3");
  expect_error(R"({"schema": "1.0.1", "nodes": []})", ErrorCode::NotATrace, "execution trace");
  expect_error(R"({"a": 1})", ErrorCode::NotATrace, "\"a\"");
  expect_error("[[1, 2], [3, 4]]", ErrorCode::NotATrace, "no element is a trace event");
  expect_error("[1, 2, 3]", ErrorCode::NotATrace, "no element is a trace event");
  expect_error(R"([{"file": "x"}])", ErrorCode::NotATrace, "no element is a trace event");
  expect_error("hello", ErrorCode::NotATrace, "not JSON");
}

TEST(KinetoForeign, ATraceWithoutEventsIsATrace) {
  EXPECT_FALSE(read_checked(R"({"schemaVersion": 1})").error);
  EXPECT_FALSE(read_checked(R"({"traceEvents": []})").error);
  EXPECT_FALSE(read_checked("[]").error);
}

void expect_limit(const KinetoOptions& options, std::string_view content, std::string_view limit) {
  const Reading reading = read_text(content, options);
  ASSERT_TRUE(reading.error) << limit;
  EXPECT_EQ(reading.error->code, ErrorCode::LimitExceeded);
  EXPECT_NE(reading.error->message.find(limit), std::string::npos) << reading.error->message;
}

TEST(KinetoLimits, AreEachNamed) {
  KinetoOptions options;
  options.limits.max_event_bytes = 1000;
  const std::string long_event =
      trace_of(event("a", ", \"x\": \"" + std::string(2000, 'x') + "\""));
  expect_limit(options, long_event, "max_event_bytes");
  options.limits.max_event_bytes = 3000;
  EXPECT_FALSE(read_text(long_event, options).error);

  options = {};
  options.limits.max_nesting = 8;
  const std::string deep =
      trace_of(event("a", ", \"x\": " + std::string(8, '[') + std::string(8, ']')));
  expect_limit(options, deep, "max_nesting");
  options.limits.max_nesting = 10;
  EXPECT_FALSE(read_text(deep, options).error);

  options = {};
  options.limits.max_string_bytes = 100;
  expect_limit(options, trace_of(event(std::string(101, 'x'))), "max_string_bytes");
  EXPECT_FALSE(read_text(trace_of(event(std::string(100, 'x'))), options).error);

  options = {};
  options.limits.max_distinct_strings = 10;
  std::string events;
  for (int i = 0; i < 20; ++i) {
    events += event("k" + std::to_string(i)) + ",";
  }
  expect_limit(options, trace_of(events), "max_distinct_strings");

  options = {};
  options.limits.max_metadata_bytes = 100;
  expect_limit(options,
               R"({"a": ")" + std::string(1000, 'x') + R"(", "traceEvents": []})",
               "max_metadata_bytes");
}

TEST(KinetoLimits, HoldInAnEventThatLooksLikeSeveral) {
  KinetoOptions options;
  options.limits.max_string_bytes = 100;
  const std::string twice = event(std::string(101, 'x'), R"(, "a": "ph")");
  expect_limit(options, trace_of(twice), "max_string_bytes");
  expect_limit(options, trace_of(twice + "," + event("a")), "max_string_bytes");
}

TEST(KinetoLimits, TheFirstInTheFileIsNamedWhateverTheChunksAndThreads) {
  KinetoOptions options;
  options.limits.max_distinct_strings = 10;
  options.limits.max_event_bytes = 1000;
  std::string events;
  for (int i = 0; i < 3000; ++i) {
    events += event("k" + std::to_string(i)) + ",";
  }
  const std::string content = trace_of(events + event(std::string(2000, 'x')));
  for (const std::size_t chunk : {std::size_t{64}, std::size_t{4} << 20}) {
    for (const int threads : {1, 2}) {
      options.chunk_bytes = chunk;
      options.threads = threads;
      expect_limit(options, content, "max_distinct_strings");
    }
  }
}

}  // namespace
}  // namespace opcensus::import

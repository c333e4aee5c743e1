// SPDX-License-Identifier: Apache-2.0
//
// Any bytes, cut into events and values. The first byte is the size of chunks: the pieces must not
// depend on it, they follow each other, and every byte of a piece is still in the buffer.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string_view>
#include <vector>

#include "src/import/kineto/chunk_buffer.h"
#include "src/import/kineto/kineto_test_support.h"
#include "src/import/kineto/splitter.h"

namespace {

using opcensus::import::ChunkBuffer;
using opcensus::import::ParseLimits;
using opcensus::import::Splitter;
using opcensus::import::Step;
using opcensus::import::StepKind;

void require(bool condition, const char* what) {
  if (!condition) {
    std::fprintf(stderr, "%s\n", what);
    std::abort();
  }
}

/// Small enough that a fuzzer reaches them.
ParseLimits small_limits() {
  ParseLimits limits;
  limits.max_event_bytes = 1024;
  limits.max_metadata_bytes = 512;
  limits.max_string_bytes = 128;
  limits.max_nesting = 8;
  return limits;
}

bool is_last(StepKind kind) {
  return kind == StepKind::End || kind == StepKind::Truncated || kind == StepKind::EventTooLarge ||
         kind == StepKind::ValueTooLarge || kind == StepKind::KeyTooLong;
}

/// An error's end says only how far the buffer went.
Step comparable(Step step) {
  if (is_last(step.kind)) {
    step.end = step.begin;
  }
  return step;
}

bool is_equal(const Step& a, const Step& b) {
  return a.kind == b.kind && a.begin == b.begin && a.end == b.end && a.key_begin == b.key_begin &&
         a.key_end == b.key_end;
}

void check(const Step& step, const ChunkBuffer& buffer) {
  require(step.begin <= step.end && step.end <= buffer.end(), "a piece beyond the content");
  require(step.begin >= buffer.begin() || step.kind == StepKind::SkippedValue,
          "a piece that is not in the buffer");
  if (step.kind == StepKind::Value) {
    require(step.key_begin >= buffer.begin() && step.key_begin <= step.key_end &&
                step.key_end < step.begin && buffer[step.key_end] == '"',
            "a key that is none");
    require(step.end > step.begin, "an empty value");
  }
  if (step.kind == StepKind::Event) {
    const std::string_view event = buffer.view(step.begin, step.end);
    require(event.size() >= 2 && event.front() == '{', "an event that is no object");
  }
}

/// As the reader does after a quote that is missing: looks for the next piece within the bad one.
void resume(const Step& step, Splitter& splitter) {
  const std::uint64_t at = std::min(step.begin + 1, step.end);
  if (splitter.in_event_array()) {
    splitter.resume_at_element(at);
  } else {
    splitter.resume_at_key(at);
  }
}

std::vector<Step> split(std::string_view content, std::size_t chunk_bytes) {
  opcensus::import::testing::MemorySource source(content);
  ChunkBuffer buffer(source, chunk_bytes);
  Splitter splitter(small_limits());
  std::vector<Step> steps;
  buffer.refill(0);
  while (steps.empty() || !is_last(steps.back().kind)) {
    const Step step = splitter.next(buffer);
    if (step.kind == StepKind::NeedMore) {
      require(!buffer.at_end(), "more is wanted after the end");
      buffer.refill(splitter.keep_from());
      continue;
    }
    check(step, buffer);
    steps.push_back(comparable(step));
    if (step.kind == StepKind::NestingTooDeep) {
      resume(step, splitter);
    }
    // At most a few pieces begin at one byte.
    require(steps.size() <= 8 * content.size() + 8, "more pieces than there can be");
  }
  return steps;
}

void check_order(const std::vector<Step>& steps) {
  std::uint64_t end = 0;
  for (const Step& step : steps) {
    if (step.kind == StepKind::Event || step.kind == StepKind::Element ||
        step.kind == StepKind::Value || step.kind == StepKind::SkippedValue) {
      require(step.begin >= end, "two pieces overlap");
      end = step.end;
    }
  }
}

}  // namespace

// NOLINTNEXTLINE(readability-identifier-naming): libFuzzer's name
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) {
    return 0;
  }
  const std::string_view content(reinterpret_cast<const char*>(data + 1), size - 1);
  const std::vector<Step> whole = split(content, content.size() + 1);
  check_order(whole);
  for (const std::size_t chunk : {std::size_t{1}, std::size_t{1} + data[0]}) {
    const std::vector<Step> steps = split(content, chunk);
    require(std::ranges::equal(steps, whole, is_equal), "the pieces depend on the size of chunks");
  }
  return 0;
}

// SPDX-License-Identifier: Apache-2.0
#include "src/import/kineto/event_runs.h"

#include <span>

#include "src/import/kineto/bracket_scan.h"
#include "src/import/kineto/event_prefix.h"
#include "src/import/kineto/json_repair.h"
#include "src/import/kineto/resync.h"

namespace opcensus::import {
namespace {

// With simdjson's index of it, half of a typical second-level cache.
constexpr std::size_t kRunBytes = std::size_t{128} << 10;

// A run with this many bad events is finished event by event: each restart indexes the rest again.
constexpr int kMaxRestarts = 2;

}  // namespace

EventRuns::EventRuns(EventParser& parser, EventIntake& intake, IssueLog& issues)
    : parser_(parser), intake_(intake), issues_(issues) {
  run_.reserve(2 * kRunBytes);
}

std::optional<std::size_t> EventRuns::add(std::string_view event, std::uint64_t byte_offset) {
  if (count_phase_words(event.data(), event.data() + event.size()) != 1) {
    return add_suspicious(event, byte_offset);
  }
  if (CategoryTable::Category* const category = intake_.find_skippable(read_event_prefix(event))) {
    intake_.count_skipped(*category);
    return std::nullopt;
  }
  run_.push_back(run_.empty() ? '[' : ',');
  begins_.push_back(run_.size());
  offsets_.push_back(byte_offset);
  run_.append(event);
  if (run_.size() >= kRunBytes) {
    flush();
  }
  return std::nullopt;
}

std::optional<std::size_t> EventRuns::add_suspicious(std::string_view event,
                                                     std::uint64_t byte_offset) {
  flush();
  single_.assign(event);
  single_.reserve(single_.size() + EventParser::kPadding);
  const bool is_read = parser_.is_valid_json(single_) ? parse_one(event, byte_offset)
                                                      : parse_repaired(event, byte_offset);
  if (is_read) {
    return std::nullopt;
  }
  issues_.count(Issue::InvalidJson, byte_offset);
  return find_event_start(event, 1);
}

void EventRuns::flush() {
  if (run_.empty()) {
    return;
  }
  run_.push_back(']');
  run_.reserve(run_.size() + EventParser::kPadding);
  std::size_t done = 0;
  for (int restarts = 0; done < offsets_.size(); ++restarts) {
    if (restarts < kMaxRestarts) {
      const std::size_t begin = begins_[done] - 1;
      run_[begin] = '[';
      done += parser_.parse(std::string_view(run_).substr(begin),
                            std::span<const std::uint64_t>(offsets_).subspan(done),
                            intake_);
    }
    if (done < offsets_.size()) {
      parse_singly(event_text(done), offsets_[done]);
      ++done;
    }
  }
  run_.clear();
  offsets_.clear();
  begins_.clear();
}

std::string_view EventRuns::event_text(std::size_t index) const {
  const std::size_t begin = begins_[index];
  const std::size_t end = index + 1 < begins_.size() ? begins_[index + 1] - 1 : run_.size() - 1;
  return std::string_view(run_).substr(begin, end - begin);
}

void EventRuns::parse_singly(std::string_view event, std::uint64_t byte_offset) {
  if (!parse_one(event, byte_offset) && !parse_repaired(event, byte_offset)) {
    issues_.count(Issue::InvalidJson, byte_offset);
  }
}

bool EventRuns::parse_one(std::string_view event, std::uint64_t byte_offset) {
  single_.clear();
  single_.reserve(event.size() + 2 + EventParser::kPadding);
  single_.push_back('[');
  single_.append(event);
  single_.push_back(']');
  return parser_.parse(single_, {&byte_offset, 1}, intake_) == 1;
}

bool EventRuns::parse_repaired(std::string_view event, std::uint64_t byte_offset) {
  const std::uint64_t non_finite = repair_json(event, repaired_);
  repaired_.reserve(repaired_.size() + EventParser::kPadding);
  if (!parser_.is_valid_json(repaired_) || !parse_one(repaired_, byte_offset)) {
    return false;
  }
  if (non_finite > 0) {
    issues_.count(Issue::NonFiniteNumber, byte_offset);
  }
  return true;
}

}  // namespace opcensus::import

// SPDX-License-Identifier: Apache-2.0
#include "src/import/kineto/run_parser.h"

#include <cstddef>
#include <span>

#include "src/import/kineto/json_repair.h"

namespace opcensus::import {
namespace {

// A run with this many bad events is finished event by event: each restart indexes the rest again.
constexpr int kMaxRestarts = 2;

}  // namespace

void RunParser::parse(EventRun& run) {
  run.build_index();
  std::size_t done = EventParser::parse(run.index, run.offsets, sink_);
  if (done < run.offsets.size()) {
    parse_singly(run.event(done), run.offsets[done]);
    ++done;
  }
  for (int restarts = 1; done < run.offsets.size(); ++restarts) {
    if (restarts < kMaxRestarts) {
      const std::size_t begin = run.begins[done] - 1;
      run.text[begin] = '[';
      done += parser_.parse(std::string_view(run.text).substr(begin),
                            std::span<const std::uint64_t>(run.offsets).subspan(done),
                            sink_);
    }
    if (done < run.offsets.size()) {
      parse_singly(run.event(done), run.offsets[done]);
      ++done;
    }
  }
}

bool RunParser::parse_suspicious(std::string_view event, std::uint64_t byte_offset) {
  single_.assign(event);
  single_.reserve(single_.size() + EventParser::kPadding);
  const bool is_read = parser_.is_valid_json(single_) ? parse_one(event, byte_offset)
                                                      : parse_repaired(event, byte_offset);
  if (!is_read) {
    issues_.count(Issue::InvalidJson, byte_offset);
  }
  return is_read;
}

void RunParser::parse_singly(std::string_view event, std::uint64_t byte_offset) {
  if (!parse_one(event, byte_offset) && !parse_repaired(event, byte_offset)) {
    issues_.count(Issue::InvalidJson, byte_offset);
  }
}

bool RunParser::parse_one(std::string_view event, std::uint64_t byte_offset) {
  single_.clear();
  single_.reserve(event.size() + 2 + EventParser::kPadding);
  single_.push_back('[');
  single_.append(event);
  single_.push_back(']');
  return parser_.parse(single_, {&byte_offset, 1}, sink_) == 1;
}

bool RunParser::parse_repaired(std::string_view event, std::uint64_t byte_offset) {
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

// SPDX-License-Identifier: Apache-2.0
#include "src/import/nsys/host_rows.h"

#include <algorithm>
#include <string>
#include <unordered_map>

#include "src/import/nsys/range_text.h"

namespace opcensus::import {
namespace {

// ENUM_NSYS_EVENT_TYPE: the rest are marks, categories, domains and names of threads.
constexpr std::int64_t kPushPopRange = 59;
constexpr std::int64_t kStartEndRange = 60;

class RangeRows {
 public:
  RangeRows(RowIntake& intake, Ranges& ranges) : intake_(intake), ranges_(ranges) {}

  Status read() {
    const TableQuery query{
        "NVTX_EVENTS", {"eventType", "start", "end", "globalTid"}, {"textId"}, {"text"}};
    OPCENSUS_CHECK_OK(intake_.for_each_row(query, [this](Statement& row) { return take(row); }));
    close_open_ranges();
    return Done{};
  }

 private:
  struct Meaning {
    SignatureId annotation;   ///< the name only
    SignatureId as_operator;  ///< with shapes, if there are any
    HostSpanKind kind = HostSpanKind::Annotation;
  };

  Status take(Statement& row) {
    const std::int64_t type = row.lenient_integer().value_or(kPushPopRange);
    if (type != kPushPopRange && type != kStartEndRange) {
      return Done{};
    }
    const auto start = row.lenient_integer();
    const auto end = row.lenient_integer();
    const auto thread = row.lenient_integer();
    const auto found = intake_.times(start, end ? end : start, "range");
    if (!found) {
      return Done{};
    }
    OPCENSUS_TRY(Meaning meaning, meaning_of(row));
    if (type == kStartEndRange && meaning.kind == HostSpanKind::Operator) {
      meaning.kind = HostSpanKind::Annotation;  // it need not nest, nor end on its thread
    }
    add(*found, meaning, thread.value_or(0), type, !end);
    return Done{};
  }

  void add(const RowTimes& times,
           const Meaning& meaning,
           std::int64_t thread,
           std::int64_t type,
           bool is_open) {
    Trace& trace = intake_.trace();
    const auto index = static_cast<std::uint32_t>(trace.host_spans.size());
    HostSpan span;
    span.start = times.start;
    span.duration = times.duration;
    span.signature =
        meaning.kind == HostSpanKind::Operator ? meaning.as_operator : meaning.annotation;
    span.thread = intake_.processes().thread(thread);
    span.kind = meaning.kind;
    trace.host_spans.push_back(span);
    const bool is_operator = meaning.kind == HostSpanKind::Operator;
    intake_.count_category(is_operator ? "operator" : "annotation");
    ranges_.has_operators = ranges_.has_operators || is_operator;
    if (is_open) {
      open_.push_back(index);
    }
    if (!is_operator && type == kPushPopRange) {
      ranges_.nested.push_back({index, meaning.as_operator});
    }
  }

  /// A text that has an id is parsed once.
  Result<Meaning> meaning_of(Statement& row) {
    const auto id = row.lenient_integer();
    if (!id) {
      return parse(row.lenient_text());
    }
    const auto known = meaning_of_id_.find(*id);
    if (known != meaning_of_id_.end()) {
      return known->second;
    }
    OPCENSUS_TRY(const Meaning meaning, parse(row.lenient_text()));
    meaning_of_id_.emplace(*id, meaning);
    return meaning;
  }

  Result<Meaning> parse(const std::string& text) {
    const RangeText range = parse_range_text(text);
    const bool is_operator = range.kind == RangeKind::Operator;
    Signature signature;
    OPCENSUS_TRY(signature.operator_name, intake_.intern(range.name));
    Meaning meaning;
    meaning.annotation = intake_.model().signatures.intern(signature);
    if (!range.shapes.empty()) {
      OPCENSUS_TRY(signature.input_shapes, intake_.intern(range.shapes));
      ranges_.has_shapes = ranges_.has_shapes || is_operator;
    }
    meaning.as_operator = intake_.model().signatures.intern(signature);
    meaning.kind = is_operator ? HostSpanKind::Operator : HostSpanKind::Annotation;
    return meaning;
  }

  void close_open_ranges() {
    for (const std::uint32_t index : open_) {
      HostSpan& span = intake_.trace().host_spans[index];
      span.duration = std::max(intake_.last_time() - span.start, Nanoseconds(0));
    }
  }

  RowIntake& intake_;
  Ranges& ranges_;
  std::vector<std::uint32_t> open_;
  std::unordered_map<std::int64_t, Meaning> meaning_of_id_;
};

Status read_calls_of(RowIntake& intake, std::string_view table) {
  const TableQuery query{
      table, {"start", "end", "globalTid", "correlationId"}, {"nameId"}, {"name"}};
  return intake.for_each_row(query, [&intake](Statement& row) -> Status {
    const auto start = row.lenient_integer();
    const auto end = row.lenient_integer();
    const auto thread = row.lenient_integer();
    const std::int64_t correlation = row.lenient_integer().value_or(0);
    const auto found = intake.times(start, end, "call");
    if (!found) {
      return Done{};
    }
    ApiCall call;
    call.start = found->start;
    call.duration = found->duration;
    call.correlation = static_cast<std::uint64_t>(std::max<std::int64_t>(correlation, 0));
    OPCENSUS_TRY(call.name, intake.text_of(row));
    call.thread = intake.processes().thread(thread.value_or(0));
    call.kind = classify_api_call(intake.model().strings.view(call.name));
    intake.trace().api_calls.push_back(call);
    intake.count_category("call");
    return Done{};
  });
}

}  // namespace

Status read_api_calls(RowIntake& intake) {
  // The first table has the driver's calls, too; old exports kept them apart.
  OPCENSUS_CHECK_OK(read_calls_of(intake, "CUPTI_ACTIVITY_KIND_RUNTIME"));
  return read_calls_of(intake, "CUPTI_ACTIVITY_KIND_DRIVER");
}

Status read_ranges(RowIntake& intake, Ranges& ranges) {
  return RangeRows(intake, ranges).read();
}

}  // namespace opcensus::import

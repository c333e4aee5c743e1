// SPDX-License-Identifier: Apache-2.0
#include "src/import/kineto/kineto_reader.h"

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <map>
#include <optional>
#include <string_view>
#include <utility>

#include "src/import/kineto/bracket_scan.h"
#include "src/import/kineto/chunk_buffer.h"
#include "src/import/kineto/describe_trace.h"
#include "src/import/kineto/event_filter.h"
#include "src/import/kineto/event_intake.h"
#include "src/import/kineto/event_parser.h"
#include "src/import/kineto/event_run.h"
#include "src/import/kineto/foreign_content.h"
#include "src/import/kineto/header_reader.h"
#include "src/import/kineto/issue_log.h"
#include "src/import/kineto/json_text.h"
#include "src/import/kineto/model_tables.h"
#include "src/import/kineto/resync.h"
#include "src/import/kineto/run_parser.h"
#include "src/import/kineto/run_queue.h"
#include "src/import/kineto/splitter.h"
#include "src/import/kineto/trace_builder.h"

namespace opcensus::import {
namespace {

// Enough to tell what a foreign file is.
constexpr std::uint64_t kHeadBytes = 512;

constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";

/// Both are sorted by name, and so is the result.
std::vector<CategoryCount> sum_of(const std::vector<CategoryCount>& a,
                                  const std::vector<CategoryCount>& b) {
  std::map<std::string, std::uint64_t> sums;
  for (const auto* counts : {&a, &b}) {
    for (const CategoryCount& count : *counts) {
      sums[count.category] += count.events;
    }
  }
  std::vector<CategoryCount> categories;
  categories.reserve(sums.size());
  for (const auto& [category, events] : sums) {
    categories.push_back({category, events});
  }
  return categories;
}

Trace make_trace(std::string path) {
  Trace trace;
  trace.path = std::move(path);
  trace.format = "kineto_json";
  return trace;
}

/// Two halves: this thread reads, splits and sorts out; what it keeps goes in runs to the other one
/// (consume), which parses and makes rows, and may be a thread of its own. They share nothing but
/// the runs; each has its own issues.
class KinetoRead {
 public:
  KinetoRead(ByteSource& source, std::string path, const KinetoOptions& options, Model& model)
      : source_(source),
        options_(options),
        model_(model),
        trace_(make_trace(std::move(path))),
        issues_(diagnostics_, trace_.path),
        row_issues_(trace_.diagnostics, trace_.path),
        buffer_(source, options.chunk_bytes),
        splitter_(options.limits),
        tables_(model, row_parser_, options.limits),
        builder_(tables_, trace_, row_issues_),
        intake_(builder_, trace_, row_issues_),
        runs_(row_parser_, intake_, row_issues_),
        header_(trace_, issues_),
        queue_([this](EventRun& run) { consume(run); }, options.threads > 1) {}

  Result<Done> run() {
    if (auto error = read_head()) {
      return std::move(*error);
    }
    while (!is_finished_) {
      if (auto error = handle(splitter_.next(buffer_))) {
        return first_error(std::move(*error));
      }
    }
    return finish();
  }

 private:
  std::optional<Error> read_head();
  std::optional<Error> handle(const Step& step);
  std::optional<Error> handle_problem(const Step& step);
  void handle_event(const Step& step);
  void handle_value(const Step& step);
  std::optional<std::size_t> find_swallowed_events(std::string_view value);
  void handle_document(const Step& step);
  void handle_array(const Step& step);
  void handle_truncated(const Step& step);
  bool resynchronise(const Step& step, bool at_end);
  std::optional<Error> refill();
  void flush();
  void consume(EventRun& run);
  void note_limit(std::uint64_t byte_offset);
  Error first_error(Error error);
  std::optional<Error> move_rows_out();
  Status take_rows();
  Status put_rows_back();
  void note_source_end();
  Result<Done> finish();
  std::optional<Error> find_unusable();

  [[nodiscard]] Error make_error(ErrorCode code, std::string message, std::uint64_t offset) const {
    return Error{code, std::move(message), trace_.path, offset, {}};
  }

  [[nodiscard]] Error make_limit_error(std::string message, std::uint64_t offset) const {
    Error error = make_error(ErrorCode::LimitExceeded, std::move(message), offset);
    error.hint = "no profiler writes this: look at the file at that byte";
    return error;
  }

  ByteSource& source_;
  const KinetoOptions& options_;
  Model& model_;
  Trace trace_;
  Diagnostics diagnostics_;
  IssueLog issues_;
  IssueLog row_issues_;
  ChunkBuffer buffer_;
  Splitter splitter_;
  EventParser parser_;
  EventFilter filter_;
  EventRun run_;

  // The other half's.
  EventParser row_parser_;
  ModelTables tables_;
  TraceBuilder builder_;
  EventIntake intake_;
  RunParser runs_;

  HeaderReader header_;
  TraceFacts facts_;
  std::optional<Error> row_error_;          ///< of the other half, after drain()
  std::atomic<bool> has_row_error_{false};  ///< so that reading stops early
  bool keep_rows_ = false;                  ///< in memory, however long the trace is
  std::string first_key_;
  std::uint64_t documents_ = 0;
  std::uint64_t arrays_ = 0;
  std::uint64_t elements_ = 0;
  bool is_finished_ = false;
  RunQueue queue_;  ///< last: its thread ends before the rest goes
};

/// Reads up to the first byte that is not white space, and says so if no trace begins there.
std::optional<Error> KinetoRead::read_head() {
  std::uint64_t at = 0;
  buffer_.refill(at);
  while (true) {
    if (at == 0 && buffer_.view(0, buffer_.end()).starts_with(kByteOrderMark)) {
      at = kByteOrderMark.size();
    }
    while (at < buffer_.end() && is_json_space(buffer_[at])) {
      ++at;
    }
    if (buffer_.at_end() || buffer_.end() - at >= kHeadBytes) {
      break;
    }
    buffer_.refill(at);
  }
  if (at == buffer_.end()) {
    if (buffer_.source_error()) {
      return Error(*buffer_.source_error()).in_file(trace_.path);
    }
    return Error{ErrorCode::Empty,
                 "the file is empty",
                 trace_.path,
                 {},
                 "wait until the profiler has finished writing, or profile again"};
  }
  auto foreign = describe_foreign_head(buffer_.view(at, buffer_.end()));
  if (foreign) {
    return std::move(*foreign).in_file(trace_.path);
  }
  splitter_.resume_at_root(at);
  return std::nullopt;
}

std::optional<Error> KinetoRead::handle(const Step& step) {
  switch (step.kind) {
    case StepKind::NeedMore:
      return refill();
    case StepKind::Event:
      handle_event(step);
      break;
    case StepKind::Value:
      handle_value(step);
      break;
    case StepKind::SkippedValue:
      break;
    case StepKind::ArrayBegin:
      handle_array(step);
      break;
    case StepKind::DocumentBegin:
      handle_document(step);
      break;
    case StepKind::Truncated:
      handle_truncated(step);
      break;
    case StepKind::End:
      note_source_end();
      is_finished_ = true;
      break;
    default:
      return handle_problem(step);
  }
  return std::nullopt;
}

std::optional<Error> KinetoRead::handle_problem(const Step& step) {
  switch (step.kind) {
    case StepKind::Element:
      ++elements_;
      issues_.count(Issue::BadEvent, step.begin, "not an object");
      break;
    case StepKind::Junk:
      ++elements_;
      issues_.count(Issue::InvalidJson, step.begin, "between events");
      break;
    case StepKind::BadLayout:
      issues_.count(Issue::InvalidJson, step.begin, "between top-level keys");
      break;
    case StepKind::Trailing:
      issues_.count(Issue::TrailingBytes, step.begin);
      break;
    case StepKind::Suspicious:
      resynchronise(step, false);
      break;
    case StepKind::EventTooLarge:
      return make_limit_error("an event is larger than max_event_bytes", step.begin);
    case StepKind::ValueTooLarge:
      return make_limit_error("a header value is larger than max_metadata_bytes", step.begin);
    case StepKind::KeyTooLong:
      return make_limit_error("a header key is longer than max_string_bytes", step.begin);
    case StepKind::NestingTooDeep:
      if (!resynchronise(step, false)) {
        return make_limit_error("brackets are nested deeper than max_nesting", step.begin);
      }
      break;
    default:
      break;
  }
  return std::nullopt;
}

void KinetoRead::handle_event(const Step& step) {
  ++elements_;
  const std::string_view event = buffer_.view(step.begin, step.end);
  if (count_phase_words(event.data(), event.data() + event.size()) != 1) {
    // Several events in one, because of a missing quote?
    flush();
    queue_.drain();
    const bool is_read = runs_.parse_suspicious(event, step.begin);
    note_limit(step.begin);
    const auto next = is_read ? std::nullopt : find_event_start(event, 1);
    if (next) {
      splitter_.resume_at_element(step.begin + *next);
    }
    return;
  }
  if (!filter_.skip(event)) {
    run_.add(event, step.begin);
  }
  if (run_.text.size() >= options_.run_bytes) {
    flush();
  }
}

void KinetoRead::flush() {
  if (!run_.text.empty()) {
    run_.close();
    queue_.push(run_);
  }
}

/// The other half: may run on a thread of its own.
void KinetoRead::consume(EventRun& run) {
  if (has_row_error_) {
    return;
  }
  const std::uint64_t begin = run.offsets.front();
  runs_.parse(run);
  row_error_ = move_rows_out();
  note_limit(begin);
}

/// After rows were made.
void KinetoRead::note_limit(std::uint64_t byte_offset) {
  const std::string_view limit = tables_.limit_reached();
  if (!row_error_ && !limit.empty()) {
    row_error_ = make_limit_error(std::string(limit).append(" was reached"), byte_offset);
  }
  has_row_error_ = row_error_.has_value();
}

/// What stands before this half's error in the file counts, however far the other half has come.
Error KinetoRead::first_error(Error error) {
  flush();
  queue_.drain();
  return row_error_ ? std::move(*row_error_) : std::move(error);
}

void KinetoRead::handle_value(const Step& step) {
  const std::string_view key = buffer_.view(step.key_begin, step.key_end);
  if (first_key_.empty()) {
    first_key_ = key;
  }
  const std::string_view value = buffer_.view(step.begin, step.end);
  if (const auto swallowed = find_swallowed_events(value)) {
    issues_.count(Issue::InvalidJson, step.begin, key);
    splitter_.resume_at_key(step.begin + *swallowed);
    return;
  }
  header_.read(key, value, step.begin);
}

/// Where `traceEvents` begins, if a missing bracket or quote has made it a part of the value.
std::optional<std::size_t> KinetoRead::find_swallowed_events(std::string_view value) {
  const auto key = find_event_array(value, 1);
  if (!key) {
    return std::nullopt;
  }
  std::string text(value);
  text.reserve(text.size() + EventParser::kPadding);
  return parser_.is_valid_json(text) ? std::nullopt : key;
}

void KinetoRead::handle_document(const Step& step) {
  if (++documents_ > 1) {
    issues_.count(Issue::SecondEventArray, step.begin, "a second document");
    flush();
    queue_.drain();
    keep_rows_ = true;  // the next document's times have another base
    if (const Status status = put_rows_back(); !status) {
      row_error_ = status.error();
      has_row_error_ = true;
    }
    intake_.finish_document(header_.take_base_time());
    arrays_ = 0;
  }
}

void KinetoRead::handle_array(const Step& step) {
  if (++arrays_ > 1) {
    issues_.count(Issue::SecondEventArray, step.begin);
  }
}

/// Looks in an unfinished value for the place where the next one begins. A missing quote is not
/// told from a long value in any other way.
bool KinetoRead::resynchronise(const Step& step, bool at_end) {
  const std::string_view text = buffer_.view(step.begin, step.end);
  if (!splitter_.in_event_array()) {
    if (first_key_.empty() && step.key_end > step.key_begin) {
      first_key_ = buffer_.view(step.key_begin, step.key_end);
    }
    const auto key = find_event_array(text, 1);
    if (key) {
      issues_.count(Issue::InvalidJson, step.begin, "a header value");
      splitter_.resume_at_key(step.begin + *key);
    }
    return key.has_value();
  }
  auto next = find_event_start(text, 1);
  if (!next && at_end) {
    next = find_array_end(text, 1);
  }
  if (next) {
    issues_.count(Issue::InvalidJson, step.begin);
    splitter_.resume_at_element(step.begin + *next);
  }
  return next.has_value();
}

void KinetoRead::handle_truncated(const Step& step) {
  if (step.end > step.begin && resynchronise(step, true)) {
    return;
  }
  trace_.complete = false;
  if (!buffer_.source_error()) {
    issues_.count(Issue::TruncatedInput, buffer_.end());
  }
  note_source_end();
  is_finished_ = true;
}

/// What the source has to say at its end.
void KinetoRead::note_source_end() {
  if (const auto& error = buffer_.source_error()) {
    trace_.complete = false;
    issues_.count(source_.truncated() ? Issue::TruncatedInput : Issue::DamagedCompression,
                  error->byte_offset.value_or(buffer_.end()),
                  error->message);
  } else if (source_.trailing_bytes() > 0) {
    issues_.count(Issue::TrailingBytes, buffer_.end(), "after the compressed data");
  }
}

std::optional<Error> KinetoRead::refill() {
  buffer_.refill(splitter_.keep_from());
  if (options_.progress != nullptr) {
    options_.progress->on_progress(source_.consumed(), source_.total());
  }
  if (has_row_error_) {
    queue_.drain();
    return row_error_;
  }
  return std::nullopt;
}

/// Once in a while, if the trace has become long.
std::optional<Error> KinetoRead::move_rows_out() {
  if (options_.sink == nullptr || keep_rows_) {
    return std::nullopt;
  }
  if (intake_.has_flow_links() || !builder_.can_move_rows()) {
    keep_rows_ = true;
    const Status status = put_rows_back();
    return status ? std::nullopt : std::optional(status.error());
  }
  if (builder_.rows() < options_.sink->batch_rows() || intake_.has_unfinished_rows()) {
    return std::nullopt;
  }
  const Status status = take_rows();
  return status ? std::nullopt : std::optional(status.error());
}

Status KinetoRead::take_rows() {
  builder_.erase_dropped_rows();
  facts_.add_rows(model_, trace_);
  builder_.note_moved_rows();
  return options_.sink->take(trace_);
}

Status KinetoRead::put_rows_back() {
  if (options_.sink == nullptr || !options_.sink->has_rows()) {
    return Done{};
  }
  facts_ = TraceFacts();
  builder_.note_returned_rows();
  return options_.sink->put_back(trace_);
}

/// Why there is nothing to hand over, if so.
std::optional<Error> KinetoRead::find_unusable() {
  if (intake_.events() + filter_.events() > 0) {
    return std::nullopt;
  }
  if (buffer_.source_error()) {
    return Error(*buffer_.source_error()).in_file(trace_.path);
  }
  if (splitter_.root_is_array() && elements_ > 0) {
    return describe_foreign_array().in_file(trace_.path);
  }
  if (!trace_.complete) {
    Error error = make_error(
        ErrorCode::Damaged, "the file ends before its first complete event", buffer_.end());
    error.hint = "wait until the profiler has finished writing, or copy the file again";
    return error;
  }
  if (!splitter_.root_is_array() && arrays_ == 0 && !header_.is_trace_header()) {
    return describe_foreign_object(first_key_).in_file(trace_.path);
  }
  return std::nullopt;
}

Result<Done> KinetoRead::finish() {
  flush();
  queue_.drain();
  if (row_error_) {
    return std::move(*row_error_);
  }
  trace_.base_time = header_.take_base_time();
  const bool is_long = options_.sink != nullptr && options_.sink->has_rows();
  if (is_long && (intake_.has_unfinished_rows() || !builder_.can_move_rows())) {
    keep_rows_ = true;
    OPCENSUS_CHECK_OK(put_rows_back());
  } else if (is_long) {
    OPCENSUS_CHECK_OK(take_rows());
  }
  intake_.finish_document(trace_.base_time);
  builder_.finish_rows();
  if (auto error = find_unusable()) {
    return std::move(*error);
  }
  trace_.bytes = buffer_.end();
  trace_.categories = sum_of(intake_.category_counts(), filter_.counts());
  trace_.diagnostics.merge(diagnostics_);
  facts_.add_rows(model_, trace_);
  facts_.describe_vendor(trace_);
  facts_.describe_limits(trace_);
  if (is_long && !keep_rows_) {
    OPCENSUS_CHECK_OK(options_.sink->finish(trace_, trace_.base_time));
  }
  model_.traces.push_back(std::move(trace_));
  return Done{};
}

}  // namespace

Result<Done> read_kineto_trace(ByteSource& source,
                               std::string path,
                               const KinetoOptions& options,
                               Model& model) {
  return KinetoRead(source, std::move(path), options, model).run();
}

}  // namespace opcensus::import

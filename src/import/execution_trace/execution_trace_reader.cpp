// SPDX-License-Identifier: Apache-2.0
#include "src/import/execution_trace/execution_trace_reader.h"

#include <algorithm>
#include <optional>
#include <span>
#include <utility>

#include "src/import/execution_trace/json_walk.h"
#include "src/import/execution_trace/node_parser.h"

namespace opcensus::import {
namespace {

using json_walk::Elements;
using json_walk::Members;

constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";
constexpr std::size_t kReadBytes = std::size_t{1} << 20;

std::size_t find_root(std::string_view text) {
  return json_walk::skip_space(text, text.starts_with(kByteOrderMark) ? kByteOrderMark.size() : 0);
}

class ExecutionTraceRead {
 public:
  ExecutionTraceRead(ByteSource& source,
                     const std::string& path,
                     const ExecutionTraceLimits& limits)
      : source_(source), limits_(limits) {
    trace_.path = path;
  }

  Result<ExecutionTrace> run() {
    OPCENSUS_CHECK_OK(read_bytes());
    const std::size_t root = find_root(text_);
    if (root == text_.size()) {
      return error_of(ErrorCode::Empty, "the file is empty");
    }
    if (text_[root] != '{') {
      return not_a_trace();
    }
    OPCENSUS_CHECK_OK(read_root(root));
    if (!has_nodes_) {
      return trace_.complete ? not_a_trace()
                             : error_of(ErrorCode::Damaged, "the file ends before its nodes");
    }
    sort_operators();
    return std::move(trace_);
  }

 private:
  /// All of the content; what comes before an error of the source is kept.
  Status read_bytes() {
    while (text_.size() <= limits_.max_bytes) {
      const std::size_t size = text_.size();
      text_.resize(size + kReadBytes);
      auto count = source_.read(std::span<char>(text_).subspan(size));
      text_.resize(size + (count ? *count : 0));
      if (!count) {
        return note_source_error(std::move(count).error());
      }
      if (*count == 0) {
        trace_.bytes = size;
        return Done{};
      }
    }
    return error_of(ErrorCode::LimitExceeded, "the execution trace is larger than max_bytes");
  }

  Status note_source_error(Error error) {
    if (find_root(text_) == text_.size()) {
      return std::move(error).in_file(trace_.path);
    }
    trace_.bytes = text_.size();
    trace_.complete = false;
    source_failed_ = true;
    count(source_.truncated() ? Issue::TruncatedInput : Issue::DamagedCompression,
          text_.size(),
          error.message);
    return Done{};
  }

  Status read_root(std::size_t root) {
    Members members(text_, root);
    while (members.next_key()) {
      if (members.key() == "nodes" && text_[members.at_value()] == '[') {
        has_nodes_ = true;
        OPCENSUS_TRY(const std::optional<std::size_t> end, read_nodes(members.at_value()));
        if (!end) {
          return Done{};
        }
        members.resume_after(*end);
        continue;
      }
      if (!members.take_value()) {
        break;
      }
      if (members.key() == "schema") {
        trace_.schema = parser_.unescape(members.value());
      }
    }
    if (!members.is_complete()) {
      note_end(members.at_value());
    } else if (json_walk::skip_space(text_, members.at_value() + 1) < text_.size()) {
      count(Issue::TrailingBytes, members.at_value() + 1, {});
    }
    return Done{};
  }

  /// Where the list of nodes ends; nullopt if it does not.
  Result<std::optional<std::size_t>> read_nodes(std::size_t begin) {
    Elements nodes(text_, begin);
    while (nodes.next()) {
      const std::size_t at = nodes.position() - nodes.value().size();
      if (nodes.value().size() > limits_.max_node_bytes) {
        return error_of(ErrorCode::LimitExceeded, "a node is larger than max_node_bytes");
      }
      read_node(nodes.value(), at);
    }
    if (!nodes.is_complete()) {
      note_end(nodes.position());
      return std::optional<std::size_t>();
    }
    return std::optional<std::size_t>(nodes.position());
  }

  void read_node(std::string_view text, std::size_t at) {
    switch (parser_.parse(text, limits_.max_inputs, node_)) {
      case NodeResult::InvalidJson:
        count(Issue::InvalidJson, at, "a node");
        return;
      case NodeResult::NotANode:
        count(Issue::BadEvent, at, "not a node");
        return;
      case NodeResult::Ok:
        break;
    }
    if (node_.has_unequal_lists) {
      count(Issue::BadEvent, at, "lists of inputs that do not fit each other");
    }
    if (node_.record_function_id != 0) {  // the nodes of processes and threads have none
      add_operator();
    }
  }

  void add_operator() {
    ExecutionOperator op;
    op.record_function_id = node_.record_function_id;
    op.name = trace_.strings.intern(node_.name);
    op.input_shapes = text_or_none(node_.inputs.shapes);
    op.input_dtypes = text_or_none(node_.inputs.dtypes);
    op.input_strides = text_or_none(node_.inputs.strides);
    op.concrete_inputs = text_or_none(node_.inputs.concrete);
    op.tensors = text_or_none(node_.inputs.tensors);
    trace_.operators.push_back(op);
  }

  StringId text_or_none(std::string_view text) {
    return text.empty() ? StringId::none() : trace_.strings.intern(text);
  }

  /// One row an id: of several, the first of the file.
  void sort_operators() {
    const auto is_before = [](const ExecutionOperator& a, const ExecutionOperator& b) {
      return a.record_function_id < b.record_function_id;
    };
    auto& operators = trace_.operators;
    std::stable_sort(operators.begin(), operators.end(), is_before);
    const auto end =
        std::unique(operators.begin(), operators.end(), [](const auto& first, const auto& next) {
          return first.record_function_id == next.record_function_id;
        });
    for (auto lost = operators.end() - end; lost > 0; --lost) {
      count(Issue::BadEvent, 0, "a record function id that another node has");
    }
    operators.erase(end, operators.end());
  }

  /// The text ends, or stops being JSON, where it should not.
  void note_end(std::size_t at) {
    trace_.complete = false;
    if (source_failed_) {
      return;
    }
    const std::size_t next = json_walk::skip_space(text_, at);
    const bool is_cut = next >= text_.size() ||
                        std::string_view(",:]}").find(text_[next]) == std::string_view::npos;
    count(is_cut ? Issue::TruncatedInput : Issue::InvalidJson, std::min(at, text_.size()), {});
  }

  void count(Issue issue, std::size_t at, std::string_view detail) {
    trace_.diagnostics.count(issue, {trace_.path, at, std::string(detail)});
  }

  [[nodiscard]] Error error_of(ErrorCode code, std::string message) const {
    return Error{code, std::move(message), trace_.path, std::nullopt, {}};
  }

  [[nodiscard]] Error not_a_trace() const {
    return error_of(ErrorCode::NotATrace, "not an execution trace: it has no list of nodes");
  }

  ByteSource& source_;
  ExecutionTraceLimits limits_;
  std::string text_;
  NodeParser parser_;
  ExecutionNode node_;
  ExecutionTrace trace_;
  bool has_nodes_ = false;
  bool source_failed_ = false;
};

}  // namespace

bool looks_like_execution_trace(std::string_view first_bytes) {
  const std::size_t root = find_root(first_bytes);
  if (root >= first_bytes.size() || first_bytes[root] != '{') {
    return false;
  }
  bool has_schema = false;
  bool has_nodes = false;
  Members members(first_bytes, root);
  while (members.next_key()) {
    if (members.key() == "traceEvents") {
      return false;
    }
    has_schema = has_schema || members.key() == "schema";
    has_nodes = has_nodes || members.key() == "nodes";
    if (!members.take_value()) {
      break;
    }
  }
  return has_schema && has_nodes;
}

Result<ExecutionTrace> read_execution_trace(ByteSource& source,
                                            const std::string& path,
                                            const ExecutionTraceLimits& limits) {
  return ExecutionTraceRead(source, path, limits).run();
}

}  // namespace opcensus::import

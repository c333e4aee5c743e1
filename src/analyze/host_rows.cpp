// SPDX-License-Identifier: Apache-2.0
#include "src/analyze/host_rows.h"

#include <algorithm>
#include <array>
#include <map>
#include <numeric>
#include <tuple>
#include <unordered_map>
#include <utility>

#include "src/attribute/host_tree.h"
#include "src/attribute/launch_index.h"

namespace opcensus {
namespace {

// Utility operators that PyTorch leaves out of its table.
constexpr std::array<std::string_view, 7> kHiddenNames{
    "[memory]",
    "[OutOfMemory]",
    "profiler::_record_function_enter",
    "profiler::_record_function_enter_new",
    "profiler::_record_function_exit",
    "aten::is_leaf",
    "aten::output_nr",
};

bool is_hidden(std::string_view name) {
  return name == "aten::_version" ||
         std::find(kHiddenNames.begin(), kHiddenNames.end(), name) != kHiddenNames.end();
}

/// A row and where its kernels are found.
struct Draft {
  HostRow row;
  std::uint64_t external_id = 0;  // of operators and annotations
  SpanId span;                    // likewise
};

/// The thread with the most spans: where PyTorch books the profiler's own overhead, which the file
/// puts on a thread of its own (pid -1).
ThreadId main_thread(const Trace& trace) {
  std::vector<std::size_t> spans(trace.threads.size());
  for (const HostSpan& span : trace.host_spans) {
    ++spans[span.thread.index()];
  }
  const auto most = std::max_element(spans.begin(), spans.end());
  return most == spans.end() ? ThreadId::none()
                             : ThreadId(static_cast<std::size_t>(most - spans.begin()));
}

std::vector<Draft> collect(const Model& model, const Trace& trace) {
  std::vector<Draft> drafts;
  drafts.reserve(trace.host_spans.size() + trace.api_calls.size());
  for (std::size_t i = 0; i < trace.host_spans.size(); ++i) {
    const HostSpan& span = trace.host_spans[i];
    const Signature& signature = model.signatures[span.signature];
    if (is_hidden(model.strings.view(signature.operator_name))) {
      continue;
    }
    Draft draft;
    draft.row.start = span.start;
    draft.row.duration = span.duration;
    draft.row.name = signature.operator_name;
    draft.row.input_shapes = signature.input_shapes;
    draft.row.thread = span.thread;
    draft.row.is_annotation = span.kind == HostSpanKind::Annotation;
    draft.external_id = span.external_id;
    draft.span = SpanId(i);
    drafts.push_back(draft);
  }
  const auto add_plain = [&drafts](const auto& source) {
    Draft draft;
    draft.row.start = source.start;
    draft.row.duration = source.duration;
    draft.row.name = source.name;
    draft.row.thread = source.thread;
    drafts.push_back(draft);
  };
  for (const ApiCall& call : trace.api_calls) {
    add_plain(call);
  }
  const ThreadId overhead_thread = main_thread(trace);
  for (const AuxiliarySpan& span : trace.auxiliary) {
    if (span.kind == AuxiliaryKind::Overhead) {
      add_plain(span);
      drafts.back().row.thread = overhead_thread;
    }
  }
  std::stable_sort(drafts.begin(), drafts.end(), [](const Draft& a, const Draft& b) {
    return std::tuple(a.row.start, b.row.duration) < std::tuple(b.row.start, a.row.duration);
  });
  return drafts;
}

void nest(std::vector<HostRow>& rows) {
  std::map<ThreadId, std::vector<std::uint32_t>> open;
  for (std::uint32_t i = 0; i < rows.size(); ++i) {
    std::vector<std::uint32_t>& stack = open[rows[i].thread];
    const Nanoseconds end = rows[i].start + rows[i].duration;
    while (!stack.empty()) {
      const HostRow& parent = rows[stack.back()];
      const Nanoseconds parent_end = parent.start + parent.duration;
      if (rows[i].start < parent_end && end <= parent_end) {
        break;
      }
      stack.pop_back();
    }
    if (!stack.empty()) {
      rows[i].parent = stack.back();
      ++rows[stack.back()].children;
    }
    stack.push_back(i);
  }
}

/// An operator whose only child has its name is one call that was dispatched twice.
void join_redispatched(std::vector<HostRow>& rows) {
  std::vector<std::vector<std::uint32_t>> children(rows.size());
  for (std::uint32_t i = 0; i < rows.size(); ++i) {
    if (rows[i].parent != HostRow::kNoParent) {
      children[rows[i].parent].push_back(i);
    }
  }
  for (std::uint32_t i = 0; i < rows.size(); ++i) {  // parents come before their children
    HostRow& row = rows[i];
    if (row.parent == HostRow::kNoParent || children[row.parent].size() != 1 ||
        rows[row.parent].name != row.name) {
      continue;
    }
    row.is_joined = true;
    rows[row.parent].self_device += row.self_device;
    row.self_device = Nanoseconds();
    for (const std::uint32_t child : children[i]) {
      rows[child].parent = row.parent;
    }
    children[row.parent] = std::move(children[i]);
  }
}

void sum_up(std::vector<HostRow>& rows) {
  for (std::size_t i = rows.size(); i-- > 0;) {  // children come after their parents
    HostRow& row = rows[i];
    row.device_total += row.self_device;
    if (!row.is_joined && row.parent != HostRow::kNoParent) {
      rows[row.parent].device_total += row.device_total;
      rows[row.parent].children_cpu += row.duration;
    }
  }
}

/// From a device event to the host row that launched it.
class Launchers {
 public:
  Launchers(const Model& model, const Trace& trace, const std::vector<Draft>& drafts)
      : trace_(trace),
        tree_(build_host_tree(trace)),
        launches_(model, trace),
        row_of_span_(trace.host_spans.size(), HostRow::kNoParent) {
    for (std::uint32_t i = 0; i < drafts.size(); ++i) {
      if (drafts[i].external_id != 0) {
        row_of_id_.emplace(drafts[i].external_id, i);
      }
      if (drafts[i].span.has_value()) {
        row_of_span_[drafts[i].span.index()] = i;
      }
    }
  }

  /// kNoParent if there is none.
  [[nodiscard]] std::uint32_t row_of(const DeviceEvent& event) const {
    // An id equal to the correlation is no link (traces of 2022-2023).
    if (event.external_id != 0 && event.external_id != event.correlation) {
      const auto row = row_of_id_.find(event.external_id);
      if (row != row_of_id_.end()) {
        return row->second;
      }
    }
    const CallId call = launches_.find(event).call;
    if (call.is_none() || trace_.api_calls[call.index()].kind == ApiCallKind::GraphLaunch) {
      return HostRow::kNoParent;
    }
    const SpanId op = tree_.innermost_operator(trace_, tree_.call_span[call.index()]);
    return op.is_none() ? HostRow::kNoParent : row_of_span_[op.index()];
  }

 private:
  const Trace& trace_;
  HostTree tree_;
  LaunchIndex launches_;
  std::unordered_map<std::uint64_t, std::uint32_t> row_of_id_;
  std::vector<std::uint32_t> row_of_span_;
};

}  // namespace

std::vector<HostRow> build_host_rows(const Model& model, const Trace& trace) {
  const std::vector<Draft> drafts = collect(model, trace);
  std::vector<HostRow> rows;
  rows.reserve(drafts.size());
  for (const Draft& draft : drafts) {
    rows.push_back(draft.row);
  }
  const Launchers launchers(model, trace, drafts);
  for (const DeviceEvent& event : trace.device_events) {
    const std::uint32_t row = launchers.row_of(event);
    if (row != HostRow::kNoParent) {
      rows[row].self_device += event.duration;
    }
  }
  nest(rows);
  join_redispatched(rows);
  sum_up(rows);
  return rows;
}

}  // namespace opcensus

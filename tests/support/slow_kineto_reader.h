// SPDX-License-Identifier: Apache-2.0
//
// For tests: a reader that is slow and obvious, a DOM of the whole file and strings all the way. It
// shares nothing with the fast one but the names of categories and calls. Both readings are
// compared as text: SlowReader::text() and text_of_reading().
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include "src/base/decimal.h"
#include "src/import/kineto/category_table.h"
#include "src/import/kineto/kineto_test_support.h"

#include "tests/support/slow_arguments.h"
#include "tests/support/slow_json.h"

namespace opcensus::import::testing {

/// The issues that both readers count.
inline constexpr std::array kComparedIssues{Issue::BadEvent,
                                            Issue::InvalidJson,
                                            Issue::NonFiniteNumber,
                                            Issue::NegativeDuration,
                                            Issue::TimeOutOfRange,
                                            Issue::UnpairedBegin};

using SlowRaw = std::array<RawDeviceCount, 3>;

template <class CountOf>
std::string text_of_counts(const std::map<std::string, std::uint64_t>& categories,
                           const SlowRaw& raw,
                           CountOf count_of) {
  std::string text;
  for (const auto& [category, events] : categories) {
    text += "category|" + category + "|" + std::to_string(events) + "\n";
  }
  for (const RawDeviceCount& count : raw) {
    text += "raw|" + std::to_string(count.events) + "|" + std::to_string(count.time.count()) + "\n";
  }
  for (const Issue issue : kComparedIssues) {
    text += std::string(issue_info(issue).name) + "|" + std::to_string(count_of(issue)) + "\n";
  }
  return text;
}

inline std::string text_of_reading(const Reading& reading) {
  std::map<std::string, std::uint64_t> categories;
  for (const CategoryCount& category : reading.trace().categories) {
    categories[category.category] = category.events;
  }
  const auto& raw = reading.trace().raw_device;
  return ReadingText(reading).columns() +
         text_of_counts(categories, {raw[0], raw[1], raw[2]}, [&](Issue issue) {
           return reading.times(issue);
         });
}

class SlowReader {
 public:
  explicit SlowReader(const RawJson& root) {
    if (root.is_array()) {
      read_events(root);
    } else if (root.is_object()) {
      for (const auto& [key, value] : root.items()) {
        if (key == "$traceEvents" && value.is_array()) {
          read_events(value);
        } else if (key == "$baseTimeNanoseconds") {
          read_base(value);
        }
      }
    }
    drop_unfinished();
    add_base();
  }

  /// How many events have a phase.
  [[nodiscard]] std::uint64_t events() const { return events_; }

  /// Flows link the rows of a plugin: not done here.
  [[nodiscard]] bool has_flow_links() const { return has_flow_links_; }

  [[nodiscard]] std::string text() const {
    std::string text;
    for (const std::vector<Row>& column : columns_) {
      for (const Row& row : column) {
        text += row.is_dropped ? ""
                               : row.what + "|" + std::to_string(row.start.count()) + "|" +
                                     std::to_string(row.duration.count()) + "|" + row.rest + "\n";
      }
    }
    return text + text_of_counts(categories_, raw_, [this](Issue issue) {
             const auto found = issues_.find(issue);
             return found == issues_.end() ? 0 : found->second;
           });
  }

 private:
  struct Row {
    std::string what;
    Nanoseconds start;
    Nanoseconds duration;
    std::string rest;
    bool is_dropped = false;
  };

  struct Open {
    CategoryKind kind = CategoryKind::Other;
    Nanoseconds start;
    std::optional<std::pair<std::size_t, std::size_t>> row;  ///< column and index
  };

  using Fields = std::map<std::string, const RawJson*>;

  void read_events(const RawJson& events) {
    for (const RawJson& event : events) {
      if (!event.is_object()) {
        ++issues_[Issue::BadEvent];
        continue;
      }
      Fields fields;
      for (const auto& [key, value] : event.items()) {
        fields[key_text(key)] = &value;
      }
      read_event(fields, SlowArguments(event));
    }
  }

  void read_event(const Fields& fields, const SlowArguments& args) {
    const std::string phase = field(fields, "ph");
    const std::string category = field(fields, "cat");
    if (phase.size() != 1) {
      ++issues_[Issue::BadEvent];
      return;
    }
    ++events_;
    ++categories_[category.empty() ? "ph:" + phase : category];
    has_flow_links_ = has_flow_links_ || category.starts_with(kPluginCategory);
    const CategoryKind kind = classify_category(category);
    if (phase == "X") {
      read_complete(fields, args, kind);
    } else if (phase == "B") {
      read_begin(fields, args, kind);
    } else if (phase == "E") {
      read_end(fields);
    }
  }

  void read_complete(const Fields& fields, const SlowArguments& args, CategoryKind kind) {
    if (kind == CategoryKind::Other) {
      return;
    }
    const auto name = name_of(fields);
    if (!name) {
      ++issues_[Issue::BadEvent];
      return;
    }
    kind = kind_of_row(kind, *name, args.stream.has_value());
    if (kind == CategoryKind::Other) {
      return;
    }
    const auto start = time(field(fields, "ts"));
    const bool is_cut = kind == CategoryKind::ApiCall && field(fields, "dur").empty();
    const auto duration = is_cut ? Nanoseconds() : time(field(fields, "dur"));
    if (start && duration) {
      add_row(fields, args, kind, *name, *start, checked(*duration));
      count_raw(kind, not_negative(*duration));
    }
  }

  void read_begin(const Fields& fields, const SlowArguments& args, CategoryKind kind) {
    const auto start = time(field(fields, "ts"));
    if (!start) {
      return;
    }
    Open open{CategoryKind::Other, *start, std::nullopt};
    if (const auto name = name_of(fields)) {
      open.kind = kind_of_row(kind, *name, args.stream.has_value());
      open.row = add_row(fields, args, open.kind, *name, *start, Nanoseconds());
    }
    open_[thread(fields)].push_back(open);
  }

  void read_end(const Fields& fields) {
    std::vector<Open>& stack = open_[thread(fields)];
    if (stack.empty()) {
      ++issues_[Issue::UnpairedBegin];
      return;
    }
    const auto end = time(field(fields, "ts"));
    if (!end) {
      return;
    }
    const Open open = stack.back();
    stack.pop_back();
    const Nanoseconds duration = checked(*end - open.start);
    count_raw(open.kind, duration);
    if (open.row) {
      columns_.at(open.row->first)[open.row->second].duration = duration;
    }
  }

  void drop_unfinished() {
    for (const auto& [thread, stack] : open_) {
      for (const Open& open : stack) {
        ++issues_[Issue::UnpairedBegin];
        if (open.row) {
          columns_.at(open.row->first)[open.row->second].is_dropped = true;
        }
      }
    }
  }

  void add_base() {
    for (std::vector<Row>& column : columns_) {
      for (Row& row : column) {
        const std::int64_t start = (row.start + base_).count();
        const std::int64_t limited = std::clamp(start, -kDecimalLimit, kDecimalLimit);
        issues_[Issue::TimeOutOfRange] += start == limited ? 0U : 1U;
        row.start = Nanoseconds(limited);
      }
    }
  }

  std::optional<std::pair<std::size_t, std::size_t>> add_row(const Fields& fields,
                                                             const SlowArguments& args,
                                                             CategoryKind kind,
                                                             const std::string& name,
                                                             Nanoseconds start,
                                                             Nanoseconds duration) {
    const std::string external = std::to_string(args.external_id) + "|";
    switch (kind) {
      case CategoryKind::Operator:
        return add(0,
                   {"op", start, duration, name + "|" + inputs(args) + external + thread(fields)});
      case CategoryKind::Annotation:
        return add(0,
                   {"annotation", start, duration, name + "|-|-|-|-|" + external + thread(fields)});
      case CategoryKind::ApiCall:
        return add(1, {"call", start, duration, call(fields, args, name)});
      case CategoryKind::Kernel:
        return add(2, {"kernel", start, duration, device_event(fields, args, name)});
      case CategoryKind::Memcpy:
        return add(2, {"memcpy", start, duration, device_event(fields, args, name)});
      case CategoryKind::Memset:
        return add(2, {"memset", start, duration, device_event(fields, args, name)});
      case CategoryKind::DeviceAnnotation:
        return add(3, {"device_annotation", start, duration, name + "|" + external + "-|"});
      case CategoryKind::Overhead:
        return add(3, {"overhead", start, duration, name + "|" + external + thread(fields)});
      default:
        return std::nullopt;
    }
  }

  std::pair<std::size_t, std::size_t> add(std::size_t column, Row row) {
    columns_.at(column).push_back(std::move(row));
    return {column, columns_.at(column).size() - 1};
  }

  static std::string inputs(const SlowArguments& args) {
    return or_dash(args.input_dims) + or_dash(args.input_type) + or_dash(args.strides) +
           or_dash(args.concrete);
  }

  static std::string call(const Fields& fields,
                          const SlowArguments& args,
                          const std::string& name) {
    const bool has_dims = args.dims() != "0|0|0|0|0|0|";
    return name + "|" + or_dash(args.kernel) + (has_dims ? args.dims() : "-|") +
           std::to_string(args.correlation) + "|" + std::to_string(args.external_id) + "|" +
           std::to_string(static_cast<int>(classify_api_call(name))) + "|" + thread(fields);
  }

  std::string device_event(const Fields& fields,
                           const SlowArguments& args,
                           const std::string& name) {
    return name + "|" + args.dims() + std::to_string(args.correlation) + "|" +
           std::to_string(args.external_id) + "|" + std::to_string(node_id(args)) + "|" +
           stream(fields, args);
  }

  /// Graphs count from 1, and the nodes of each.
  std::uint64_t node_id(const SlowArguments& args) {
    const auto& [graph, node, external, name] = args.graph_node;
    if (node == 0 || name.empty()) {
      return args.node_id;
    }
    auto& nodes = graphs_.try_emplace(graph, graphs_.size() + 1, 0).first->second;
    const auto [entry, is_new] = nodes_.try_emplace(args.graph_node, 0);
    if (is_new) {
      entry->second = (nodes.first << 32U) | ++nodes.second;
    }
    return entry->second;
  }

  /// "[TP0] 3" is device 3 of a group; the stream is the number at the end of the thread.
  static std::string stream(const Fields& fields, const SlowArguments& args) {
    std::string pid = field(fields, "pid");
    std::string group;
    if (pid.starts_with('[') && pid.find(']') != std::string::npos) {
      group = pid.substr(0, pid.find(']') + 1);
      pid = trimmed(pid.substr(group.size()));
    }
    const std::string tid = field(fields, "tid");
    const std::string digits = tid.substr(tid.find_last_not_of("0123456789") + 1);
    const auto number = slow_integer(tid);
    const std::int64_t last = number ? *number : slow_integer(digits).value_or(0);
    return std::to_string(args.device ? *args.device : slow_integer(pid).value_or(0)) + "|" +
           std::to_string(args.stream ? *args.stream : last) + "|" + or_dash(group);
  }

  static std::string thread(const Fields& fields) {
    return or_dash(field(fields, "pid")) + or_dash(field(fields, "tid"));
  }

  static std::string or_dash(const std::string& text) { return (text.empty() ? "-" : text) + "|"; }

  static std::string field(const Fields& fields, const std::string& key) {
    const auto found = fields.find(key);
    return found == fields.end() ? "" : text_of(*found->second);
  }

  static std::optional<std::string> name_of(const Fields& fields) {
    const auto found = fields.find("name");
    const bool is_name =
        found != fields.end() && (found->second->is_null() || is_text(*found->second));
    return is_name ? std::optional(text_of(*found->second)) : std::nullopt;
  }

  std::optional<Nanoseconds> time(const std::string& text) {
    const SlowDecimal number = slow_decimal(trimmed(text), 3);
    if (!number.value) {
      ++issues_[number.is_number ? Issue::TimeOutOfRange : Issue::BadEvent];
      return std::nullopt;
    }
    return Nanoseconds(*number.value);
  }

  Nanoseconds checked(Nanoseconds duration) {
    issues_[Issue::NegativeDuration] += duration < Nanoseconds() ? 1U : 0U;
    return not_negative(duration);
  }

  static Nanoseconds not_negative(Nanoseconds duration) {
    return std::max(duration, Nanoseconds());
  }

  void count_raw(CategoryKind kind, Nanoseconds duration) {
    constexpr std::array kKinds{CategoryKind::Kernel, CategoryKind::Memcpy, CategoryKind::Memset};
    for (std::size_t i = 0; i < kKinds.size(); ++i) {
      if (kKinds.at(i) == kind) {
        ++raw_.at(i).events;
        raw_.at(i).time += duration;
      }
    }
  }

  void read_base(const RawJson& value) {
    if (value.is_null() || value.is_structured()) {
      return;
    }
    const SlowDecimal base = slow_decimal(trimmed(text_of(value)), 0);
    issues_[Issue::TimeOutOfRange] += base.value ? 0U : 1U;
    base_ = Nanoseconds(base.value.value_or(0));
  }

  std::array<std::vector<Row>, 4> columns_;
  std::map<std::string, std::vector<Open>> open_;
  std::map<std::string, std::uint64_t> categories_;
  std::map<Issue, std::uint64_t> issues_;
  std::map<std::uint64_t, std::pair<std::uint64_t, std::uint64_t>> graphs_;
  std::map<std::tuple<std::uint64_t, std::uint64_t, std::uint64_t, std::string>, std::uint64_t>
      nodes_;
  SlowRaw raw_{};
  Nanoseconds base_;
  std::uint64_t events_ = 0;
  bool has_flow_links_ = false;
};

}  // namespace opcensus::import::testing

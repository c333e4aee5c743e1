// SPDX-License-Identifier: Apache-2.0
#include "src/census/graph_content.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>

namespace opcensus {
namespace {

/// Appends fields so that different rows never give the same text: texts carry their length.
class RowText {
 public:
  explicit RowText(std::string_view table) : text_(table) {}

  template <class Number>
  RowText& number(Number value) {
    fmt::format_to(std::back_inserter(text_), ",{}", value);
    return *this;
  }

  template <class Enum>
  RowText& enumerator(Enum value) {
    return number(static_cast<unsigned>(value));
  }

  RowText& text(std::string_view value) {
    fmt::format_to(std::back_inserter(text_), ",{}:", value.size());
    text_.append(value);
    return *this;
  }

  RowText& signature(const Census& census, std::uint32_t index) {
    if (index == kNoIndex) {
      text_ += ",-";
      return *this;
    }
    const CensusSignature& row = census.signatures[index];
    return text(row.operator_name)
        .text(row.input_shapes)
        .text(row.input_dtypes)
        .text(row.metadata_status)
        .text(row.input_formats);
  }

  RowText& input(const CensusInput& row) {
    return number(row.rank)
        .text(row.path)
        .text(row.format)
        .text(row.role)
        .number(row.bytes)
        .number(row.events)
        .number(row.complete ? 1 : 0)
        .text(row.note);
  }

  [[nodiscard]] std::string take() { return std::move(text_); }

 private:
  std::string text_;
};

std::string content_of(const CensusGraph& row) {
  return RowText("g")
      .number(row.rank)
      .text(row.label)
      .number(row.batch_size.has_value() ? 1 : 0)
      .number(row.batch_size.value_or(0))
      .number(row.nodes)
      .number(row.replays)
      .number(row.device_time.count())
      .number(row.busy_time.count())
      .number(row.attributed_nodes)
      .take();
}

std::string content_of(const Census& census, const CensusGraphNode& row) {
  return RowText("n")
      .number(row.node)
      .text(census.text(row.kind))
      .signature(census, row.signature)
      .text(census.text(row.top_operator))
      .text(census.text(row.kernel))
      .text(census.text(row.grid))
      .text(census.text(row.block))
      .enumerator(row.tier)
      .number(row.executions)
      .number(row.device_time.count())
      .take();
}

std::string content_of(const Census& census, const OperatorCalls& row) {
  return RowText("c")
      .number(row.rank)
      .enumerator(row.phase)
      .signature(census, row.signature)
      .number(row.calls)
      .number(row.cpu_time.count())
      .number(row.self_cpu_time.count())
      .take();
}

std::string content_of(const Census& census, const DeviceTime& row) {
  return RowText("d")
      .number(row.rank)
      .input(census.inputs[row.input])
      .enumerator(row.phase)
      .enumerator(row.tier)
      .enumerator(row.reason)
      .signature(census, row.signature)
      .signature(census, row.recorded)
      .text(census.text(row.kernel))
      .text(census.text(row.kind))
      .number(row.device)
      .number(row.stream)
      .number(row.events)
      .number(row.time.count())
      .take();
}

using RowTexts = std::vector<std::vector<std::string>>;  // by graph

template <class Row>
void append_rows(const Census& census, const std::vector<Row>& rows, RowTexts& texts) {
  for (const Row& row : rows) {
    if (row.graph != kNoIndex) {
      texts[row.graph].push_back(content_of(census, row));
    }
  }
}

}  // namespace

std::vector<std::string> compute_graph_contents(const Census& census) {
  RowTexts rows(census.graphs.size());
  append_rows(census, census.graph_nodes, rows);
  append_rows(census, census.operator_calls, rows);
  append_rows(census, census.device_times, rows);
  std::vector<std::string> contents;
  contents.reserve(rows.size());
  for (std::size_t graph = 0; graph < rows.size(); ++graph) {
    std::sort(rows[graph].begin(), rows[graph].end());
    std::string content = content_of(census.graphs[graph]);
    for (const std::string& row : rows[graph]) {
      content += '\n';
      content += row;
    }
    contents.push_back(std::move(content));
  }
  return contents;
}

}  // namespace opcensus

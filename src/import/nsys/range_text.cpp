// SPDX-License-Identifier: Apache-2.0
#include "src/import/nsys/range_text.h"

#include <algorithm>
#include <array>

#include "src/base/digits.h"

namespace opcensus::import {
namespace {

constexpr std::string_view kSequence = ", seq = ";
constexpr std::string_view kOperatorId = ", op_id = ";
constexpr std::string_view kSizes = ", sizes = ";
constexpr std::string_view kInputs = ", input_op_ids = ";

bool take(std::string_view& text, std::string_view beginning) {
  if (!text.starts_with(beginning)) {
    return false;
  }
  text.remove_prefix(beginning.size());
  return true;
}

/// `, op_id = 12`: true if it stands there, with a number.
bool take_number_field(std::string_view& text, std::string_view field) {
  std::string_view rest = text;
  if (!take(rest, field) || take_digits(rest).empty()) {
    return false;
  }
  text = rest;
  return true;
}

void skip_spaces(std::string_view& text) {
  text.remove_prefix(std::min(text.find_first_not_of(' '), text.size()));
}

/// A comma between two of a list, or nothing before the first.
bool take_separator(std::string_view& text, std::string& out, bool is_first) {
  skip_spaces(text);
  if (is_first) {
    return true;
  }
  if (!take(text, ",")) {
    return false;
  }
  skip_spaces(text);
  out += ',';
  return true;
}

/// `[8, 16]`, compact, to the end of `out`.
bool take_shape(std::string_view& text, std::string& out) {
  if (!take(text, "[")) {
    return false;
  }
  out += '[';
  for (bool is_first = true;; is_first = false) {
    skip_spaces(text);
    if (take(text, "]")) {
      out += ']';
      return true;
    }
    if (!take_separator(text, out, is_first)) {
      return false;
    }
    out += take(text, "-") ? "-" : "";
    const std::string_view digits = take_digits(text);
    if (digits.empty()) {
      return false;
    }
    out += digits;
  }
}

/// Where the first field begins; npos if the text has none.
std::size_t fields_begin(std::string_view text) {
  std::size_t begin = std::string_view::npos;
  for (const std::string_view field : std::array{kSequence, kOperatorId, kSizes}) {
    begin = std::min(begin, text.find(field));
  }
  return begin;
}

std::optional<RangeText> parse_torch_range(std::string_view text) {
  const std::size_t begin = fields_begin(text);
  if (begin == std::string_view::npos || begin == 0) {
    return std::nullopt;
  }
  RangeText range;
  range.name = text.substr(0, begin);
  std::string_view rest = text.substr(begin);
  const bool has_sequence = take_number_field(rest, kSequence);
  const bool has_id = take_number_field(rest, kOperatorId);
  const bool has_sizes = take(rest, kSizes);
  if (has_sizes) {
    range.shapes = take_shapes(rest).value_or("");  // a text that was cut off has none
  }
  const bool is_at_end = rest.empty() || rest.starts_with(kInputs);
  const bool is_cut = has_sizes && range.shapes.empty();
  if (!(has_sequence || has_id || has_sizes) || !(is_at_end || is_cut)) {
    return std::nullopt;
  }
  // record_function has neither a sequence number nor inputs; operators of libraries have a
  // namespace. Inductor's Triton kernels have neither.
  const bool is_operator = has_sequence || has_sizes ||
                           range.name.find("::") != std::string::npos ||
                           range.name.starts_with("triton_");
  range.kind = is_operator ? RangeKind::Operator : RangeKind::Annotation;
  return range;
}

std::optional<RangeText> parse_module_range(std::string_view text) {
  constexpr std::string_view kInputsKey = "'Inputs': ";
  if (!take(text, "{'Module': '")) {
    return std::nullopt;
  }
  const std::size_t end = text.find('\'');
  if (end == std::string_view::npos || end == 0) {
    return std::nullopt;
  }
  RangeText range;
  range.kind = RangeKind::Module;
  range.name = text.substr(0, end);
  const std::size_t inputs = text.find(kInputsKey, end);
  if (inputs != std::string_view::npos) {
    std::string_view shapes = text.substr(inputs + kInputsKey.size());
    range.shapes = take_shapes(shapes).value_or("");
  }
  return range;
}

}  // namespace

std::optional<std::string> take_shapes(std::string_view& text) {
  std::string out;
  std::string_view rest = text;
  if (!take(rest, "[")) {
    return std::nullopt;
  }
  out += '[';
  for (bool is_first = true;; is_first = false) {
    skip_spaces(rest);
    if (take(rest, "]")) {
      out += ']';
      text = rest;
      return out;
    }
    if (!take_separator(rest, out, is_first) || !take_shape(rest, out)) {
      return std::nullopt;
    }
  }
}

RangeText parse_range_text(std::string_view text) {
  if (auto range = parse_torch_range(text)) {
    return std::move(*range);
  }
  if (auto range = parse_module_range(text)) {
    return std::move(*range);
  }
  RangeText range;
  range.name = text;
  // Old versions wrote the bare name where an operator had no field.
  range.kind = text.starts_with("aten::") ? RangeKind::Operator : RangeKind::Other;
  return range;
}

}  // namespace opcensus::import

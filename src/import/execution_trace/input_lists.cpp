// SPDX-License-Identifier: Apache-2.0
#include "src/import/execution_trace/input_lists.h"

#include <algorithm>
#include <array>
#include <map>
#include <vector>

#include "src/import/execution_trace/json_walk.h"

namespace opcensus::import {
namespace {

using json_walk::Elements;
using json_walk::is_array;

enum class InputKind : std::uint8_t { Tensor, TensorList, Scalar, ScalarList, Text, Other };

struct InputType {
  InputKind kind = InputKind::Other;
  std::string_view dtype;  ///< Kineto's, without quotes
};

struct Spelling {
  std::string_view execution_trace;
  std::string_view kineto;
};

// Older schemas abbreviate.
constexpr std::array kDtypes{
    Spelling{"long", "long int"},
    Spelling{"short", "short int"},
    Spelling{"nullptr (uninitialized)", ""},
};

constexpr std::string_view kTensor = "Tensor(";
constexpr std::string_view kList = "GenericList[";
constexpr std::array<std::string_view, 3> kScalars{"Int", "Double", "Bool"};
constexpr std::array<std::string_view, 2> kTexts{"String", "Device"};

bool is_scalar(std::string_view type) {
  return std::ranges::find(kScalars, type) != kScalars.end();
}

std::string_view dtype_of(std::string_view tensor) {
  const std::string_view name = tensor.substr(kTensor.size(), tensor.size() - kTensor.size() - 1);
  const auto* const known = std::ranges::find(kDtypes, name, &Spelling::execution_trace);
  return known == kDtypes.end() ? name : known->kineto;
}

/// `items`: "Tensor(float),Tensor(nullptr (uninitialized))" or "Int,Int".
InputType classify_list(std::string_view items) {
  bool are_tensors = !items.empty();
  bool are_scalars = !items.empty();
  while (!items.empty()) {
    const std::size_t comma = std::min(items.find(','), items.size());
    const std::string_view item = items.substr(0, comma);
    are_tensors = are_tensors && item.starts_with(kTensor);
    are_scalars = are_scalars && is_scalar(item);
    items.remove_prefix(std::min(comma + 1, items.size()));
  }
  if (are_tensors) {
    return {InputKind::TensorList, "TensorList"};
  }
  return are_scalars ? InputType{InputKind::ScalarList, "ScalarList"} : InputType{};
}

InputType classify(std::string_view type) {
  if (type.starts_with(kTensor) && type.ends_with(')')) {
    return {InputKind::Tensor, dtype_of(type)};
  }
  if (type.starts_with(kList) && type.ends_with(']')) {
    return classify_list(type.substr(kList.size(), type.size() - kList.size() - 1));
  }
  if (is_scalar(type)) {
    return {InputKind::Scalar, "Scalar"};
  }
  const bool is_text = std::ranges::find(kTexts, type) != kTexts.end();
  return {is_text ? InputKind::Text : InputKind::Other, ""};
}

std::vector<std::string_view> elements_of(std::string_view array) {
  std::vector<std::string_view> values;
  if (is_array(array)) {
    Elements elements(array);
    while (elements.next()) {
      values.push_back(elements.value());
    }
  }
  return values;
}

std::string_view without_quotes(std::string_view text) {
  const bool is_quoted = text.size() >= 2 && text.front() == '"' && text.back() == '"';
  return is_quoted ? text.substr(1, text.size() - 2) : text;
}

void append_compact(std::string_view json, std::string& out) {
  bool in_string = false;
  for (std::size_t i = 0; i < json.size(); ++i) {
    const char c = json[i];
    if (in_string && c == '\\' && i + 1 < json.size()) {
      out.push_back(c);
      out.push_back(json[++i]);
      continue;
    }
    in_string = in_string != (c == '"');
    if (in_string || c == '"' || (c != ' ' && c != '\n' && c != '\r' && c != '\t')) {
      out.push_back(c);
    }
  }
}

/// A number or text as it is written; true and false as Python and Kineto spell them.
std::string_view scalar_text(std::string_view value) {
  if (value.starts_with('[') || value.starts_with('{')) {
    return {};
  }
  return value == "true" ? "True" : value == "false" ? "False" : without_quotes(value);
}

std::string list_text(std::string_view value) {
  std::string text = "[";
  for (const std::string_view element : elements_of(value)) {
    text.append(text.size() == 1 ? "" : ", ").append(scalar_text(element));
  }
  return text + "]";
}

std::string concrete_text(InputKind kind, std::string_view value) {
  switch (kind) {
    case InputKind::Scalar:
    case InputKind::Text:
      return std::string(scalar_text(value));
    case InputKind::ScalarList:
      return list_text(value);
    default:
      return {};
  }
}

/// Numbers tensors by first use. A tensor is [id, storage, …]; an id of 0 or less is none.
class TensorNumbers {
 public:
  void append(InputKind kind, std::string_view value, std::string& out) {
    if (kind == InputKind::Tensor) {
      append_tensor(value, out);
    } else if (kind == InputKind::TensorList) {
      out.push_back('[');
      bool is_first = true;
      for (const std::string_view tensor : elements_of(value)) {
        out.append(is_first ? "" : ",");
        append_tensor(tensor, out);
        is_first = false;
      }
      out.push_back(']');
    } else {
      out.append("null");
    }
  }

  [[nodiscard]] bool has_tensors() const { return !numbers_.empty(); }

 private:
  void append_tensor(std::string_view value, std::string& out) {
    Elements elements(value);
    if (!is_array(value) || !elements.next()) {
      out.append("null");
      return;
    }
    const auto [entry, is_new] = numbers_.try_emplace(elements.value(), numbers_.size());
    out.append(std::to_string(entry->second));
  }

  std::map<std::string_view, std::size_t> numbers_;
};

bool has_shape(InputKind kind) {
  return kind == InputKind::Tensor || kind == InputKind::TensorList;
}

void append_shape(InputKind kind, std::string_view value, std::string& out) {
  if (has_shape(kind) && is_array(value)) {
    append_compact(value, out);
  } else {
    out.append("[]");
  }
}

}  // namespace

std::optional<InputLists> convert_inputs(const RawInputs& raw, std::size_t max_inputs) {
  const auto values = elements_of(raw.values);
  const auto shapes = elements_of(raw.shapes);
  const auto types = elements_of(raw.types);
  const auto strides = elements_of(raw.strides);
  const std::size_t count = types.size();
  if (values.size() != count || shapes.size() != count || count > max_inputs) {
    return std::nullopt;
  }
  InputLists lists;
  if (count == 0) {
    return lists;
  }
  const bool has_strides = strides.size() == count;
  TensorNumbers numbers;
  for (std::size_t i = 0; i < count; ++i) {
    const char separator = i == 0 ? '[' : ',';
    const InputType type = classify(without_quotes(types[i]));
    append_shape(type.kind, shapes[i], lists.shapes += separator);
    (lists.dtypes += separator).append("\"").append(type.dtype).append("\"");
    (lists.concrete += separator).append("\"").append(concrete_text(type.kind, values[i]));
    lists.concrete.push_back('"');
    numbers.append(type.kind, values[i], lists.tensors += separator);
    if (has_strides) {
      append_shape(type.kind, strides[i], lists.strides += separator);
    }
  }
  for (std::string* const list :
       {&lists.shapes, &lists.dtypes, &lists.concrete, &lists.tensors, &lists.strides}) {
    list->append(list->empty() ? "" : "]");
  }
  if (!numbers.has_tensors()) {
    lists.tensors.clear();
  }
  return lists;
}

}  // namespace opcensus::import

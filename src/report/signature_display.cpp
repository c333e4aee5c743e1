// SPDX-License-Identifier: Apache-2.0
#include "src/report/signature_display.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "src/report/flat_json.h"
#include "src/report/text_safety.h"

namespace opcensus {
namespace {

using NamePair = std::pair<std::string_view, std::string_view>;

constexpr auto kShortTypes = std::to_array<NamePair>({
    {"float", "f32"},
    {"double", "f64"},
    {"c10::BFloat16", "bf16"},
    {"c10::Half", "f16"},
    {"c10::Float8_e4m3fn", "f8e4m3"},
    {"c10::Float8_e5m2", "f8e5m2"},
    {"c10::Float8_e4m3fnuz", "f8e4m3uz"},
    {"c10::Float8_e5m2fnuz", "f8e5m2uz"},
    {"c10::Float8_e8m0fnu", "f8e8m0"},
    {"c10::Float4_e2m1fn_x2", "f4x2"},
    {"c10::complex<float>", "c64"},
    {"c10::complex<double>", "c128"},
    {"signed char", "i8"},
    {"unsigned char", "u8"},
    {"short int", "i16"},
    {"short", "i16"},
    {"int", "i32"},
    {"long int", "i64"},
    {"long", "i64"},
    {"TensorList", "list"},
    // CANN's
    {"FLOAT", "f32"},
    {"FLOAT16", "f16"},
    {"DT_BF16", "bf16"},
    {"DOUBLE", "f64"},
    {"INT8", "i8"},
    {"UINT8", "u8"},
    {"INT16", "i16"},
    {"INT32", "i32"},
    {"INT64", "i64"},
    {"BOOL", "bool"},
});

std::string short_type(std::string_view dtype) {
  const auto* const found =
      std::find_if(kShortTypes.begin(), kShortTypes.end(), [dtype](const NamePair& pair) {
        return pair.first == dtype;
      });
  return found == kShortTypes.end() ? safe_text(dtype) : std::string(found->second);
}

/// A scalar, a list of numbers, or an absent optional: it has no shape.
bool is_not_a_tensor(std::string_view dtype) {
  return dtype.empty() || dtype == "Scalar" || dtype == "ScalarList" || dtype == "None";
}

/// The elements of "[…,…]" as text, by bracket depth; nothing if it is no array of numbers.
std::optional<std::vector<std::string_view>> split_array(std::string_view json) {
  const bool plain = json.find_first_not_of("0123456789-,[] ") == std::string_view::npos;
  if (!plain || json.size() < 2 || json.front() != '[' || json.back() != ']') {
    return std::nullopt;
  }
  const std::string_view content = json.substr(1, json.size() - 2);
  std::vector<std::string_view> elements;
  int depth = 0;
  std::size_t begin = 0;
  for (std::size_t i = 0; i < content.size(); ++i) {
    depth += content[i] == '[' ? 1 : 0;
    depth -= content[i] == ']' ? 1 : 0;
    if (depth < 0) {
      return std::nullopt;
    }
    if (content[i] == ',' && depth == 0) {
      elements.push_back(content.substr(begin, i - begin));
      begin = i + 1;
    }
  }
  if (depth != 0) {
    return std::nullopt;
  }
  if (!content.empty()) {
    elements.push_back(content.substr(begin));
  }
  return elements;
}

/// "([8,64]×12)" for a list of equal tensors, else "([8,64] [8,32])".
std::string tensor_list_text(std::string_view json) {
  const std::vector<std::string_view> tensors =
      split_array(json).value_or(std::vector<std::string_view>{json});
  const bool all_equal = std::all_of(
      tensors.begin(), tensors.end(), [&](std::string_view t) { return t == tensors.front(); });
  return tensors.size() > 1 && all_equal ? fmt::format("({}×{})", tensors.front(), tensors.size())
                                         : fmt::format("({})", fmt::join(tensors, " "));
}

std::string shape_text(std::string_view shape, std::string_view dtype) {
  if (shape.substr(0, 2) == "[[") {
    return tensor_list_text(shape);
  }
  if (shape != "[]" && !shape.empty()) {
    return std::string(shape);
  }
  if (is_not_a_tensor(dtype)) {
    return "-";
  }
  return dtype == "TensorList" ? "(…)" : "[]";
}

std::string join_inputs(std::vector<std::string> inputs) {
  while (!inputs.empty() && inputs.back() == "-") {
    inputs.pop_back();
  }
  return inputs.empty() ? "-" : fmt::format("{}", fmt::join(inputs, " "));
}

std::string join_types(const std::vector<std::string>& types) {
  const bool all_equal = std::all_of(
      types.begin(), types.end(), [&](const std::string& type) { return type == types.front(); });
  return all_equal && !types.empty() ? types.front() : fmt::format("{}", fmt::join(types, " "));
}

}  // namespace

SignatureDisplay display_signature(const CensusSignature& signature) {
  const std::vector<std::string> dtypes = parse_string_array(signature.input_dtypes);
  const auto dtype_at = [&](std::size_t i) {
    return i < dtypes.size() ? std::string_view(dtypes[i]) : std::string_view();
  };
  const auto shapes = split_array(signature.input_shapes);
  std::vector<std::string> inputs;
  std::vector<std::string> types;
  const std::size_t count = std::max(shapes ? shapes->size() : 0, dtypes.size());
  for (std::size_t i = 0; i < count; ++i) {
    const std::string_view shape = shapes && i < shapes->size() ? (*shapes)[i] : std::string_view();
    inputs.push_back(shape_text(shape, dtype_at(i)));
    if (inputs.back() != "-" && !dtype_at(i).empty()) {
      types.push_back(short_type(dtype_at(i)));
    }
  }
  if (signature.input_shapes.empty()) {
    return {kUnknownShapes, join_types(types)};
  }
  return {shapes ? join_inputs(inputs) : safe_text(signature.input_shapes), join_types(types)};
}

}  // namespace opcensus

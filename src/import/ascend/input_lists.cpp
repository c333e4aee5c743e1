// SPDX-License-Identifier: Apache-2.0
#include "src/import/ascend/input_lists.h"

#include <algorithm>
#include <cstddef>
#include <optional>
#include <utility>
#include <vector>

namespace opcensus::import::ascend {
namespace {

constexpr std::string_view kSpace = " \t\r\n";

std::string_view trim(std::string_view text) {
  const std::size_t first = text.find_first_not_of(kSpace);
  if (first == std::string_view::npos) {
    return {};
  }
  return text.substr(first, text.find_last_not_of(kSpace) + 1 - first);
}

/// The parts between semicolons, without white space around them; one for an empty text.
std::vector<std::string_view> split_inputs(std::string_view text) {
  std::vector<std::string_view> parts;
  while (true) {
    const std::size_t end = text.find(';');
    parts.push_back(trim(text.substr(0, end)));
    if (end == std::string_view::npos) {
      return parts;
    }
    text.remove_prefix(end + 1);
  }
}

bool is_dims(std::string_view text) {
  return text.find_first_not_of("0123456789,-") == std::string_view::npos;
}

bool are_all_dims(std::string_view text) {
  const std::vector<std::string_view> parts = split_inputs(text);
  return std::all_of(parts.begin(), parts.end(), is_dims);
}

/// nullopt if a part is no shape.
std::optional<std::string> shape_list(const std::vector<std::string_view>& parts) {
  std::string json = "[";
  for (const std::string_view part : parts) {
    // What is no shape must not become JSON that nobody can read.
    if (!is_dims(part) || part.starts_with(',') || part.ends_with(',')) {
      return std::nullopt;
    }
    json += json.size() > 1 ? ",[" : "[";
    json += part;
    json += ']';
  }
  return json + "]";
}

void append_quoted(std::string_view text, std::string& json) {
  constexpr std::string_view kHex = "0123456789abcdef";
  json += '"';
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (c == '"' || c == '\\') {
      json += '\\';
      json += c;
    } else if (byte < 0x20) {
      json += "\\u00";
      json += kHex[byte >> 4U];
      json += kHex[byte & 0xfU];
    } else {
      json += c;
    }
  }
  json += '"';
}

std::string name_list(const std::vector<std::string_view>& parts) {
  std::string json = "[";
  for (const std::string_view part : parts) {
    json += json.size() > 1 ? "," : "";
    append_quoted(part, json);
  }
  return json + "]";
}

}  // namespace

bool is_missing(std::string_view text) {
  const std::string_view value = trim(text);
  return value.empty() || value == "N/A";
}

InputLists host_input_lists(std::string_view dims, std::string_view types) {
  // A dtype always has a letter, and a shape never: but an operator without tensors has no shape.
  const bool is_exchanged = !are_all_dims(dims) && are_all_dims(types);
  if (is_exchanged) {
    std::swap(dims, types);
  }
  InputLists lists;
  if (trim(dims).empty() && trim(types).empty()) {
    return lists;
  }
  std::vector<std::string_view> shapes = split_inputs(dims);
  if (trim(types).empty()) {
    lists.shapes = shape_list(shapes).value_or("");
    return lists;
  }
  const std::vector<std::string_view> names = split_inputs(types);
  lists.dtypes = name_list(names);
  if (trim(dims).empty()) {
    shapes.assign(names.size(), {});
  }
  lists.shapes = shape_list(shapes).value_or("");
  for (std::size_t i = 0; i < std::min(names.size(), shapes.size()); ++i) {
    lists.has_elided_list |= names[i] == "TensorList" && shapes[i].empty();
  }
  return lists;
}

std::string device_shapes(std::string_view text) {
  std::string_view value = trim(text);
  if (is_missing(value)) {
    return {};
  }
  if (value.size() >= 2 && value.front() == '"' && value.back() == '"') {
    value = value.substr(1, value.size() - 2);
  }
  return shape_list(split_inputs(value)).value_or("");
}

std::string device_names(std::string_view text) {
  return is_missing(text) ? std::string() : name_list(split_inputs(trim(text)));
}

}  // namespace opcensus::import::ascend

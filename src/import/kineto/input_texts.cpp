// SPDX-License-Identifier: Apache-2.0
#include "src/import/kineto/input_texts.h"

#include <algorithm>
#include <cstddef>

#include "src/import/kineto/json_text.h"

namespace opcensus::import {
namespace {

/// Walks over the elements of a compact JSON array.
class ArrayElements {
 public:
  explicit ArrayElements(std::string_view array) : array_(array) {}

  /// The next element; empty at the end, and for what is no array.
  std::string_view next() {
    if (array_.empty() || array_.front() != '[') {
      return {};
    }
    const std::size_t begin = at_;
    int depth = 0;
    for (; at_ < array_.size(); ++at_) {
      const char c = array_[at_];
      if (c == '"') {
        at_ = std::min(find_string_end(array_, at_ + 1), array_.size() - 1);
      } else if (depth == 0 && (c == ',' || c == ']')) {
        break;
      } else {
        depth += static_cast<int>(c == '[' || c == '{') - static_cast<int>(c == ']' || c == '}');
      }
    }
    const std::string_view element = array_.substr(begin, at_ - begin);
    at_ = std::min(at_ + 1, array_.size());
    return element;
  }

 private:
  std::string_view array_;
  std::size_t at_ = 1;
};

}  // namespace

std::string compact_json(std::string_view json) {
  std::string compact;
  compact.reserve(json.size());
  std::size_t at = 0;
  while (at < json.size()) {
    if (json[at] == '"') {
      const std::size_t end = std::min(find_string_end(json, at + 1), json.size() - 1);
      compact.append(json.substr(at, end + 1 - at));
      at = end + 1;
    } else {
      if (!is_json_space(json[at])) {
        compact.push_back(json[at]);
      }
      ++at;
    }
  }
  return compact;
}

bool has_elided_tensor_list(std::string_view shapes, std::string_view dtypes) {
  ArrayElements shape_elements(shapes);
  ArrayElements dtype_elements(dtypes);
  while (true) {
    const std::string_view shape = shape_elements.next();
    const std::string_view dtype = dtype_elements.next();
    if (shape.empty() || dtype.empty()) {
      return false;
    }
    if (dtype == "\"TensorList\"" && shape == "[]") {
      return true;
    }
  }
}

}  // namespace opcensus::import

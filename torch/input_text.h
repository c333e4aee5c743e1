// SPDX-License-Identifier: Apache-2.0
//
// The inputs of an operator as the four compact JSON texts of a trace: `Input Dims`, `Input type`,
// `Input Strides` and `Concrete Inputs`, spelled as PyTorch's profiler spells them. Only built for
// operators that the cache has not seen.
#pragma once

#include <cstdio>
#include <locale>
#include <sstream>
#include <string>

#include "torch/input_kind.h"

namespace opcensus::torch_shim {

struct InputTexts {
  std::string shapes = "[";
  std::string dtypes = "[";
  std::string strides = "[";
  std::string concrete = "[";
};

inline void append_json_char(std::string& text, char letter) {
  const unsigned char code = static_cast<unsigned char>(letter);
  if (letter == '"' || letter == '\\') {
    text += '\\';
    text += letter;
  } else if (code < 0x20) {
    char escape[8];
    std::snprintf(escape, sizeof(escape), "\\u%04x", code);
    text += escape;
  } else {
    text += letter;
  }
}

template <class Text>  // std::string, and the string_view of the torch version at hand
void append_json_string(std::string& text, const Text& value) {
  text += '"';
  for (const char letter : value) {
    append_json_char(text, letter);
  }
  text += '"';
}

inline void append_json_numbers(std::string& text, c10::IntArrayRef numbers) {
  text += '[';
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    text += (i == 0 ? "" : ",") + std::to_string(numbers[i]);
  }
  text += ']';
}

inline void append_json_strides(std::string& text, const at::Tensor& tensor) {
  append_json_numbers(text, has_strides(tensor) ? tensor.strides() : c10::IntArrayRef());
}

inline void append_tensor_list(InputTexts& texts, c10::ArrayRef<c10::IValue> tensors) {
  texts.shapes += '[';
  texts.strides += '[';
  const std::size_t shown = tensors.size() > kListLimit ? 0 : tensors.size();
  for (std::size_t i = 0; i < shown; ++i) {
    const char* const separator = i == 0 ? "" : ",";
    const at::Tensor& tensor = tensors[i].toTensor();
    texts.shapes += separator;
    append_json_numbers(texts.shapes, tensor.sizes());
    texts.strides += separator;
    append_json_strides(texts.strides, tensor);
  }
  texts.shapes += ']';
  texts.strides += ']';
}

inline bool has_symbolic(const c10::IValue& value) {
  if (!value.isList()) {
    return is_symbolic(value);
  }
  for (const c10::IValue& element : value.toListRef()) {
    if (is_symbolic(element)) {
      return true;
    }
  }
  return false;
}

/// PyTorch's own printing of values, which its profiler uses, too. Empty for symbolic ones.
inline std::string scalar_text(const c10::IValue& value) {
  if (has_symbolic(value)) {
    return "";
  }
  std::ostringstream stream;
  stream.imbue(std::locale::classic());
  stream << value;
  return stream.str();
}

inline const char* dtype_of(InputKind kind) {
  switch (kind) {
    case InputKind::TensorList:
      return "TensorList";
    case InputKind::Scalar:
      return "Scalar";
    case InputKind::ScalarList:
      return "ScalarList";
    case InputKind::Tensor:  // named by its element type
    case InputKind::Other:
      break;
  }
  return "";
}

inline void append_input(InputTexts& texts, const c10::IValue& value) {
  const InputKind kind = kind_of(value);
  const bool is_scalar = kind == InputKind::Scalar || kind == InputKind::ScalarList;
  append_json_string(texts.concrete, is_scalar ? scalar_text(value) : std::string());
  if (kind == InputKind::Tensor) {
    const at::Tensor& tensor = value.toTensor();
    append_json_numbers(texts.shapes, tensor.sizes());
    append_json_strides(texts.strides, tensor);
    append_json_string(texts.dtypes, c10::scalarTypeToTypeMeta(tensor.scalar_type()).name());
    return;
  }
  append_json_string(texts.dtypes, std::string(dtype_of(kind)));
  if (kind == InputKind::TensorList) {
    append_tensor_list(texts, value.toListRef());
  } else {
    texts.shapes += "[]";
    texts.strides += "[]";
  }
}

inline InputTexts render_inputs(c10::ArrayRef<const c10::IValue> inputs) {
  InputTexts texts;
  bool is_first = true;
  for (const c10::IValue& value : inputs) {
    if (!is_first) {
      for (std::string* text : {&texts.shapes, &texts.dtypes, &texts.strides, &texts.concrete}) {
        *text += ',';
      }
    }
    is_first = false;
    append_input(texts, value);
  }
  for (std::string* text : {&texts.shapes, &texts.dtypes, &texts.strides, &texts.concrete}) {
    *text += ']';
  }
  return texts;
}

}  // namespace opcensus::torch_shim

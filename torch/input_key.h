// SPDX-License-Identifier: Apache-2.0
//
// The key of an operator with its inputs in the per-thread cache: raw bytes, no text, so that a
// repeated operator costs a few copies and one hash. Prefix-free: every part says its own length or
// has a fixed one, so two different calls never give the same bytes.
#pragma once

#include <cstdint>
#include <cstring>
#include <string>

#include "torch/input_kind.h"

namespace opcensus::torch_shim {

template <class Value>
void append_raw(std::string& key, const Value& value) {
  char bytes[sizeof(Value)];
  std::memcpy(bytes, &value, sizeof(Value));
  key.append(bytes, sizeof(Value));
}

inline void append_numbers(std::string& key, c10::IntArrayRef numbers) {
  append_raw(key, static_cast<std::uint32_t>(numbers.size()));
  key.append(reinterpret_cast<const char*>(numbers.data()), numbers.size() * sizeof(std::int64_t));
}

inline void append_tensor(std::string& key, const at::Tensor& tensor) {
  append_raw(key, tensor.scalar_type());
  append_raw(key, tensor.layout());
  append_numbers(key, tensor.sizes());
  if (has_strides(tensor)) {
    append_numbers(key, tensor.strides());
  }
}

inline void append_scalar(std::string& key, const c10::IValue& value) {
  if (value.isInt()) {
    key += 'i';
    append_raw(key, value.toInt());
  } else if (value.isDouble()) {
    key += 'd';
    append_raw(key, value.toDouble());
  } else if (value.isBool()) {
    key += value.toBool() ? 't' : 'f';
  } else if (value.isComplexDouble()) {
    key += 'c';
    append_raw(key, value.toComplexDouble());
  } else {
    key += 's';
  }
}

inline void append_list(std::string& key, InputKind kind, c10::ArrayRef<c10::IValue> elements) {
  append_raw(key, static_cast<std::uint32_t>(elements.size()));
  if (elements.size() > kListLimit) {
    return;  // the texts leave it out, too
  }
  for (const c10::IValue& element : elements) {
    if (kind == InputKind::TensorList) {
      append_tensor(key, element.toTensor());
    } else {
      append_scalar(key, element);
    }
  }
}

inline void append_input(std::string& key, const c10::IValue& value) {
  const InputKind kind = kind_of(value);
  append_raw(key, kind);
  switch (kind) {
    case InputKind::Tensor:
      append_tensor(key, value.toTensor());
      break;
    case InputKind::TensorList:
    case InputKind::ScalarList:
      append_list(key, kind, value.toListRef());
      break;
    case InputKind::Scalar:
      append_scalar(key, value);
      break;
    case InputKind::Other:
      break;
  }
}

}  // namespace opcensus::torch_shim

// SPDX-License-Identifier: Apache-2.0
//
// How an argument of an operator shows in a trace: PyTorch's profiler knows five kinds, and the
// cache key and the texts must agree on them.
#pragma once

#include <cstddef>

#include <ATen/core/Tensor.h>
#include <ATen/core/ivalue.h>

namespace opcensus::torch_shim {

/// PyTorch's profiler leaves longer lists out; the census of a recording and of a trace must agree.
inline constexpr std::size_t kListLimit = 30;

enum class InputKind : unsigned char {
  Tensor,      ///< defined, with plain sizes
  TensorList,  ///< every element is such a tensor
  Scalar,      ///< int, double, bool, complex, or symbolic
  ScalarList,  ///< at most kListLimit scalars; an empty list of anything but tensors
  Other,       ///< None, undefined or symbolic tensors, strings, devices, generators …
};

/// Symbolic sizes would have to be evaluated, and nested tensors have none of one shape.
inline bool has_plain_sizes(const at::Tensor& tensor) {
  return tensor.defined() && !tensor.is_nested() &&
         !tensor.unsafeGetTensorImpl()->has_symbolic_sizes_strides();
}

/// A scalar whose value is an expression: printing it would call into Python.
inline bool is_symbolic(const c10::IValue& value) {
  return !value.isInt() && !value.isDouble() && !value.isBool() && !value.isComplexDouble();
}

inline InputKind kind_of_tensor_list(c10::ArrayRef<c10::IValue> tensors) {
  for (const c10::IValue& tensor : tensors) {
    if (!has_plain_sizes(tensor.toTensor())) {
      return InputKind::Other;
    }
  }
  return InputKind::TensorList;
}

inline InputKind kind_of_list(const c10::IValue& value) {
  const c10::ArrayRef<c10::IValue> elements = value.toListRef();
  // Sizes and strides first: looking at the list's type takes longer than all the rest.
  const bool is_scalars = !elements.empty() && elements.front().isScalar();
  if (!is_scalars && value.isTensorList()) {
    return kind_of_tensor_list(elements);
  }
  return (is_scalars || elements.empty()) && elements.size() <= kListLimit ? InputKind::ScalarList
                                                                           : InputKind::Other;
}

inline InputKind kind_of(const c10::IValue& value) {
  if (value.isTensor()) {
    return has_plain_sizes(value.toTensor()) ? InputKind::Tensor : InputKind::Other;
  }
  if (value.isScalar()) {
    return InputKind::Scalar;
  }
  return value.isList() ? kind_of_list(value) : InputKind::Other;
}

inline bool has_strides(const at::Tensor& tensor) {
  return tensor.layout() == at::kStrided;
}

}  // namespace opcensus::torch_shim

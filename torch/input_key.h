// SPDX-License-Identifier: Apache-2.0
//
// The key of an operator with its inputs in the per-thread cache: raw words, no text, so that a
// repeated operator costs a few copies and one hash. Prefix-free: every part says its own length or
// has a fixed one, so two different calls never give the same words.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <vector>

#include "torch/input_kind.h"

namespace opcensus::torch_shim {

/// Kept from call to call, for its memory.
class InputKey {
 public:
  /// The name is copied: those of scopes and autograd nodes live as long as the call only.
  void start(const char* name, bool is_annotation) {
    size_ = 0;
    const std::size_t length = std::strlen(name);
    const std::size_t words = (length + sizeof(std::uint64_t) - 1) / sizeof(std::uint64_t);
    std::uint64_t* const to = extend(1 + words);
    to[0] = length << 1 | (is_annotation ? 1 : 0);
    if (words > 0) {
      to[words] = 0;  // the bytes behind the name
      std::memcpy(to + 1, name, length);
    }
  }

  void add(const c10::IValue& value) {
    const InputKind kind = kind_of(value);
    switch (kind) {
      case InputKind::Tensor:
        add_tensor(value.toTensor());
        break;
      case InputKind::TensorList:
      case InputKind::ScalarList:
        add_list(kind, value.toListRef());
        break;
      case InputKind::Scalar:
        add_scalar(value);
        break;
      case InputKind::Other:
        *extend(1) = head(kind);
        break;
    }
  }

  [[nodiscard]] const std::uint64_t* words() const { return words_.data(); }

  [[nodiscard]] std::size_t size() const { return size_; }

 private:
  /// Room for `count` more words, to be written at once.
  std::uint64_t* extend(std::size_t count) {
    if (size_ + count > words_.size()) {
      words_.resize(2 * (size_ + count));
    }
    std::uint64_t* const at = words_.data() + size_;
    size_ += count;
    return at;
  }

  static std::uint64_t head(InputKind kind, std::uint64_t rest = 0) {
    return static_cast<std::uint64_t>(kind) | rest << 8;
  }

  void add_tensor(const at::Tensor& tensor) {
    const c10::IntArrayRef sizes = tensor.sizes();
    const std::size_t rank = sizes.size();
    const bool strided = has_strides(tensor);
    std::uint64_t* const to = extend(1 + (strided ? 2 : 1) * rank);
    to[0] = head(InputKind::Tensor,
                 static_cast<std::uint64_t>(rank) << 16 |
                     static_cast<std::uint64_t>(static_cast<std::uint8_t>(tensor.layout())) << 8 |
                     static_cast<std::uint8_t>(tensor.scalar_type()));
    std::memcpy(to + 1, sizes.data(), rank * sizeof(std::int64_t));
    if (strided) {
      std::memcpy(to + 1 + rank, tensor.strides().data(), rank * sizeof(std::int64_t));
    }
  }

  template <class Value>
  void add_number(char type, const Value& value) {
    constexpr std::size_t kWords = (sizeof(Value) + 7) / 8;
    std::uint64_t* const to = extend(1 + kWords);
    to[0] = head(InputKind::Scalar, static_cast<unsigned char>(type));
    to[kWords] = 0;
    std::memcpy(to + 1, &value, sizeof(Value));
  }

  void add_scalar(const c10::IValue& value) {
    if (value.isInt()) {
      add_number('i', value.toInt());
    } else if (value.isDouble()) {
      add_number('d', value.toDouble());
    } else if (value.isBool()) {
      add_number('b', value.toBool());
    } else if (value.isComplexDouble()) {
      add_number('c', value.toComplexDouble());
    } else {
      *extend(1) = head(InputKind::Scalar, 's');
    }
  }

  void add_list(InputKind kind, c10::ArrayRef<c10::IValue> elements) {
    *extend(1) = head(kind, elements.size());
    if (elements.size() > kListLimit) {
      return;  // the texts leave it out, too
    }
    for (const c10::IValue& element : elements) {
      if (kind == InputKind::TensorList) {
        add_tensor(element.toTensor());
      } else {
        add_scalar(element);
      }
    }
  }

  std::vector<std::uint64_t> words_;  // the first size_ are the key
  std::size_t size_ = 0;
};

}  // namespace opcensus::torch_shim

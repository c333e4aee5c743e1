// SPDX-License-Identifier: Apache-2.0
//
// Do our headers and the torch in this process agree on at::RecordFunction? It has a member that
// exists only without NDEBUG, and a shim built the other way reads every input from the wrong
// place. So one small operator is run by torch itself, and its inputs are looked at.
#pragma once

#include <atomic>
#include <chrono>
#include <cstring>
#include <future>
#include <memory>
#include <thread>

#include <ATen/core/Tensor.h>
#include <ATen/ops/mul.h>
#include <ATen/ops/ones.h>
#include <ATen/record_function.h>

namespace opcensus::torch_shim {

struct LayoutProbe {
  static std::atomic<bool>& is_right() {
    static std::atomic<bool> seen{false};
    return seen;
  }

  /// The number is looked at before anything is followed: a wrong layout has a wild one here.
  static bool matches(const at::RecordFunction& function) {
    const auto inputs = function.inputs();
    return inputs.size() == 2 && std::strcmp(function.name(), "aten::mul") == 0 &&
           inputs[0].isTensor() && inputs[0].toTensor().dim() == 2 &&
           inputs[0].toTensor().size(1) == 3 && inputs[1].isTensor() &&
           inputs[1].toTensor().dim() == 1 && inputs[1].toTensor().size(0) == 3;
  }

  static std::unique_ptr<at::ObserverContext> start(const at::RecordFunction& function) {
    try {
      if (matches(function)) {
        is_right().store(true);
      }
    } catch (...) {  // torch would print it
    }
    return nullptr;
  }

  static void end(const at::RecordFunction& /*function*/, at::ObserverContext* /*context*/) {}

  static bool run() {
    try {
      const at::Tensor left = at::ones({2, 3}, at::kCPU);
      const at::Tensor right = at::ones({3}, at::kCPU);
      const auto handle = at::addThreadLocalCallback(at::RecordFunctionCallback(&start, &end)
                                                         .needsInputs(true)
                                                         .scopes({at::RecordScope::FUNCTION}));
      at::mul(left, right);
      at::removeCallback(handle);
      return is_right().load();
    } catch (...) {
      return false;
    }
  }
};

/// On a thread of its own: the caller's may be in a dispatch mode that sends operators to Python.
/// A probe that hangs is left behind.
inline bool layout_is_right() {
  constexpr std::chrono::seconds kPatience{10};
  auto promise = std::make_shared<std::promise<bool>>();
  std::future<bool> answer = promise->get_future();
  std::thread([promise] { promise->set_value(LayoutProbe::run()); }).detach();
  return answer.wait_for(kPatience) == std::future_status::ready && answer.get();
}

}  // namespace opcensus::torch_shim

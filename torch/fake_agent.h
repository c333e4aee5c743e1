// SPDX-License-Identifier: Apache-2.0
//
// The test double of the agent: keeps what the shim tells it, per thread where order matters.
#pragma once

#include <cstdint>
#include <map>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "agent/agent_api.h"

namespace opcensus::torch_shim {

struct SeenOperator {
  std::string name;
  std::string shapes;
  std::string dtypes;
  std::string strides;
  std::string concrete;
  std::uint32_t kind = 0;

  friend bool operator==(const SeenOperator& left, const SeenOperator& right) {
    return left.name == right.name && left.shapes == right.shapes && left.dtypes == right.dtypes &&
           left.strides == right.strides && left.concrete == right.concrete &&
           left.kind == right.kind;
  }
};

/// A push (op) or a pop, and the depth of its thread's stack before it.
struct SeenStep {
  bool is_push = false;
  std::uint32_t op = 0;
  std::size_t depth = 0;
};

class FakeAgent {
 public:
  std::uint32_t intern(SeenOperator seen) {
    const std::lock_guard<std::mutex> lock(mutex_);
    ++intern_calls;
    if (refuses_to_intern) {
      return 0;
    }
    for (std::size_t i = 0; i < operators.size(); ++i) {
      if (operators[i] == seen) {
        return static_cast<std::uint32_t>(i + 1);
      }
    }
    operators.push_back(std::move(seen));
    return static_cast<std::uint32_t>(operators.size());
  }

  void* stack_of_this_thread() {
    const std::lock_guard<std::mutex> lock(mutex_);
    return &stacks[std::this_thread::get_id()];  // stays where it is while others come
  }

  void push(void* thread, std::uint32_t op) {
    const std::lock_guard<std::mutex> lock(mutex_);
    std::vector<std::uint32_t>& stack = own_stack(thread);
    steps.push_back({true, op, stack.size()});
    stack.push_back(op);
  }

  void pop(void* thread) {
    const std::lock_guard<std::mutex> lock(mutex_);
    std::vector<std::uint32_t>& stack = own_stack(thread);
    steps.push_back({false, 0, stack.size()});
    if (stack.empty()) {
      ++underflows;
    } else {
      stack.pop_back();
    }
  }

  [[nodiscard]] std::vector<std::uint32_t> stack_here() {
    const std::lock_guard<std::mutex> lock(mutex_);
    return stacks[std::this_thread::get_id()];
  }

  void forget() {
    const std::lock_guard<std::mutex> lock(mutex_);
    operators.clear();
    steps.clear();
    for (auto& [thread, stack] : stacks) {
      stack.clear();
    }
    intern_calls = 0;
    underflows = 0;
    foreign_calls = 0;
    refuses_to_intern = false;
  }

  std::vector<SeenOperator> operators;
  std::vector<SeenStep> steps;
  std::map<std::thread::id, std::vector<std::uint32_t>> stacks;
  std::map<std::string, std::string> properties;
  void (*listener)(int) = nullptr;
  int intern_calls = 0;
  int underflows = 0;
  int foreign_calls = 0;  // on another thread than their own
  bool refuses_to_intern = false;

 private:
  std::vector<std::uint32_t>& own_stack(void* thread) {
    std::vector<std::uint32_t>& own = stacks[std::this_thread::get_id()];
    foreign_calls += thread == &own ? 0 : 1;
    return own;
  }

  std::mutex mutex_;
};

FakeAgent& fake_agent();

}  // namespace opcensus::torch_shim

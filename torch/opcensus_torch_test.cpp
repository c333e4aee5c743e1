// SPDX-License-Identifier: Apache-2.0
//
// The shim in a real libtorch on the CPU, with a test double of the agent. The expected texts are
// those of PyTorch's own traces.
#include <set>
#include <string>
#include <thread>
#include <vector>

#include <ATen/ATen.h>
#include <ATen/record_function.h>
#include <dlfcn.h>
#include <gtest/gtest.h>
#include <torch/csrc/autograd/profiler_kineto.h>
#include <torch/version.h>

#include "torch/fake_agent.h"

namespace opcensus::torch_shim {
namespace {

using InitFunction = int (*)();

InitFunction load(const char* path) {
  void* const library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
  EXPECT_NE(library, nullptr) << dlerror();  // NOLINT(concurrency-mt-unsafe)
  return library == nullptr ? nullptr
                            : reinterpret_cast<InitFunction>(dlsym(library, "opcensus_torch_init"));
}

class TorchShim : public testing::Test {
 protected:
  static void SetUpTestSuite() {
    const InitFunction init = load(OPCENSUS_TORCH_SHIM);
    ASSERT_NE(init, nullptr);
    ASSERT_EQ(init(), 0);
    ASSERT_EQ(init(), 0) << "a second call changes nothing";
    ASSERT_NE(fake_agent().listener, nullptr);
  }

  void SetUp() override {
    ASSERT_NE(fake_agent().listener, nullptr);
    fake_agent().listener(1);
  }

  void TearDown() override {
    fake_agent().listener(0);
    EXPECT_EQ(fake_agent().underflows, 0);
    EXPECT_EQ(fake_agent().foreign_calls, 0) << "pushed or popped for another thread";
    for (const auto& stack : fake_agent().stacks) {
      EXPECT_TRUE(stack.second.empty());
    }
    fake_agent().forget();
  }

  /// Runs on a new thread, whose cache is empty: each test sees all its operators interned.
  template <class Function>
  static void run(const Function& function) {
    std::thread(function).join();
  }

  static SeenOperator seen(const std::string& name) {
    for (const SeenOperator& op : fake_agent().operators) {
      if (op.name == name) {
        return op;
      }
    }
    ADD_FAILURE() << name << " was not seen";
    return {};
  }

  static void expect_seen(const SeenOperator& expected) {
    const SeenOperator op = seen(expected.name);
    EXPECT_EQ(op.shapes, expected.shapes) << expected.name;
    EXPECT_EQ(op.dtypes, expected.dtypes) << expected.name;
    EXPECT_EQ(op.strides, expected.strides) << expected.name;
    EXPECT_EQ(op.concrete, expected.concrete) << expected.name;
    EXPECT_EQ(op.kind, expected.kind) << expected.name;
  }

  /// Depth and name of each push, in order: "0 aten::linear, 1 aten::t".
  static std::string pushes() {
    std::string text;
    for (const SeenStep& step : fake_agent().steps) {
      if (step.is_push) {
        const std::string name = step.op == 0 ? "?" : fake_agent().operators[step.op - 1].name;
        text += (text.empty() ? "" : ", ") + std::to_string(step.depth) + " " + name;
      }
    }
    return text;
  }
};

TEST_F(TorchShim, SaysWhichTorchItIsIn) {
  EXPECT_EQ(fake_agent().properties["torch_version"], TORCH_VERSION);
}

TEST_F(TorchShim, TensorsAndScalars) {
  run([] { at::add(at::ones({2, 3}), at::ones({3}), 2); });
  expect_seen({"aten::add",
               "[[2,3],[3],[]]",
               R"(["float","float","Scalar"])",
               "[[3,1],[1],[]]",
               R"(["","","2"])",
               0});
}

TEST_F(TorchShim, ScalarsArePrintedAsPytorchDoes) {
  run([] {
    const at::Tensor base = at::ones({4});
    at::fill(base, -65504.0);
    at::softplus(base, 0.1, 20);
    at::sum(base, {0}, true);
  });
  EXPECT_EQ(seen("aten::fill").concrete, R"(["","-65504."])");
  EXPECT_EQ(seen("aten::softplus").concrete, R"(["","0.10000000000000001","20"])");
  EXPECT_EQ(seen("aten::sum").concrete, R"(["","[0]","True",""])");
  EXPECT_EQ(seen("aten::sum").dtypes, R"(["float","ScalarList","Scalar",""])");
  EXPECT_EQ(seen("aten::sum").shapes, "[[4],[],[],[]]");
}

TEST_F(TorchShim, ListsOfNumbersAndAbsentInputs) {
  run([] { at::reshape(at::ones({2, 3}), {1, -1}); });
  expect_seen({"aten::reshape",
               "[[2,3],[]]",
               R"(["float","ScalarList"])",
               "[[3,1],[]]",
               R"(["","[1, -1]"])",
               0});
  run([] { at::arange(8); });
  expect_seen({"aten::arange",
               "[[],[],[],[],[]]",
               R"(["Scalar","","","",""])",
               "[[],[],[],[],[]]",
               R"(["8","","","",""])",
               0});
}

TEST_F(TorchShim, UndefinedTensorsAreEmpty) {
  run([] { at::linear(at::ones({2, 3}), at::ones({4, 3})); });
  expect_seen({"aten::linear",
               "[[2,3],[4,3],[]]",
               R"(["float","float",""])",
               "[[3,1],[3,1],[]]",
               R"(["","",""])",
               0});
}

TEST_F(TorchShim, TensorListsNest) {
  run([] { at::cat({at::ones({2, 3}), at::ones({2, 5})}, 1); });
  expect_seen({"aten::cat",
               "[[[2,3],[2,5]],[]]",
               R"(["TensorList","Scalar"])",
               "[[[3,1],[5,1]],[]]",
               R"(["","1"])",
               0});
}

TEST_F(TorchShim, LongListsAreLeftOut) {
  run([] {
    at::cat(std::vector<at::Tensor>(31, at::ones({2})), 0);
    at::broadcast_to(at::ones({1}), std::vector<std::int64_t>(31, 1));
  });
  EXPECT_EQ(seen("aten::cat").shapes, "[[],[]]");
  EXPECT_EQ(seen("aten::cat").dtypes, R"(["TensorList","Scalar"])");
  EXPECT_EQ(seen("aten::broadcast_to").dtypes, R"(["float",""])");
  EXPECT_EQ(seen("aten::broadcast_to").concrete, R"(["",""])");
}

TEST_F(TorchShim, ListsOfOptionalTensorsAreLeftOutAsInPytorch) {
  run([] { at::ones({4, 4}).index({at::zeros({2}, at::kLong)}); });
  EXPECT_EQ(seen("aten::index").shapes, "[[4,4],[]]");
  EXPECT_EQ(seen("aten::index").dtypes, R"(["float",""])");
}

TEST_F(TorchShim, DtypesHavePytorchsNames) {
  run([] {
    const std::vector<at::ScalarType> types{
        at::kBFloat16, at::kHalf, at::kDouble, at::kInt, at::kLong, at::kByte, at::kBool};
    for (const at::ScalarType type : types) {
      at::zeros({1}, type).view({1, 1});
    }
  });
  std::string dtypes;
  for (const SeenOperator& op : fake_agent().operators) {
    dtypes += op.name == "aten::view" ? op.dtypes : "";
  }
  EXPECT_EQ(dtypes,
            R"(["c10::BFloat16","ScalarList"]["c10::Half","ScalarList"]["double","ScalarList"])"
            R"(["int","ScalarList"]["long int","ScalarList"]["unsigned char","ScalarList"])"
            R"(["bool","ScalarList"])");
}

TEST_F(TorchShim, StridesTellViewsApart) {
  run([] {
    const at::Tensor base = at::ones({2, 3});
    at::relu(base);
    at::relu(base.expand({4, 2, 3}));
  });
  std::string strides;
  for (const SeenOperator& op : fake_agent().operators) {
    strides += op.name == "aten::relu" ? op.shapes + op.strides : "";
  }
  EXPECT_EQ(strides, "[[2,3]][[3,1]][[4,2,3]][[0,3,1]]");
}

TEST_F(TorchShim, SparseTensorsHaveNoStrides) {
  run([] {
    const at::Tensor sparse = at::eye(3).to_sparse();
    at::neg(sparse);
  });
  EXPECT_EQ(seen("aten::neg").shapes, "[[3,3]]");
  EXPECT_EQ(seen("aten::neg").strides, "[[]]");
}

TEST_F(TorchShim, NestingIsKept) {
  run([] { at::linear(at::ones({2, 3}), at::ones({4, 3})); });
  const std::string text = pushes();
  EXPECT_NE(text.find("0 aten::linear, 1 aten::t, 2 aten::transpose"), std::string::npos) << text;
  EXPECT_NE(text.find("1 aten::matmul, 2 aten::mm"), std::string::npos) << text;
}

TEST_F(TorchShim, NestingSurvivesAnOperatorThatThrows) {
  run([] {
    EXPECT_ANY_THROW(at::mm(at::ones({2, 3}), at::ones({2, 3})));
    EXPECT_TRUE(fake_agent().stack_here().empty());
  });
}

TEST_F(TorchShim, UserScopesAreAnnotationsByName) {
  run([] {
    RECORD_USER_SCOPE("layer 0");
    at::relu(at::ones({2}));
  });
  expect_seen({"layer 0", "(null)", "(null)", "(null)", "(null)", 1});
  EXPECT_NE(pushes().find("1 aten::relu"), std::string::npos) << pushes();
}

/// The names are in the same memory: a cache by address would mix them up.
TEST_F(TorchShim, NamesThatShareAnAddressAreToldApart) {
  run([] {
    for (int i = 0; i < 3; ++i) {
      at::RecordFunction guard(at::RecordScope::USER_SCOPE);
      guard.before("step " + std::to_string(i));
    }
  });
  EXPECT_EQ(pushes(), "0 step 0, 0 step 1, 0 step 2");
}

TEST_F(TorchShim, ARepeatedOperatorIsNotInternedAgain) {
  run([] {
    const at::Tensor base = at::ones({2, 3});
    at::relu(base);
    const int calls = fake_agent().intern_calls;
    for (int i = 0; i < 10; ++i) {
      at::relu(base);
    }
    EXPECT_EQ(fake_agent().intern_calls, calls);
    at::relu(at::ones({2, 4}));
    EXPECT_GT(fake_agent().intern_calls, calls);
  });
}

TEST_F(TorchShim, WithoutAnIdTheNestingIsKept) {
  fake_agent().refuses_to_intern = true;
  run([] {
    at::linear(at::ones({2, 3}), at::ones({4, 3}));
    EXPECT_TRUE(fake_agent().stack_here().empty());
  });
  EXPECT_NE(pushes().find("0 ?, 1 ?, 2 ?"), std::string::npos) << pushes();
}

TEST_F(TorchShim, NothingIsSeenWhenOff) {
  fake_agent().listener(0);
  fake_agent().listener(0);
  run([] { at::relu(at::ones({2})); });
  EXPECT_TRUE(fake_agent().steps.empty());
  fake_agent().listener(1);
  run([] { at::relu(at::ones({2})); });
  EXPECT_FALSE(fake_agent().steps.empty());
}

TEST_F(TorchShim, AnOperatorThatWasOnTheStackIsPoppedAfterSwitchingOff) {
  run([] {
    RECORD_USER_SCOPE("window");
    fake_agent().listener(0);
  });
  ASSERT_EQ(fake_agent().steps.size(), 2U);
  EXPECT_FALSE(fake_agent().steps.back().is_push);
}

TEST_F(TorchShim, AScopeThatEndsOnAnotherThreadLeavesNothingBehind) {
  run([] {
    auto scope = std::make_unique<at::RecordFunction>(at::RecordScope::USER_SCOPE);
    scope->before("asynchronous");
    std::thread([&scope] { scope.reset(); }).join();
    at::relu(at::ones({2}));
    EXPECT_TRUE(fake_agent().stack_here().empty());
  });
  EXPECT_NE(pushes().find("0 aten::relu"), std::string::npos) << pushes();
}

TEST_F(TorchShim, ScopesThatOverlapEndInTheirOwnTime) {
  run([] {
    auto first = std::make_unique<at::RecordFunction>(at::RecordScope::USER_SCOPE);
    first->before("first");
    auto second = std::make_unique<at::RecordFunction>(at::RecordScope::USER_SCOPE);
    second->before("second");
    first.reset();
    EXPECT_EQ(fake_agent().stack_here().size(), 2U);  // the second is still the innermost
    second.reset();
    EXPECT_TRUE(fake_agent().stack_here().empty());
  });
}

TEST_F(TorchShim, ThreadsHaveStacksOfTheirOwn) {
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i) {
    threads.emplace_back([i] {
      for (int turn = 0; turn < 200; ++turn) {
        at::linear(at::ones({2, 3}), at::ones({4 + i, 3}));
      }
      EXPECT_TRUE(fake_agent().stack_here().empty());
    });
  }
  for (std::thread& thread : threads) {
    thread.join();
  }
}

TEST_F(TorchShim, ItSaysOnceThatTheProfilerSeesNoDevice) {
  namespace profiler = torch::autograd::profiler;
  const profiler::ProfilerConfig config(torch::profiler::impl::ProfilerState::KINETO);
  const std::set<torch::autograd::profiler::ActivityType> activities{
      torch::autograd::profiler::ActivityType::CPU};
  testing::internal::CaptureStderr();
  run([&] {
    profiler::prepareProfiler(config, activities);
    profiler::enableProfiler(config, activities);
    for (int i = 0; i < 300; ++i) {
      at::ones({2});
    }
    profiler::disableProfiler();
  });
  const std::string said = testing::internal::GetCapturedStderr();
  const std::size_t first = said.find("its trace will hold no GPU rows");
  EXPECT_NE(first, std::string::npos) << said;
  EXPECT_EQ(said.find("no GPU rows", first + 30), std::string::npos) << said;
}

TEST(TorchShimLayout, AShimOfAnotherLayoutStaysOff) {
  const InitFunction init = load(OPCENSUS_TORCH_SHIM_WRONG_LAYOUT);
  ASSERT_NE(init, nullptr);
  testing::internal::CaptureStderr();
  EXPECT_NE(init(), 0);
  EXPECT_EQ(
      testing::internal::GetCapturedStderr(),
      "opcensus: no operators from PyTorch: this torch differs from the one that the shim was "
      "built for\n");
}

}  // namespace
}  // namespace opcensus::torch_shim

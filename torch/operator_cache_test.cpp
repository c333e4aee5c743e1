// SPDX-License-Identifier: Apache-2.0
#include "torch/operator_cache.h"

#include <cstdint>
#include <string>
#include <vector>

#include <ATen/ATen.h>
#include <gtest/gtest.h>

#include "torch/input_key.h"

namespace opcensus::torch_shim {
namespace {

using Inputs = std::vector<c10::IValue>;

void set(InputKey& key, const std::string& name, const Inputs& inputs, bool is_annotation = false) {
  key.start(name.c_str(), is_annotation);
  for (const c10::IValue& input : inputs) {
    key.add(input);
  }
}

std::vector<std::uint64_t> words(const std::string& name,
                                 const Inputs& inputs,
                                 bool is_annotation = false) {
  InputKey key;
  set(key, name, inputs, is_annotation);
  return {key.words(), key.words() + key.size()};
}

TEST(InputKey, TellsCallsApartThatDifferInOneThing) {
  const at::Tensor base = at::zeros({2, 3});
  const Inputs call{base, std::int64_t{1}, c10::List<std::int64_t>({1, 2}), true};
  const std::vector<std::vector<std::uint64_t>> keys{
      words("aten::op", call),
      words("aten::op", call, true),
      words("aten::op_", call),
      words("aten::operator_with_a_longer_name", call),
      words("aten::op", {base, std::int64_t{1}, c10::List<std::int64_t>({1, 2})}),
      words("aten::op", {base, std::int64_t{1}, c10::List<std::int64_t>({1, 2}), false}),
      words("aten::op", {base, std::int64_t{1}, c10::List<std::int64_t>({1}), true}),
      words("aten::op", {base, std::int64_t{2}, c10::List<std::int64_t>({1, 2}), true}),
      words("aten::op", {base, 1.0, c10::List<std::int64_t>({1, 2}), true}),
      words("aten::op", {base, c10::IValue(), c10::List<std::int64_t>({1, 2}), true}),
      words("aten::op", {base.t(), std::int64_t{1}, c10::List<std::int64_t>({1, 2}), true}),
      words("aten::op",
            {at::zeros({3, 2}), std::int64_t{1}, c10::List<std::int64_t>({1, 2}), true}),
      words("aten::op", {at::zeros({6}), std::int64_t{1}, c10::List<std::int64_t>({1, 2}), true}),
      words("aten::op",
            {base.to(at::kHalf), std::int64_t{1}, c10::List<std::int64_t>({1, 2}), true}),
      words("aten::op", {base.to_sparse(), std::int64_t{1}, c10::List<std::int64_t>({1, 2}), true}),
      words(
          "aten::op",
          {c10::List<at::Tensor>({base}), std::int64_t{1}, c10::List<std::int64_t>({1, 2}), true}),
  };
  for (std::size_t i = 0; i < keys.size(); ++i) {
    for (std::size_t j = 0; j < i; ++j) {
      EXPECT_NE(keys[i], keys[j]) << i << " and " << j;
    }
  }
}

TEST(InputKey, IsTheSameForTheSameCall) {
  const Inputs call{at::zeros({2, 3}), 0.5, c10::List<double>({1.5})};
  const Inputs again{at::ones({2, 3}), 0.5, c10::List<double>({1.5})};
  InputKey key;
  set(key, "a name that leaves bytes behind", {std::int64_t{-1}, std::int64_t{-1}});
  set(key, "aten::op", again);
  EXPECT_EQ(words("aten::op", call),
            (std::vector<std::uint64_t>{key.words(), key.words() + key.size()}));
}

TEST(OperatorCache, FindsWhatWasInsertedWhileItGrows) {
  constexpr std::int64_t kCalls = 3000;
  OperatorCache cache;
  InputKey key;
  for (std::int64_t i = 0; i < kCalls; ++i) {
    set(key, "aten::op", {i});
    EXPECT_EQ(cache.find(key), 0U);
    cache.insert(key, static_cast<std::uint32_t>(i + 1));
    cache.insert(key, 77777);  // known already: the first stays
  }
  EXPECT_EQ(cache.size(), static_cast<std::size_t>(kCalls));
  for (std::int64_t i = 0; i < kCalls; ++i) {
    set(key, "aten::op", {i});
    EXPECT_EQ(cache.find(key), static_cast<std::uint32_t>(i + 1));
  }
}

TEST(OperatorCache, StartsAgainWhenItIsFull) {
  OperatorCache cache;
  InputKey key;
  for (std::size_t i = 0; i <= OperatorCache::kMaxEntries; ++i) {
    set(key, "aten::op", {static_cast<std::int64_t>(i)});
    cache.insert(key, 1);
  }
  EXPECT_EQ(cache.size(), 1U);
  EXPECT_EQ(cache.find(key), 1U);
  set(key, "aten::op", {std::int64_t{0}});
  EXPECT_EQ(cache.find(key), 0U);
}

TEST(OperatorCache, StartsAgainWhenTheKeysAreTooLong) {
  OperatorCache cache;
  InputKey key;
  const std::string name(std::size_t{1} << 20, 'x');  // an eighth of all words
  for (int i = 0; i < 9; ++i) {
    set(key, name + std::to_string(i), {});
    cache.insert(key, 1);
  }
  EXPECT_LT(cache.size(), 9U);
  EXPECT_EQ(cache.find(key), 1U);
}

}  // namespace
}  // namespace opcensus::torch_shim

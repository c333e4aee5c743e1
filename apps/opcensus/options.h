// SPDX-License-Identifier: Apache-2.0
//
// Options that several verbs share, described once.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <CLI/CLI.hpp>

#include "src/engine/load.h"

namespace opcensus::cli {

/// PATH…: at least one.
void add_paths(CLI::App& verb, std::vector<std::string>& paths, const std::string& what);

/// --rank N|all; empty = all.
void add_rank(CLI::App& verb, std::optional<std::int64_t>& rank);

/// --threads and --memory-limit, which every verb that reads traces has.
void add_load(CLI::App& verb, LoadOptions& load);

/// --format with the given choices, the first of which is the default.
void add_format(CLI::App& verb, std::string& format, const std::vector<std::string>& choices);

/// An option that takes a number from 0 up; the default is what `count` holds.
void add_count(CLI::App& verb,
               const std::string& option,
               std::size_t& count,
               const std::string& what);

template <class Value>
using Choices = std::vector<std::pair<std::string, Value>>;

/// The names, with `separator` between.
[[nodiscard]] std::string join(const std::vector<std::string>& names, const std::string& separator);

/// An option that takes one of `names`, and what to do with the one that was given.
CLI::Option* add_named_choice(CLI::App& verb,
                              const std::string& option,
                              const std::vector<std::string>& names,
                              const std::function<void(const std::string&)>& take,
                              const std::string& what);

/// An option that takes one of the names in `choices` and stores its value.
template <class Target, class Value>
CLI::Option* add_choice(CLI::App& verb,
                        const std::string& option,
                        Target& target,
                        const Choices<Value>& choices,
                        const std::string& what) {
  std::vector<std::string> names;
  for (const auto& choice : choices) {
    names.push_back(choice.first);
  }
  const auto take = [&target, choices](const std::string& name) {
    target = std::find_if(choices.begin(), choices.end(), [&name](const auto& choice) {
               return choice.first == name;
             })->second;
  };
  return add_named_choice(verb, option, names, take, what);
}

/// --strict
void add_strict(CLI::App& verb, bool& strict);

}  // namespace opcensus::cli

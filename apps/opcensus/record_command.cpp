// SPDX-License-Identifier: Apache-2.0
#include "apps/opcensus/record_command.h"

#include <algorithm>
#include <string_view>

namespace opcensus::cli {
namespace {

/// The first word that is no option; --color is the only global option with a value.
std::string_view verb_of(const std::vector<const char*>& arguments) {
  for (std::size_t i = 1; i < arguments.size(); ++i) {
    const std::string_view word = arguments[i];
    if (word == "--color") {
      ++i;
    } else if (!word.starts_with('-')) {
      return word;
    }
  }
  return "";
}

}  // namespace

SplitArguments split_record_command(int argc, const char* const* argv) {
  std::vector<const char*> all(argv, argv + argc);
  const auto mark = std::find_if(
      all.begin(), all.end(), [](const char* word) { return std::string_view(word) == "--"; });
  SplitArguments split;
  split.own.assign(all.begin(), mark);
  if (mark == all.end() || verb_of(split.own) != "record") {
    split.own = std::move(all);
    return split;
  }
  split.command.assign(mark + 1, all.end());
  return split;
}

}  // namespace opcensus::cli

// SPDX-License-Identifier: Apache-2.0
#include "apps/opcensus/options.h"

#include <algorithm>
#include <limits>
#include <thread>

#include <sys/resource.h>

#include "src/base/whole_number.h"

namespace opcensus::cli {
namespace {

/// Digits alone, in range.
template <class Integer>
std::optional<Integer> parse_number(const std::string& text) {
  const std::optional<Integer> number = parse_whole<Integer>(text);
  return number && *number >= 0 ? number : std::nullopt;
}

/// "500MB", "4GB", "4G", "1048576"; units are decimal.
std::optional<std::uint64_t> parse_size(std::string text) {
  std::uint64_t unit = 1;
  if (!text.empty() && (text.back() == 'B' || text.back() == 'b')) {
    text.pop_back();
  }
  for (const auto& [letter, factor] :
       {std::pair{'K', 1'000ULL}, std::pair{'M', 1'000'000ULL}, std::pair{'G', 1'000'000'000ULL}}) {
    if (!text.empty() && (text.back() == letter || text.back() == letter - 'A' + 'a')) {
      text.pop_back();
      unit = factor;
      break;
    }
  }
  const auto number = parse_number<std::uint64_t>(text);
  if (!number || *number > std::numeric_limits<std::uint64_t>::max() / unit) {
    return std::nullopt;
  }
  return *number * unit;
}

/// An allocation beyond it throws; main() says so. Shared libraries do not count.
void limit_memory(std::uint64_t bytes) {
  const rlimit limit{bytes, bytes};
  setrlimit(RLIMIT_DATA, &limit);
}

}  // namespace

void add_paths(CLI::App& verb, std::vector<std::string>& paths, const std::string& what) {
  verb.add_option("PATH", paths, what)->required();
}

void add_rank(CLI::App& verb, std::optional<std::int64_t>& rank) {
  verb.add_option_function<std::string>(
          "--rank",
          [&rank](const std::string& text) { rank = parse_number<std::int64_t>(text); },
          "only this rank (default: all)")
      ->type_name("N|all")
      ->check([](const std::string& text) {
        return text == "all" || parse_number<std::int64_t>(text)
                   ? std::string()
                   : "must be a rank number or all, not " + text;
      });
}

void add_load(CLI::App& verb, LoadOptions& load) {
  load.threads = static_cast<int>(std::max(1U, std::thread::hardware_concurrency()));
  verb.add_option_function<std::string>(
          "--threads",
          [&load](const std::string& text) { load.threads = parse_number<int>(text).value_or(1); },
          "at most so many threads (default: one a core)")
      ->type_name("N")
      ->check([](const std::string& text) {
        return parse_number<int>(text).value_or(0) > 0 ? std::string()
                                                       : "must be a number from 1 up, not " + text;
      });
  verb.add_option_function<std::string>(
          "--memory-limit",
          [](const std::string& text) { limit_memory(parse_size(text).value_or(0)); },
          "fail rather than take more memory than this:\n500MB, 4GB (default: no limit)")
      ->type_name("SIZE")
      ->check([](const std::string& text) {
        return parse_size(text).value_or(0) > 0 ? std::string()
                                                : "must be a size like 500MB or 4GB, not " + text;
      });
}

void add_format(CLI::App& verb, std::string& format, const std::vector<std::string>& choices) {
  format = choices.front();
  add_named_choice(
      verb,
      "--format",
      choices,
      [&format](const std::string& name) { format = name; },
      "output format (default: " + choices.front() + ")");
}

void add_count(CLI::App& verb,
               const std::string& option,
               std::size_t& count,
               const std::string& what) {
  verb.add_option_function<std::string>(
          option,
          [&count](const std::string& text) {
            count = parse_number<std::size_t>(text).value_or(0);
          },
          what)
      ->type_name("N")
      ->check([](const std::string& text) {
        return parse_number<std::size_t>(text) ? std::string()
                                               : "must be a number from 0 up, not " + text;
      });
}

std::string join(const std::vector<std::string>& names, const std::string& separator) {
  std::string all;
  for (const std::string& name : names) {
    all += (all.empty() ? "" : separator) + name;
  }
  return all;
}

CLI::Option* add_named_choice(CLI::App& verb,
                              const std::string& option,
                              const std::vector<std::string>& names,
                              const std::function<void(const std::string&)>& take,
                              const std::string& what) {
  return verb.add_option_function<std::string>(option, take, what)
      ->type_name(join(names, "|"))
      ->check([names](const std::string& text) {
        const bool is_known = std::find(names.begin(), names.end(), text) != names.end();
        return is_known ? std::string() : "must be one of " + join(names, ", ") + ", not " + text;
      });
}

void add_strict(CLI::App& verb, bool& strict) {
  verb.add_flag("--strict", strict, "exit 3 if anything was lost or is missing");
}

}  // namespace opcensus::cli

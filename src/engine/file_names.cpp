// SPDX-License-Identifier: Apache-2.0
#include "src/engine/file_names.h"

#include <algorithm>
#include <cctype>
#include <charconv>

namespace opcensus {
namespace {

std::string lower(std::string_view text) {
  std::string out(text);
  std::transform(
      out.begin(), out.end(), out.begin(), [](unsigned char c) { return std::tolower(c); });
  return out;
}

/// The number after the last `word` that starts at a word's beginning, with `-` or `_` between.
std::optional<std::int64_t> number_after_word(std::string_view text, std::string_view word) {
  for (std::size_t at = text.rfind(word); at != std::string_view::npos && at < text.size();
       at = at == 0 ? std::string_view::npos : text.rfind(word, at - 1)) {
    const bool starts_word = at == 0 || std::isalnum(static_cast<unsigned char>(text[at - 1])) == 0;
    std::string_view rest = text.substr(at + word.size());
    if (!rest.empty() && (rest.front() == '-' || rest.front() == '_')) {
      rest.remove_prefix(1);
    }
    std::int64_t rank = 0;
    const auto [end, error] = std::from_chars(rest.data(), rest.data() + rest.size(), rank);
    if (starts_word && error == std::errc() && rank >= 0) {
      return rank;
    }
  }
  return std::nullopt;
}

}  // namespace

std::string_view file_name_of(std::string_view path) {
  const std::size_t slash = path.rfind('/');
  return slash == std::string_view::npos ? path : path.substr(slash + 1);
}

std::optional<std::int64_t> rank_from_path(std::string_view path) {
  const std::string name = lower(file_name_of(path));
  if (auto rank = number_after_word(name, "rank")) {
    return rank;
  }
  if (auto rank = number_after_word(name, "tp")) {
    return rank;
  }
  const std::string folders = lower(path.substr(0, path.size() - name.size()));
  return number_after_word(folders, "rank");
}

std::optional<std::string> merged_profile_id(std::string_view path) {
  constexpr std::string_view kPrefix = "merged-";
  const std::string_view name = file_name_of(path);
  if (!name.starts_with(kPrefix)) {
    return std::nullopt;
  }
  const std::string_view rest = name.substr(kPrefix.size());
  return std::string(rest.substr(0, rest.find('.')));
}

}  // namespace opcensus

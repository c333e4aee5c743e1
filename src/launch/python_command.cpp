// SPDX-License-Identifier: Apache-2.0
#include "src/launch/python_command.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <sstream>

#include <unistd.h>

namespace opcensus {
namespace {

constexpr std::size_t kBeginning = 1024;  // of a script: two lines, paths included

std::string_view file_name(std::string_view path) {
  return path.substr(path.rfind('/') + 1);
}

std::vector<std::string> split_words(std::string_view line) {
  std::istringstream stream{std::string(line)};
  std::vector<std::string> words;
  for (std::string word; stream >> word;) {
    words.push_back(word);
  }
  return words;
}

std::string_view line_of(std::string_view text, std::size_t start) {
  return start >= text.size() ? std::string_view()
                              : text.substr(start, text.find('\n', start) - start);
}

/// `'''exec' "/long/path/bin/python" "$0" "$@"`
std::optional<std::string> python_of_detour(std::string_view line) {
  constexpr std::string_view kExec = "'''exec' ";
  if (!line.starts_with(kExec)) {
    return std::nullopt;
  }
  line.remove_prefix(kExec.size());
  const bool is_quoted = line.starts_with('"');
  const std::string_view rest = is_quoted ? line.substr(1) : line;
  const std::string_view program = rest.substr(0, rest.find(is_quoted ? '"' : ' '));
  return is_python(program) ? std::optional(std::string(program)) : std::nullopt;
}

std::string read_beginning(const std::string& file) {
  std::string beginning(kBeginning, '\0');
  std::ifstream stream(file, std::ios::binary);
  stream.read(beginning.data(), static_cast<std::streamsize>(beginning.size()));
  beginning.resize(static_cast<std::size_t>(std::max<std::streamsize>(stream.gcount(), 0)));
  return beginning;
}

bool is_executable(const std::string& path) {
  std::error_code ignored;
  return std::filesystem::is_regular_file(path, ignored) && access(path.c_str(), X_OK) == 0;
}

std::optional<std::string> python_of_word(const std::string& word, std::string_view path) {
  std::optional<std::string> program = find_program(word, path);
  if (!program || is_python(word)) {
    return program;
  }
  const std::optional<std::string> python = python_of_script(read_beginning(*program));
  return python ? find_program(*python, path) : std::nullopt;
}

}  // namespace

bool is_python(std::string_view program) {
  const std::string_view name = file_name(program);
  if (!name.starts_with("python")) {
    return false;
  }
  const std::string_view version = name.substr(std::string_view("python").size());
  return version.find_first_not_of("0123456789.") == std::string_view::npos;
}

std::optional<std::string> python_of_script(std::string_view beginning) {
  if (!beginning.starts_with("#!")) {
    return std::nullopt;
  }
  const std::string_view first = line_of(beginning, 0);
  const std::vector<std::string> words = split_words(first.substr(2));
  if (words.empty()) {
    return std::nullopt;
  }
  if (is_python(words.front())) {
    return words.front();
  }
  if (file_name(words.front()) == "env") {
    const auto python = std::find_if(
        words.begin() + 1, words.end(), [](const std::string& word) { return is_python(word); });
    return python == words.end() ? std::nullopt : std::optional(*python);
  }
  return python_of_detour(line_of(beginning, first.size() + 1));
}

std::optional<std::string> find_program(const std::string& name, std::string_view path) {
  if (name.empty() || name.find('/') != std::string::npos) {
    return is_executable(name) ? std::optional(name) : std::nullopt;
  }
  while (!path.empty()) {
    const std::string_view folder = path.substr(0, path.find(':'));
    path.remove_prefix(std::min(path.size(), folder.size() + 1));
    std::string candidate = (folder.empty() ? "." : std::string(folder)) + "/" + name;
    if (is_executable(candidate)) {
      return candidate;
    }
  }
  return std::nullopt;
}

std::optional<std::string> python_of_command(const std::vector<std::string>& command,
                                             std::string_view path) {
  if (!command.empty()) {
    if (auto python = python_of_word(command.front(), path)) {
      return python;
    }
  }
  std::vector<std::string> names = command;
  names.insert(names.end(), {"python3", "python"});
  for (const std::string& name : names) {
    if (is_python(name)) {
      if (auto python = find_program(name, path)) {
        return python;
      }
    }
  }
  return std::nullopt;
}

}  // namespace opcensus

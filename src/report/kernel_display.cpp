// SPDX-License-Identifier: Apache-2.0
#include "src/report/kernel_display.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <vector>

#include <fmt/format.h>

#include "src/base/digits.h"
#include "src/report/text_safety.h"

namespace opcensus {
namespace {

constexpr int kMaxDepth = 4;  // deeper template arguments say nothing on one line

// ATen's launch wrappers and launch details: they are in nearly every name and tell none apart.
constexpr std::array<std::string_view, 2> kWrappers{"gpu_kernel_impl_nocast", "gpu_kernel_impl"};
constexpr std::array<std::string_view, 4> kDetails{
    "array<char*", "TrivialOffsetCalculator<", "LoadWithCast<", "StoreWithCast<"};

constexpr std::string_view kAnonymous = "(anonymous namespace)";

bool is_word(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || is_digit(c) || c == '_';
}

std::string short_type(const std::string& name) {
  if (name == "BFloat16" || name == "__nv_bfloat16" || name == "bfloat16_t") {
    return "bf16";
  }
  return name == "Half" || name == "__half" || name == "half_t" ? "f16" : name;
}

/// Reads a demangled name from its beginning.
class NameReader {
 public:
  explicit NameReader(std::string_view text) : rest_(text) {}

  /// One name with its template arguments: the last part of a qualified one. Stops before ',' or
  /// '>', and outside all templates before the argument list.
  std::string read_name(int depth) {
    Name name;
    while (!rest_.empty() && !at_end_of_name(depth)) {
      read_part(name, depth);
    }
    return short_type(name.text);
  }

 private:
  struct Name {
    std::string text;
    bool scope_follows = false;  // a "::" was read after text
    bool has_arguments = false;
  };

  [[nodiscard]] bool starts_with(std::string_view prefix) const {
    return rest_.substr(0, prefix.size()) == prefix;
  }

  [[nodiscard]] bool at_end_of_name(int depth) const {
    const char c = rest_.front();
    return c == ',' || c == '>' || (depth == 0 && c == '(' && !starts_with(kAnonymous));
  }

  void read_part(Name& name, int depth) {
    const char c = rest_.front();
    if (is_word(c)) {
      read_word(name);
    } else if (c == '<') {
      read_arguments(name, depth + 1);
    } else if (starts_with("::")) {
      name.scope_follows = true;
      rest_.remove_prefix(2);
    } else if (starts_with(kAnonymous)) {
      rest_.remove_prefix(kAnonymous.size());
    } else if (c == '(' || c == '{') {
      skip_balanced(c, c == '(' ? ')' : '}');
    } else {
      if (c != ' ') {
        name.text += c;
      }
      rest_.remove_prefix(1);
    }
  }

  void read_word(Name& name) {
    std::size_t end = 0;
    while (end < rest_.size() && is_word(rest_[end])) {
      ++end;
    }
    const std::string_view word = rest_.substr(0, end);
    rest_.remove_prefix(end);
    if (word == "const" || word == "operator") {
      return;
    }
    if (name.text.empty() || (name.scope_follows && !name.has_arguments) || name.text == "void") {
      name.text = word;
    } else {
      name.text += name.scope_follows ? "::" : " ";
      name.text += word;
    }
    name.scope_follows = false;
  }

  void read_arguments(Name& name, int depth) {
    if (depth > kMaxDepth) {
      skip_balanced('<', '>');
      name.text += "<…>";
      name.has_arguments = true;
      return;
    }
    std::vector<std::string> arguments;
    do {
      rest_.remove_prefix(1);
      arguments.push_back(read_name(depth));
    } while (!rest_.empty() && rest_.front() == ',');
    rest_.remove_prefix(rest_.empty() ? 0 : 1);
    if (arguments.size() == 1 &&
        std::find(kWrappers.begin(), kWrappers.end(), name.text) != kWrappers.end()) {
      name.text = arguments.front();
    } else {
      drop_details(arguments);
      name.text += fmt::format("<{}>", fmt::join(arguments, ","));
    }
    name.has_arguments = true;
  }

  static bool is_detail(const std::string& argument) {
    return argument == "unsigned int" || (!argument.empty() && is_digit(argument.front())) ||
           std::any_of(kDetails.begin(), kDetails.end(), [&](std::string_view detail) {
             return argument.compare(0, detail.size(), detail) == 0;
           });
  }

  /// Drops tile sizes, index types and the like where something else tells what is computed, and
  /// repetitions: <float,float,float> is <float>.
  static void drop_details(std::vector<std::string>& arguments) {
    if (!std::all_of(arguments.begin(), arguments.end(), is_detail)) {
      std::erase_if(arguments, is_detail);
    }
    arguments.erase(std::unique(arguments.begin(), arguments.end()), arguments.end());
  }

  void skip_balanced(char open, char close) {
    std::size_t depth = 0;
    while (!rest_.empty()) {
      depth += rest_.front() == open ? 1 : 0;
      depth -= rest_.front() == close ? 1 : 0;
      rest_.remove_prefix(1);
      if (depth == 0) {
        return;
      }
    }
  }

  std::string_view rest_;
};

/// "device_kernel<…>" from "_ZN7cutlass13device_kernelIN…": the length-prefixed words at the
/// beginning of an Itanium mangled name. Empty if there are none.
std::string mangled_kernel_name(std::string_view name) {
  std::string_view rest = name.substr(name.substr(0, 3) == "_ZN" ? 3 : 2);
  std::string_view last;
  while (!rest.empty() && rest.front() >= '1' && rest.front() <= '9') {
    std::size_t length = 0;
    while (!rest.empty() && is_digit(rest.front()) && length < name.size()) {
      length = length * 10 + static_cast<std::size_t>(rest.front() - '0');
      rest.remove_prefix(1);
    }
    if (length > rest.size()) {
      return {};
    }
    last = rest.substr(0, length);
    rest.remove_prefix(length);
  }
  const bool is_template = !last.empty() && !rest.empty() && rest.front() == 'I';
  return std::string(last) + (is_template ? "<…>" : "");
}

}  // namespace

std::string compact_kernel_name(std::string_view name) {
  std::string compact;
  if (name.substr(0, 2) == "_Z") {
    compact = mangled_kernel_name(name);
  } else if (name.find("::") != std::string_view::npos ||
             name.find('<') != std::string_view::npos || name.substr(0, 5) == "void ") {
    compact = NameReader(name).read_name(0);
  }
  return safe_text(compact.empty() ? name : compact);
}

}  // namespace opcensus

// SPDX-License-Identifier: Apache-2.0
#include "apps/opcensus/terminal.h"

#include <charconv>
#include <cstdlib>
#include <string_view>

#include <sys/ioctl.h>
#include <unistd.h>

namespace opcensus::cli {
namespace {

constexpr std::size_t kDefaultWidth = 80;
constexpr std::size_t kLeastWidth = 60;

std::string_view environment(const char* name) {
  const char* value =
      std::getenv(name);  // NOLINT(concurrency-mt-unsafe): read before any thread exists
  return value == nullptr ? std::string_view() : std::string_view(value);
}

}  // namespace

std::size_t terminal_width(int descriptor) {
  if (isatty(descriptor) == 0) {
    return 0;
  }
  std::size_t width = 0;
  const std::string_view columns = environment("COLUMNS");
  const auto parsed = std::from_chars(columns.data(), columns.data() + columns.size(), width);
  if (columns.empty() || parsed.ec != std::errc()) {
    winsize size{};
    width = ioctl(descriptor, TIOCGWINSZ, &size) == 0 ? size.ws_col : 0;
  }
  if (width == 0) {
    width = kDefaultWidth;
  }
  return width < kLeastWidth ? kLeastWidth : width;
}

bool wants_color(const std::string& choice, int descriptor) {
  if (choice != "auto") {
    return choice == "always";
  }
  return isatty(descriptor) != 0 && environment("TERM") != "dumb" &&
         environment("NO_COLOR").empty();
}

}  // namespace opcensus::cli

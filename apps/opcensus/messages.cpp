// SPDX-License-Identifier: Apache-2.0
#include "apps/opcensus/messages.h"

#include <fmt/format.h>

#include "src/engine/file_names.h"
#include "src/report/display_width.h"
#include "src/report/text_safety.h"

namespace opcensus::cli {
namespace {

constexpr std::chrono::milliseconds kFirstDraw{300};  // short reads show nothing
constexpr std::chrono::milliseconds kRedraw{100};
constexpr std::size_t kBarWidth = 24;
constexpr std::size_t kNameWidth = 36;

}  // namespace

int report_error(const Error& error, Streams& streams) {
  std::string line = "opcensus: error: ";
  if (!error.file.empty()) {
    line += safe_text(error.file) + ": ";
  }
  line += safe_text(error.message);
  if (error.byte_offset) {
    line += fmt::format(" (byte {})", *error.byte_offset);
  }
  streams.err << line << '\n';
  if (!error.hint.empty()) {
    streams.err << "hint: " << safe_text(error.hint) << '\n';
  }
  return kExitFailed;
}

void ProgressBar::on_read(const std::string& path,
                          std::size_t number,
                          std::size_t count,
                          std::uint64_t consumed,
                          std::uint64_t total) {
  const auto now = std::chrono::steady_clock::now();
  if (!streams_.show_progress || now - started_ < kFirstDraw || now - drawn_ < kRedraw) {
    return;
  }
  drawn_ = now;
  is_drawn_ = true;
  std::string bar;
  if (total > 0) {
    const double part =
        static_cast<double>(consumed < total ? consumed : total) / static_cast<double>(total);
    const auto filled = static_cast<std::size_t>(part * static_cast<double>(kBarWidth));
    bar = fmt::format("[{}{}] {:3.0f} %",
                      std::string(filled, '#'),
                      std::string(kBarWidth - filled, ' '),
                      part * 100.0);
  } else {
    bar = fmt::format("{:.1f} MB", static_cast<double>(consumed) / 1e6);
  }
  const std::string name = shorten_middle(safe_text(file_name_of(path)), kNameWidth);
  streams_.err << fmt::format("\r\x1b[Kreading {}/{} {} {}", number, count, bar, name)
               << std::flush;
}

void ProgressBar::clear() {
  if (is_drawn_) {
    streams_.err << "\r\x1b[K" << std::flush;
    is_drawn_ = false;
  }
}

}  // namespace opcensus::cli

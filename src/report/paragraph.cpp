// SPDX-License-Identifier: Apache-2.0
#include "src/report/paragraph.h"

#include <algorithm>
#include <vector>

#include "src/report/display_width.h"

namespace opcensus {

std::string render_paragraph(std::string_view text,
                             std::size_t indent,
                             std::size_t hanging,
                             TextStyle style,
                             const ReportOptions& options) {
  constexpr std::size_t kLeast = 20;  // columns for text, however narrow the terminal
  const std::size_t taken = indent + hanging;
  const bool is_one_line = options.width == 0 || indent + display_width(text) <= options.width;
  const std::size_t room =
      is_one_line ? 0 : std::max(options.width - std::min(options.width, taken), kLeast);
  std::string out;
  std::size_t blanks = indent;
  for (const std::string& line : wrap_text(text, room)) {
    out += std::string(blanks, ' ') + styled(line, style, options.color) + "\n";
    blanks = taken;
  }
  return out;
}

}  // namespace opcensus

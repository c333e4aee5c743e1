// SPDX-License-Identifier: Apache-2.0
#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <utility>

#include <fmt/format.h>

#include "src/report/paragraph.h"
#include "src/report/run_facts.h"
#include "src/report/table_text.h"
#include "src/report/terminal_sections.h"
#include "src/report/text_safety.h"
#include "src/report/units.h"

namespace opcensus {
namespace {

constexpr std::size_t kMostInputs = 8;  // on a screen; a folder of 64 ranks is summed up by role

std::string remark(const CensusInput& input) {
  const std::string state = input.complete ? "" : "incomplete";
  const std::string note = safe_text(input.note);
  return state + (state.empty() || note.empty() ? "" : ": ") + note;
}

std::vector<TextColumn> input_columns() {
  TextColumn path;
  path.narrow_first = 1;
  path.minimum_width = 20;
  path.shorten = true;
  TextColumn right;
  right.align_right = true;
  TextColumn note;
  note.style = TextStyle::Warning;
  note.narrow_first = 2;
  note.minimum_width = 12;
  return {TextColumn{}, path, right, right, note};
}

std::string render_each_input(const Census& census, const ReportOptions& options) {
  TextTable table(input_columns());
  for (const CensusInput& input : census.inputs) {
    const bool was_read = input.events > 0 || input.bytes > 0;
    table.add_row({safe_text(input.role),
                   safe_text(input.path),
                   was_read ? format_bytes(input.bytes) : "",
                   was_read ? format_count(input.events) + " events" : "",
                   remark(input)});
  }
  return table.render(options.width, 2, options.color);
}

struct RoleSum {
  std::size_t files = 0;
  std::size_t incomplete = 0;
  std::uint64_t bytes = 0;
  std::uint64_t events = 0;
};

std::string render_inputs_by_role(const Census& census, const ReportOptions& options) {
  std::map<std::string, RoleSum> roles;
  for (const CensusInput& input : census.inputs) {
    RoleSum& sum = roles[input.role];
    sum.files += 1;
    sum.incomplete += input.complete ? 0 : 1;
    sum.bytes += input.bytes;
    sum.events += input.events;
  }
  TextTable table(input_columns());
  for (const auto& [role, sum] : roles) {
    table.add_row({safe_text(role),
                   format_count(sum.files) + " files",
                   format_bytes(sum.bytes),
                   format_count(sum.events) + " events",
                   sum.incomplete == 0 ? "" : fmt::format("{} incomplete", sum.incomplete)});
  }
  return table.render(options.width, 2, options.color);
}

}  // namespace

std::string render_header_section(const Census& census, const ReportOptions& options) {
  std::string out = render_paragraph(describe_run(census), 0, 2, TextStyle::Bold, options);
  if (census.inputs.size() > kMostInputs && options.width != 0) {
    out += render_inputs_by_role(census, options);
  } else if (!census.inputs.empty()) {
    out += render_each_input(census, options);
  }
  const std::string graphs = describe_graphs(census);
  const std::string steps = describe_steps(census);
  const std::string activity = graphs + (graphs.empty() || steps.empty() ? "" : " · ") + steps;
  return activity.empty() ? out : out + render_paragraph(activity, 2, 2, TextStyle::Plain, options);
}

}  // namespace opcensus

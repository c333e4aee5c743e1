// SPDX-License-Identifier: Apache-2.0
#include "src/report/key_averages_text.h"

#include <algorithm>
#include <array>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include "src/report/json_writer.h"
#include "src/report/text_safety.h"

namespace opcensus {
namespace {

// PyTorch's numbers (torch/autograd/profiler_util.py).
constexpr std::size_t kNameWidthLimit = 55;
constexpr std::size_t kShapesWidthLimit = 80;
constexpr std::size_t kExtraWidth = 4;
constexpr std::size_t kNumberWidth = 12;
constexpr std::string_view kSpacing = "  ";

constexpr std::size_t kNumberColumns = 10;

std::array<std::string, kNumberColumns> number_titles(const std::string& device) {
  return {"Self CPU %",
          "Self CPU",
          "CPU total %",
          "CPU total",
          "CPU time avg",
          "Self " + device,
          "Self " + device + " %",
          device + " total",
          device + " time avg",
          "# of Calls"};
}

std::string torch_time(double ns) {
  if (ns >= 1e9) {
    return fmt::format("{:.3f}s", ns / 1e9);
  }
  if (ns >= 1e6) {
    return fmt::format("{:.3f}ms", ns / 1e6);
  }
  return fmt::format("{:.3f}us", ns / 1e3);
}

std::string torch_time(Nanoseconds time) {
  return torch_time(static_cast<double>(time.count()));
}

std::string torch_average(Nanoseconds time, std::uint64_t calls) {
  return torch_time(calls == 0 ? 0.0
                               : static_cast<double>(time.count()) / static_cast<double>(calls));
}

std::string torch_share(Nanoseconds part, Nanoseconds total) {
  if (total.count() == 0) {
    return "NaN";
  }
  return fmt::format(
      "{:.2f}%", static_cast<double>(part.count()) * 100.0 / static_cast<double>(total.count()));
}

std::string spaced_json(std::string_view compact) {
  std::string out;
  for (const char c : compact) {
    out += c;
    if (c == ',') {
      out += ' ';
    }
  }
  return out;
}

/// PyTorch counts characters; so does this, in code points, so that columns stay columns.
std::size_t code_points(std::string_view text) {
  return static_cast<std::size_t>(std::count_if(text.begin(), text.end(), [](char c) {
    return (static_cast<unsigned char>(c) & 0xc0U) != 0x80U;
  }));
}

std::string_view first_code_points(std::string_view text, std::size_t count) {
  std::size_t at = 0;
  while (at < text.size() && count > 0) {
    ++at;
    while (at < text.size() && (static_cast<unsigned char>(text[at]) & 0xc0U) == 0x80U) {
      ++at;
    }
    --count;
  }
  return text.substr(0, at);
}

std::string right_aligned(std::string_view text, std::size_t width) {
  const std::size_t used = code_points(text);
  return std::string(width > used ? width - used : 0, ' ') + std::string(text);
}

struct Widths {
  std::size_t name = 0;
  std::size_t shapes = 0;  // 0: no such column
};

class Layout {
 public:
  explicit Layout(Widths widths) : widths_(widths) {}

  [[nodiscard]] std::string rule() const {
    std::string line = std::string(widths_.name, '-') + std::string(kSpacing);
    for (std::size_t i = 0; i < kNumberColumns; ++i) {
      line += std::string(kNumberWidth, '-') + std::string(kSpacing);
    }
    if (widths_.shapes > 0) {
      line += std::string(widths_.shapes, '-') + std::string(kSpacing);
    }
    return line + "\n";
  }

  template <class Cells>
  [[nodiscard]] std::string row(std::string_view name,
                                const Cells& numbers,
                                std::string_view shapes) const {
    std::string line = right_aligned(name, widths_.name) + std::string(kSpacing);
    for (std::size_t i = 0; i < numbers.size(); ++i) {
      line += right_aligned(numbers[i], kNumberWidth) + std::string(kSpacing);
    }
    if (widths_.shapes > 0) {
      line += right_aligned(shapes, widths_.shapes) + std::string(kSpacing);
    }
    return line + "\n";
  }

 private:
  Widths widths_;
};

std::string shorten_name(const std::string& name) {
  constexpr std::size_t kLongest = kNameWidthLimit - 3;
  return code_points(name) < kLongest ? name
                                      : std::string(first_code_points(name, kLongest)) + "...";
}

std::vector<std::string> number_cells(const KeyAverage& row, const KeyAverages& averages) {
  return {torch_share(row.self_cpu, averages.self_cpu_total),
          torch_time(row.self_cpu),
          row.is_device ? torch_share(Nanoseconds(), averages.self_cpu_total)
                        : torch_share(row.cpu_total, averages.self_cpu_total),
          torch_time(row.cpu_total),
          torch_average(row.cpu_total, row.calls),
          torch_time(row.self_device),
          torch_share(row.self_device, averages.self_device_total),
          torch_time(row.device_total),
          torch_average(row.device_total, row.calls),
          fmt::format("{}", row.calls)};
}

std::size_t shown_rows(const KeyAverages& averages, std::size_t row_limit) {
  return row_limit == 0 ? averages.rows.size() : std::min(row_limit, averages.rows.size());
}

}  // namespace

std::string render_key_averages_text(const KeyAverages& averages,
                                     std::size_t row_limit,
                                     bool with_input_shapes) {
  std::size_t longest_name = 0;
  std::size_t longest_shapes = 0;
  for (const KeyAverage& row : averages.rows) {
    longest_name = std::max(longest_name, code_points(safe_text(row.name)));
    longest_shapes = std::max(longest_shapes, code_points(spaced_json(row.input_shapes)));
  }
  Widths widths;
  widths.name = std::min(longest_name + kExtraWidth, kNameWidthLimit);
  if (with_input_shapes) {
    widths.shapes = std::min(longest_shapes + kExtraWidth, kShapesWidthLimit);
  }
  const Layout layout(widths);
  const std::array<std::string, kNumberColumns> titles =
      number_titles(safe_text(averages.device_type));
  std::string text = layout.rule() + layout.row("Name", titles, "Input Shapes") + layout.rule();
  for (std::size_t i = 0; i < shown_rows(averages, row_limit); ++i) {
    const KeyAverage& row = averages.rows[i];
    text += layout.row(
        shorten_name(safe_text(row.name)),
        number_cells(row, averages),
        std::string(first_code_points(spaced_json(row.input_shapes), kShapesWidthLimit)));
  }
  text += layout.rule();
  text += "Self CPU time total: " + torch_time(averages.self_cpu_total) + "\n";
  text += "Self " + safe_text(averages.device_type) +
          " time total: " + torch_time(averages.self_device_total) + "\n";
  return text;
}

std::string render_key_averages_json(const KeyAverages& averages, std::size_t row_limit) {
  JsonWriter json;
  json.begin_array();
  for (std::size_t i = 0; i < shown_rows(averages, row_limit); ++i) {
    const KeyAverage& row = averages.rows[i];
    json.begin_object();
    json.member("name", row.name);
    json.member("input_shapes", row.input_shapes);
    json.member("device_type", row.is_device ? "DEVICE" : "CPU");
    json.member("calls", row.calls);
    json.member("cpu_total_ns", row.is_device ? Nanoseconds() : row.cpu_total);
    json.member("self_cpu_ns", row.self_cpu);
    json.member("device_total_ns", row.device_total);
    json.member("self_device_ns", row.self_device);
    json.end_object();
  }
  json.end_array();
  return std::move(json).finish();
}

}  // namespace opcensus

// SPDX-License-Identifier: Apache-2.0
#include "tests/support/trace_text.h"

#include <algorithm>
#include <cstdio>
#include <random>

namespace opcensus::testing {
namespace {

/// Nanoseconds as microseconds, exactly: "12.345".
std::string microseconds(std::int64_t nanoseconds) {
  const std::string digits = std::to_string(nanoseconds % 1000);
  return std::to_string(nanoseconds / 1000) + "." + std::string(3 - digits.size(), '0') + digits;
}

std::string maybe_quoted(const std::string& text, bool quoted) {
  return quoted ? quote_json(text) : text;
}

class Writer {
 public:
  explicit Writer(const Layout& layout) : layout_(layout) {}

  [[nodiscard]] std::string object(std::vector<JsonField> fields, int depth) const {
    if (layout_.reverse_keys) {
      std::reverse(fields.begin(), fields.end());
    }
    std::string text = "{";
    for (std::size_t i = 0; i < fields.size(); ++i) {
      text += (i == 0 ? "" : ",") + line(depth + 1) + quote_json(fields[i].first) + colon() +
              fields[i].second;
    }
    return text + line(depth) + "}";
  }

  [[nodiscard]] std::string row(const TraceRow& row) const {
    std::vector<JsonField> fields{
        {"ph", "\"X\""},
        {"cat", quote_json(row.category)},
        {"name", quote_json(row.name)},
        {"pid", maybe_quoted(std::to_string(row.process), layout_.text_ids)},
        {"tid", maybe_quoted(std::to_string(row.thread), layout_.text_ids)},
        {"ts", maybe_quoted(microseconds(row.start), layout_.text_times)},
        {"dur", maybe_quoted(microseconds(row.duration), layout_.text_times)}};
    if (!row.args.empty()) {
      fields.emplace_back("args", object(row.args, 3));
    }
    return object(std::move(fields), 2);
  }

  [[nodiscard]] std::string array(const std::vector<TraceRow>& rows) const {
    std::string text = "[";
    for (std::size_t i = 0; i < rows.size(); ++i) {
      text += (i == 0 ? "" : ",") + line(2) + row(rows[i]);
    }
    return text + line(1) + "]";
  }

 private:
  [[nodiscard]] std::string line(int depth) const {
    return layout_.pretty ? "\n" + std::string(static_cast<std::size_t>(depth) * 2, ' ') : "";
  }

  [[nodiscard]] std::string colon() const { return layout_.pretty ? " : " : ":"; }

  const Layout& layout_;
};

}  // namespace

std::string quote_json(std::string_view text) {
  std::string out = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') {
      out += '\\';
    }
    if (static_cast<unsigned char>(c) < 0x20) {
      char escape[8];
      std::snprintf(escape, sizeof escape, "\\u%04x", static_cast<unsigned>(c));
      out += escape;
    } else {
      out += c;
    }
  }
  return out + "\"";
}

std::string render(const TraceText& trace, const Layout& layout) {
  std::vector<TraceRow> rows = trace.rows;
  if (layout.shuffle != 0) {
    std::mt19937_64 random(layout.shuffle);
    std::shuffle(rows.begin(), rows.end(), random);
  }
  const Writer writer(layout);
  std::vector<JsonField> fields = trace.header;
  const JsonField events("traceEvents", writer.array(rows));
  // reverse_keys turns the order round, so the header would come last: put the events first.
  const bool events_first = layout.header_last != layout.reverse_keys;
  fields.insert(events_first ? fields.begin() : fields.end(), events);
  return writer.object(std::move(fields), 0) + "\n";
}

}  // namespace opcensus::testing

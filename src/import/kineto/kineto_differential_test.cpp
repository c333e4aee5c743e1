// SPDX-License-Identifier: Apache-2.0
//
// The fast reader against a slow and obvious one (a DOM of the whole file): equal columns for
// well-formed inputs, which a generator writes in many layouts.
#include <algorithm>
#include <cstdint>
#include <random>
#include <string>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "src/base/decimal.h"
#include "src/import/kineto/kineto_test_support.h"

namespace opcensus::import {
namespace {

using nlohmann::json;
using testing::read_in_chunks;
using testing::ReadingText;

/// The DOM that keeps the text of decimal numbers, as a string.
class ExactDom : public nlohmann::detail::json_sax_dom_parser<json> {
 public:
  using json_sax_dom_parser::json_sax_dom_parser;

  bool number_float(double /*value*/, const std::string& text) {
    std::string copy = text;
    return string(copy);
  }
};

json parse_exactly(std::string_view content) {
  json root;
  ExactDom dom(root);
  EXPECT_TRUE(json::sax_parse(content, &dom));
  return root;
}

std::string text_of(const json& value) {
  return value.is_string() ? value.get<std::string>() : value.is_null() ? "" : value.dump();
}

std::string field(const json& object, const char* key) {
  return object.contains(key) ? text_of(object[key]) : "";
}

std::string or_dash(const std::string& text) {
  return text.empty() ? "-" : text;
}

std::string dim3(const json& args) {
  std::string text;
  for (std::size_t i = 0; i < 3; ++i) {
    for (const char* const key : {"grid", "block"}) {
      text += (args.contains(key) ? args[key][i].dump() : "0") + "|";
    }
  }
  return text;
}

std::string json_or_dash(const json& args, const char* key) {
  return args.contains(key) ? args[key].dump() : "-";
}

/// The columns as ReadingText writes them, straight from the DOM.
class SlowReader {
 public:
  explicit SlowReader(const json& root)
      : base_(root.contains("baseTimeNanoseconds") ? root["baseTimeNanoseconds"].get<std::int64_t>()
                                                   : 0) {
    for (const json& event : root["traceEvents"]) {
      if (event.value("ph", "") == "X") {
        add(event);
      }
    }
  }

  [[nodiscard]] std::string columns() const { return spans_ + calls_ + device_ + auxiliary_; }

 private:
  void add(const json& event) {
    const std::string category = event.value("cat", "");
    const json args = event.contains("args") ? event["args"] : json::object();
    const std::string name = event["name"].get<std::string>();
    const std::string thread = field(event, "pid") + "|" + field(event, "tid") + "|\n";
    const std::string external = or_zero(field(args, "External id")) + "|";
    const std::string correlation = or_zero(field(args, "correlation")) + "|";
    if (category == "cpu_op") {
      spans_ += "op|" + times(event) + name + "|" + json_or_dash(args, "Input Dims") + "|" +
                json_or_dash(args, "Input type") + "|" + json_or_dash(args, "Input Strides") + "|" +
                json_or_dash(args, "Concrete Inputs") + "|" + external + thread;
    } else if (category == "user_annotation") {
      spans_ += "annotation|" + times(event) + name + "|-|-|-|-|" + external + thread;
    } else if (category == "cuda_runtime") {
      const std::string dims = args.contains("grid") ? dim3(args) : "-|";
      calls_ += "call|" + times(event) + name + "|" + or_dash(field(args, "kernel")) + "|" + dims +
                correlation + external + std::to_string(static_cast<int>(classify_api_call(name))) +
                "|" + thread;
    } else if (category == "kernel" || category == "gpu_memcpy") {
      device_ += (category == "kernel" ? "kernel|" : "memcpy|") + times(event) + name + "|" +
                 dim3(args) + correlation + external + or_zero(field(args, "graph node id")) + "|" +
                 field(args, "device") + "|" + field(args, "stream") + "|-|\n";
    } else if (category == "overhead") {
      auxiliary_ += "overhead|" + times(event) + name + "|" + external + thread;
    }
  }

  static std::string or_zero(const std::string& text) { return text.empty() ? "0" : text; }

  [[nodiscard]] std::string times(const json& event) const {
    const std::int64_t start = parse_decimal(field(event, "ts"), 3).value();
    const std::int64_t duration = parse_decimal(field(event, "dur"), 3).value();
    return std::to_string(start + base_) + "|" + std::to_string(duration) + "|";
  }

  std::int64_t base_;
  std::string spans_;
  std::string calls_;
  std::string device_;
  std::string auxiliary_;
};

/// Writes random events with random layout.
class Generator {
 public:
  explicit Generator(std::uint32_t seed) : random_(seed) {}

  std::string trace() {
    std::string events;
    const int count = pick(400);
    for (int i = 0; i < count; ++i) {
      events += (i == 0 ? "" : ",") + space() + event();
    }
    const std::string array = "\"traceEvents\":" + space() + "[" + events + space() + "]";
    const std::string base = "\"baseTimeNanoseconds\":" + space() + "1790857026000000000";
    return pick(2) == 0 ? "{" + array + "," + base + "}" : "{" + base + "," + space() + array + "}";
  }

 private:
  using Fields = std::vector<std::pair<std::string, std::string>>;

  int pick(int below) { return std::uniform_int_distribution<int>(0, below - 1)(random_); }

  std::string space() {
    static constexpr std::string_view kSpaces[] = {"", "", " ", "\n  ", "\r\n\t"};
    return std::string(kSpaces[pick(5)]);
  }

  std::string quoted(std::string_view text) { return "\"" + std::string(text) + "\""; }

  std::string object(Fields fields) {
    std::ranges::shuffle(fields, random_);
    std::string text = "{";
    for (const auto& [key, value] : fields) {
      text += (text.size() == 1 ? "" : ",") + space() + quoted(key) + space() + ":" + space() +
              value + space();
    }
    return text + "}";
  }

  std::string time() {
    std::string text = std::to_string(random_());
    if (pick(3) != 0) {
      text += "." + std::to_string(100 + pick(900));
    }
    return pick(6) == 0 ? quoted(text) : text;
  }

  std::string name(std::string_view stem) {
    static constexpr std::string_view kTails[] = {"",
                                                  "<4>",
                                                  "{lambda()#1}::operator()",
                                                  "\\\"quoted\\\"",
                                                  "\\\\back",
                                                  "é\\u00e9",
                                                  "},{",
                                                  "[0]"};
    return quoted(std::string(stem) + std::string(kTails[pick(8)]) +
                  std::string(static_cast<std::size_t>(pick(90)), 'x'));
  }

  std::string dims() {
    return "[[" + std::to_string(pick(9)) + "," + space() + "64]," + space() + "[]]";
  }

  std::string event() {
    switch (pick(8)) {
      case 0:
        return row("cpu_op", name("aten::mm"), host_args());
      case 1:
        return row("user_annotation", name("step"), {{"External id", id()}});
      case 2:
        return row("cuda_runtime",
                   quoted("cudaLaunchKernel"),
                   {{"External id", id()}, {"correlation", id()}, {"cbid", "211"}});
      case 3:
        return row("cuda_runtime",
                   quoted("hipLaunchKernel"),
                   {{"kernel", name("k")},
                    {"correlation", id()},
                    {"grid", "[1,2, 3]"},
                    {"block", "[64,1,1]"}});
      case 4:
        return row("kernel", name("gemm"), device_args());
      case 5:
        return row("gpu_memcpy", name("Memcpy"), {{"device", "1"}, {"stream", "20"}});
      case 6:
        return row("python_function", name("f"), {{"Python id", id()}});
      default:
        return object({{"ph", quoted("s")},
                       {"id", id()},
                       {"cat", quoted("ac2g")},
                       {"name", quoted("ac2g")},
                       {"ts", time()}});
    }
  }

  Fields host_args() {
    Fields fields{{"External id", id()}, {"Concrete Inputs", R"(["", "[1, 2]"])"}};
    if (pick(4) != 0) {
      fields.emplace_back("Input Dims", dims());
    }
    if (pick(2) != 0) {
      fields.emplace_back("Input Strides", dims());
    }
    if (pick(4) != 0) {
      fields.emplace_back("Input type", R"(["c10::BFloat16", "Scalar"])");
    }
    return fields;
  }

  Fields device_args() {
    return {{"device", std::to_string(pick(8))},
            {"stream", std::to_string(pick(30))},
            {"correlation", id()},
            {"graph node id", std::to_string((std::uint64_t{random_()} << 32U) | random_())},
            {"grid", "[" + std::to_string(pick(9)) + ", 1, 1]"},
            {"block", "[256, 1, 1]"},
            {"blocks per SM", "0.25"}};
  }

  std::string id() { return std::to_string(random_()); }

  std::string row(std::string_view category, const std::string& row_name, const Fields& args) {
    return object({{"ph", quoted("X")},
                   {"cat", quoted(category)},
                   {"name", row_name},
                   {"pid", pick(2) == 0 ? "445" : quoted("Spans")},
                   {"tid", std::to_string(pick(3))},
                   {"ts", time()},
                   {"dur", time()},
                   {"args", object(args)}});
  }

  std::mt19937 random_;
};

TEST(KinetoDifferential, TheFastReaderReadsWhatTheSlowOneReads) {
  std::size_t rows = 0;
  for (std::uint32_t seed = 0; seed < 40; ++seed) {
    const std::string content = Generator(seed).trace();
    const std::string slow = SlowReader(parse_exactly(content)).columns();
    for (const std::size_t chunk : {std::size_t{61}, std::size_t{4096}, std::size_t{4} << 20}) {
      const auto reading = read_in_chunks(content, chunk);
      ASSERT_FALSE(reading.error) << reading.error->message;
      ASSERT_EQ(ReadingText(reading).columns(), slow) << "seed " << seed << " chunk " << chunk;
      ASSERT_FALSE(reading.trace().diagnostics.has(Severity::DataLoss));
    }
    rows += static_cast<std::size_t>(std::ranges::count(slow, '\n'));
  }
  EXPECT_GT(rows, 1000U);
}

}  // namespace
}  // namespace opcensus::import

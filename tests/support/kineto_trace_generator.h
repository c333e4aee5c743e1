// SPDX-License-Identifier: Apache-2.0
//
// For tests: writes valid JSON that is a trace, or nearly one, in any layout: keys in any order,
// white space, escapes, every form of numbers, odd types, things left out. The choices come from
// the caller: random numbers, or the bytes of a fuzzer.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace opcensus::import::testing {

class TraceGenerator {
 public:
  /// The next choice, 0..255; zeros make everything plain and end the trace soon.
  using Choose = std::function<std::uint8_t()>;

  explicit TraceGenerator(Choose choose) : choose_(std::move(choose)) {}

  /// Of at most so many events.
  std::string trace(std::size_t max_events) {
    std::string events;
    for (std::size_t i = 0; i < max_events && (i == 0 || choose_() != 0); ++i) {
      events += (i == 0 ? "" : ",") + space() + element();
    }
    events = "[" + events + space() + "]";
    if (one_of(20)) {
      return space() + events + space();
    }
    Fields keys{{"traceEvents", events}};
    if (!one_of(4)) {
      keys.emplace_back("baseTimeNanoseconds", base_time());
    }
    if (one_of(3)) {
      keys.emplace_back("schemaVersion", "1");
      keys.emplace_back("distributedInfo", R"({"backend": "nccl", "rank": 3, "world_size": 8})");
    }
    if (one_of(6)) {
      keys.emplace_back(pick({"traceName", "other"}), any_value());
    }
    return space() + object(std::move(keys), false) + space();
  }

 private:
  using Fields = std::vector<std::pair<std::string, std::string>>;

  /// Never if the choices are zeros.
  bool one_of(unsigned count) { return choose_() % count == count - 1; }

  std::size_t below(std::size_t count) { return choose_() % count; }

  std::string pick(std::initializer_list<std::string_view> texts) {
    return std::string(texts.begin()[below(texts.size())]);
  }

  static std::string quoted(std::string_view text) { return "\"" + std::string(text) + "\""; }

  std::string space() { return one_of(8) ? pick({" ", "\n  ", "\r\n\t", "      "}) : ""; }

  std::string key(std::string_view name) {
    if (name.size() > 1 && one_of(60)) {
      constexpr std::string_view kHex = "0123456789abcdef";
      const auto c = static_cast<unsigned char>(name[1]);
      return quoted(std::string(name.substr(0, 1)) + "\\u00" + kHex[c >> 4U] + kHex[c & 15U] +
                    std::string(name.substr(2)));
    }
    return quoted(name);
  }

  std::string object(Fields fields, bool may_be_odd = true) {
    if (one_of(2)) {
      for (std::size_t i = fields.size(); i > 1; --i) {
        std::swap(fields[i - 1], fields[below(i)]);
      }
    }
    std::string text = "{";
    for (const auto& [name, value] : fields) {
      if (may_be_odd && one_of(80)) {
        continue;
      }
      text += (text.size() == 1 ? "" : ",") + space();
      text += (may_be_odd ? key(name) : quoted(name)) + space() + ":" + space();
      text += (may_be_odd && one_of(60) ? any_value() : value) + space();
    }
    return text + "}";
  }

  std::string any_value() {
    return pick({"null",
                 "true",
                 "false",
                 "0",
                 "-0",
                 "7",
                 "7.0",
                 "2.5",
                 "1e2",
                 "-12",
                 "\"\"",
                 "\" 12 \"",
                 "\"7.0\"",
                 "\"x\"",
                 "\"}, {\\\"ph\\\": \\\"X\\\"\"",
                 "{}",
                 "[]",
                 "[[1, 2], [ ]]",
                 "[1,[2,3],4]",
                 "[1,2.5,3]",
                 "[1,2,3.5]",
                 "[4294967295,1,1]",
                 "[4294967296,1,1]",
                 "[\"]\", \"a\\\\\"]",
                 R"({"ph": "X"})",
                 R"([{"ph": "f"}, {"ph" : "X", "cat": "kernel"}])",
                 R"({"traceEvents": [1]})",
                 "18446744073709551615",
                 "9223372036854775807",
                 "-9223372036854775808"});
  }

  std::string wide_number() {
    std::uint64_t number = 0;
    for (std::size_t bytes = 1 + below(8); bytes > 0; --bytes) {
      number = (number << 8U) | choose_();
    }
    return std::to_string(number);
  }

  std::string digits(std::size_t count) {
    std::string text;
    for (; count > 0; --count) {
      text += static_cast<char>('0' + below(10));
    }
    return text;
  }

  std::string time() {
    std::string text = one_of(3) ? wide_number() : std::to_string(below(200));
    if (one_of(2)) {
      text += "." + digits(one_of(6) ? 1 + below(12) : 3);
    }
    if (one_of(16)) {
      text += pick({"e", "E", "e+", "E-"}) + std::to_string(below(30));
    }
    if (one_of(30) && text.size() < 19) {
      text.insert(0, "-");
    }
    if (one_of(12)) {
      return quoted(pick({"", " ", "+", "\\t"}) + text + pick({"", " ", "."}));
    }
    return text;
  }

  std::string base_time() {
    return pick({"1790857026000000000",
                 "0",
                 "\"1790857026000000000\"",
                 "-5",
                 "1.5e3",
                 "4611686018427387904",
                 "4611686018427387905",
                 "null",
                 "true",
                 "\"\"",
                 "[1]"});
  }

  std::string id() {
    if (one_of(12)) {
      return pick({"0", "-1", "12.0", "\"12\"", "18446744073709551615", "1e3", "\" 5 \"", "0.5"});
    }
    return one_of(4) ? wide_number() : std::to_string(below(6));
  }

  std::string name(std::string_view stem) {
    std::string text(stem);
    if (one_of(2)) {
      text += pick({"<4>",
                    "{lambda()#1}::operator()",
                    "\\\"quoted\\\"",
                    "\\\\back",
                    "\\\\",
                    "é\\u00e9",
                    "},{",
                    "[0]",
                    "\\ud83d\\ude00",
                    "\\/\\b\\f\\n\\r\\t",
                    "\\u0000",
                    "\\\"ph\\\"",
                    "\x7F"});
    }
    if (one_of(10)) {
      text.append(below(90), 'x');
    }
    return quoted(text);
  }

  std::string dims() {
    return one_of(6) ? any_value()
                     : "[[" + std::to_string(below(9)) + "," + space() + "64]," + space() + "[]]";
  }

  std::string dim3() {
    return one_of(8) ? any_value() : "[" + std::to_string(below(9)) + "," + space() + "1, 1]";
  }

  std::string element() { return one_of(60) ? any_value() : event(); }

  std::string event() {
    switch (below(12)) {
      case 0:
        return row(pick({"cpu_op", "Operator"}), name("aten::mm"), host_args());
      case 1:
        return row("user_annotation", name("step"), {{"External id", id()}});
      case 2:
        return row(pick({"cuda_runtime", "cuda_driver", "hpu_op"}),
                   pick({"\"cudaLaunchKernel\"", "\"cudaGraphLaunch\"", "\"cudaMemcpyAsync\""}),
                   {{"External id", id()}, {"correlation", id()}, {"cbid", "211"}});
      case 3:
        return row(
            "cuda_runtime",
            quoted("hipLaunchKernel"),
            {{"kernel", name("k")}, {"correlation", id()}, {"grid", dim3()}, {"block", dim3()}});
      case 4:
      case 5:
        return row(pick({"kernel", "Kernel", "gpu_memset"}), name("gemm"), device_args());
      case 6:
        return row("gpu_memcpy", name("Memcpy"), {{"device", "1"}, {"stream", "20"}});
      case 7:
        return row("python_function", name("f"), {{"Python id", id()}});
      case 8:
        return row(
            pick({"overhead", "gpu_user_annotation", "mtia_ccp_events", "collective_comm", ""}),
            pick({"\"o\"", "\"dma_request\"", "\"event_wait\"", "null", "7"}),
            {{"stream", id()}, {"correlation", id()}});
      case 9:
        return row("kernel", name("m"), graph_node_args());
      case 10:
        return begin_or_end();
      default:
        return object({{"ph", quoted(pick({"s", "f", "i", "M", "XX", ""}))},
                       {"id", id()},
                       {"cat", quoted(pick({"ac2g", "fwdbwd", "kernel", ""}))},
                       {"name", quoted("ac2g")},
                       {"ts", time()}});
    }
  }

  std::string begin_or_end() {
    return object({{"ph", quoted(pick({"B", "E"}))},
                   {"cat", quoted(pick({"cpu_op", "kernel", "cuda_runtime", "x"}))},
                   {"name", name("b")},
                   {"pid", std::to_string(below(2))},
                   {"tid", "1"},
                   {"ts", time()}});
  }

  Fields host_args() {
    Fields fields{{pick({"External id", "external id"}), id()}};
    if (!one_of(4)) {
      fields.emplace_back(pick({"Input Dims", "Input dims"}), dims());
    }
    if (one_of(2)) {
      fields.emplace_back("Input Strides", dims());
      fields.emplace_back("Concrete Inputs", R"(["", "[1, 2]", "a\"b\\"])");
    }
    if (!one_of(4)) {
      fields.emplace_back("Input type", R"(["c10::BFloat16", "Scal\u0061r"])");
    }
    return fields;
  }

  Fields device_args() {
    return {{"device", std::to_string(below(8))},
            {pick({"stream", "streamId", "sycl queue"}), id()},
            {"correlation", id()},
            {"External id", id()},
            {"graph node id", id()},
            {"grid", dim3()},
            {"block", "[256, 1, 1]"},
            {"blocks per SM", "0.25"}};
  }

  Fields graph_node_args() {
    return {{pick({"tasktopo", "tasktopo_x"}), id()},
            {pick({"tasktopo_node", "tasktopo node"}), id()},
            {pick({"tasktopo_external_id", "tasktopo external id"}), id()},
            {pick({"tasktopo_external_op", "tasktopo external op"}), name("aten::mul")},
            {"extra", object({{"dimx", id()}, {"dimy", id()}, {"kind", any_value()}})},
            {"dimz", id()}};
  }

  std::string row(std::string_view category, const std::string& row_name, const Fields& args) {
    return object({{"ph", quoted("X")},
                   {"cat", quoted(category)},
                   {"name", row_name},
                   {"pid", pick({"445", "\"Spans\"", "\"[TP0] 3\"", "0", "\"[\"", "\"\""})},
                   {"tid", pick({"0", "1", "\"stream 97\"", "7.5", "\" 12\"", "\"a\\u0062\""})},
                   {"ts", time()},
                   {"dur", time()},
                   {"args", object(args)}});
  }

  Choose choose_;
};

}  // namespace opcensus::import::testing

// SPDX-License-Identifier: Apache-2.0
//
// The fast reader against the slow one. Bytes that begin with a bracket are JSON as it is; any
// others are the choices of a generator, which makes valid traces of them. Rows, counts and issues
// must be the same wherever good readers cannot differ.
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>

#include <nlohmann/json.hpp>

#include "src/import/kineto/kineto_test_support.h"

#include "tests/support/kineto_trace_generator.h"
#include "tests/support/slow_kineto_reader.h"

namespace {

using opcensus::import::testing::RawDocument;
using opcensus::import::testing::Reading;
using opcensus::import::testing::SlowReader;

constexpr std::size_t kMostEvents = 12;

void require(bool condition, const char* what) {
  if (!condition) {
    std::fprintf(stderr, "%s\n", what);
    std::abort();
  }
}

std::string generated(std::string_view choices) {
  opcensus::import::testing::TraceGenerator generator([&choices] {
    if (choices.empty()) {
      return std::uint8_t{0};
    }
    const auto choice = static_cast<std::uint8_t>(choices.front());
    choices.remove_prefix(1);
    return choice;
  });
  std::string content = generator.trace(kMostEvents);
  require(nlohmann::json::accept(content), "the generator writes no JSON");
  return content;
}

Reading read(const std::string& content) {
  opcensus::import::KinetoOptions options;
  options.chunk_bytes = 1 + content.size() % 97;
  options.run_bytes = 1 + content.size() % 997;
  return opcensus::import::testing::read_text(content, options);
}

void show_difference(const std::string& content, const std::string& fast, const std::string& slow) {
  std::size_t at = 0;
  while (at < fast.size() && at < slow.size() && fast[at] == slow[at]) {
    ++at;
  }
  const std::size_t newline = fast.rfind('\n', at == 0 ? 0 : at - 1);
  const std::size_t line = newline == std::string::npos ? 0 : newline + 1;
  std::fprintf(stderr,
               "content %s\nfast %s\nslow %s\n",
               content.c_str(),
               fast.substr(line, 500).c_str(),
               slow.substr(line, 500).c_str());
}

}  // namespace

// NOLINTNEXTLINE(readability-identifier-naming): libFuzzer's name
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  const bool is_json = bytes.starts_with('{') || bytes.starts_with('[');
  const std::string content = is_json ? std::string(bytes) : generated(bytes);
  const auto root = RawDocument::parse(content);
  if (!root) {
    return 0;
  }
  const SlowReader slow(*root);
  if (slow.has_flow_links()) {
    return 0;
  }
  const Reading reading = read(content);
  if (reading.error) {
    require(slow.events() == 0, "valid JSON with events is refused");
    return 0;
  }
  const std::string text = opcensus::import::testing::text_of_reading(reading);
  if (text != slow.text()) {
    show_difference(content, text, slow.text());
    require(false, "the two readers differ");
  }
  return 0;
}

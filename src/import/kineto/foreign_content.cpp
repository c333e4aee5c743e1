// SPDX-License-Identifier: Apache-2.0
#include "src/import/kineto/foreign_content.h"

#include <algorithm>
#include <array>
#include <string>
#include <utility>

#include "src/import/kineto/json_text.h"

namespace opcensus::import {
namespace {

struct KnownContent {
  std::string_view mark;
  std::string_view what;
  std::string_view hint;
};

constexpr std::string_view kWantTrace =
    "give a Kineto trace (*.pt.trace.json, *.trace.json.gz) as torch.profiler writes it";

// By the first bytes.
constexpr std::array kHeads{
    KnownContent{"version https://git-lfs",
                 "a Git LFS pointer, not the file itself",
                 "fetch the content: git lfs pull"},
    KnownContent{
        "<", "an HTML or XML page", "the download failed, or needs a login: fetch it again"},
    KnownContent{std::string_view("SQLite format 3\0", 16),
                 "an SQLite database",
                 "give the trace that the profiler wrote as JSON"},
    KnownContent{"PK\x03\x04", "a zip archive", "unpack it and give the folder"},
    KnownContent{"\x7F"
                 "ELF",
                 "a program or library",
                 kWantTrace},
    KnownContent{"\x80", "a Python pickle or other binary data", kWantTrace},
};

// By the first key of the root object.
constexpr std::array kRootKeys{
    KnownContent{"rocprofiler-sdk-tool",
                 "the output of rocprofv3, which opcensus does not read",
                 "profile with torch.profiler, or run rocprofv3 with another output format"},
    KnownContent{"schema", "a PyTorch execution trace, which has shapes but no times", kWantTrace},
    KnownContent{"config", "a profiler's configuration file", kWantTrace},
    KnownContent{"nodes", "a graph, not a trace", kWantTrace},
};

bool is_binary(std::string_view head) {
  return std::ranges::any_of(head.substr(0, 64), [](char c) {
    return static_cast<unsigned char>(c) < 0x20 && !is_json_space(c);
  });
}

Error not_a_trace(std::string_view what, std::string_view hint) {
  std::string message("not a trace: ");
  message.append(what);
  return Error{ErrorCode::NotATrace, std::move(message), {}, {}, std::string(hint)};
}

/// A key of an untrusted file, short enough for a message; control characters left out.
std::string shown_key(std::string_view key) {
  std::string shown;
  for (const char c : key.substr(0, 60)) {
    shown.push_back(static_cast<unsigned char>(c) < 0x20 ? '?' : c);
  }
  return shown;
}

}  // namespace

std::optional<Error> describe_foreign_head(std::string_view head) {
  if (head.starts_with('{') || head.starts_with('[')) {
    return std::nullopt;
  }
  for (const KnownContent& known : kHeads) {
    if (head.starts_with(known.mark)) {
      return not_a_trace(known.what, known.hint);
    }
  }
  if (is_binary(head)) {
    return not_a_trace("binary data (a protobuf, such as an xplane.pb, has no trace events)",
                       kWantTrace);
  }
  return not_a_trace("text that is not JSON", kWantTrace);
}

Error describe_foreign_object(std::string_view first_key) {
  const auto* const known = std::ranges::find(kRootKeys, first_key, &KnownContent::mark);
  if (known != kRootKeys.end()) {
    return not_a_trace(known->what, known->hint);
  }
  std::string what("JSON without traceEvents");
  if (!first_key.empty()) {
    what.append(" (its first key is \"").append(shown_key(first_key)).append("\")");
  }
  return not_a_trace(what, kWantTrace);
}

Error describe_foreign_array() {
  return not_a_trace("a JSON array in which no element is a trace event (a memory timeline?)",
                     kWantTrace);
}

}  // namespace opcensus::import

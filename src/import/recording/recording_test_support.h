// SPDX-License-Identifier: Apache-2.0
//
// Shared by the tests of this folder and the fuzz target.
#pragma once

#include <algorithm>
#include <cstring>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "src/import/recording/recording_reader.h"

namespace opcensus::import::testing {

/// Content in memory, a few bytes at a time.
class DribblingSource final : public ByteSource {
 public:
  DribblingSource(std::string_view content, std::size_t step) : content_(content), step_(step) {}

  Result<std::size_t> read(std::span<char> buffer) override {
    const std::size_t count = std::min({buffer.size(), content_.size() - at_, step_});
    if (count > 0) {
      std::memcpy(buffer.data(), content_.data() + at_, count);
    }
    at_ += count;
    return count;
  }

  [[nodiscard]] std::uint64_t consumed() const override { return at_; }

  [[nodiscard]] std::uint64_t total() const override { return content_.size(); }

 private:
  std::string_view content_;
  std::size_t step_;
  std::size_t at_ = 0;
};

struct Reading {
  Model model;
  std::optional<Error> error;

  [[nodiscard]] const Trace& trace() const { return model.traces.at(0); }

  /// "operator shapes" of a signature; "-" for none().
  [[nodiscard]] std::string text(SignatureId id) const {
    if (id.is_none()) {
      return "-";
    }
    const Signature& signature = model.signatures[id];
    std::string text(model.strings.view(signature.operator_name));
    const std::string_view shapes = model.strings.view(signature.input_shapes);
    return shapes.empty() ? text : text + " " + std::string(shapes);
  }

  [[nodiscard]] std::string text(StringId id) const { return std::string(model.strings.view(id)); }

  /// "node <- origin: operator" of each graph node, one a line; nodes as graph:index.
  [[nodiscard]] std::string graph_nodes() const {
    const auto name = [](std::uint64_t node) {
      return std::to_string(node >> 32U) + ":" + std::to_string(node & 0xffffffffU);
    };
    std::string out;
    for (const GraphNodeRow& row : trace().graph_nodes) {
      out += name(row.node) + " <- " + name(row.origin) + ": " + text(row.signature) + "\n";
    }
    return out;
  }
};

[[nodiscard]] inline Reading read_bytes(std::string_view content,
                                        const RecordingOptions& options = {},
                                        std::size_t step = std::size_t{1} << 20) {
  Reading reading;
  DribblingSource source(content, step);
  auto status = read_recording(source, "run.ocrec", options, reading.model);
  if (!status) {
    reading.error = std::move(status).error();
  }
  return reading;
}

}  // namespace opcensus::import::testing

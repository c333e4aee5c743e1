// SPDX-License-Identifier: Apache-2.0
#include "src/attribute/annotation_names.h"

#include <charconv>

namespace opcensus {
namespace {

/// Takes text off the front of a view.
class Scanner {
 public:
  explicit Scanner(std::string_view text) : rest_(text) {}

  bool accept(std::string_view literal) {
    if (!rest_.starts_with(literal)) {
      return false;
    }
    rest_.remove_prefix(literal.size());
    return true;
  }

  std::optional<std::int64_t> number() {
    std::int64_t value = 0;
    const auto [end, error] = std::from_chars(rest_.data(), rest_.data() + rest_.size(), value);
    if (error != std::errc() || value < 0) {
      return std::nullopt;
    }
    rest_.remove_prefix(static_cast<std::size_t>(end - rest_.data()));
    return value;
  }

  /// Everything up to `stop`, which is taken too; nullopt if there is no `stop`.
  std::optional<std::string_view> until(char stop) {
    const std::size_t at = rest_.find(stop);
    if (at == std::string_view::npos) {
      return std::nullopt;
    }
    const std::string_view text = rest_.substr(0, at);
    rest_.remove_prefix(at + 1);
    return text;
  }

  [[nodiscard]] std::string_view rest() const { return rest_; }

 private:
  std::string_view rest_;
};

StepKind kind_of(std::int64_t prefill, std::int64_t decode) {
  if (prefill > 0 && decode > 0) {
    return StepKind::Mixed;
  }
  if (prefill > 0) {
    return StepKind::Prefill;
  }
  return decode > 0 ? StepKind::Decode : StepKind::Other;
}

struct RequestGroup {
  std::int64_t requests = 0;
  std::int64_t tokens = -1;
};

/// `3(120)` or `3(sq120sk900sqsq…sqsk…)`: requests, and tokens where a number leads the brackets.
std::optional<RequestGroup> scan_group(Scanner& scan) {
  RequestGroup group;
  const auto requests = scan.number();
  if (!requests || !scan.accept("(")) {
    return std::nullopt;
  }
  group.requests = *requests;
  const auto inside = scan.until(')');
  if (!inside) {
    return std::nullopt;
  }
  Scanner tokens(*inside);
  tokens.accept("sq");
  group.tokens = tokens.number().value_or(-1);
  return group;
}

std::optional<StepAnnotation> parse_vllm_step(std::string_view name) {
  Scanner scan(name);
  const bool has_prefix = scan.accept("execute_");
  std::int64_t total = -1;
  if (has_prefix && !scan.rest().starts_with("context_")) {
    const auto number = scan.number();
    if (!number || !scan.accept("_")) {
      return std::nullopt;
    }
    total = *number;
  }
  if (!scan.accept("context_")) {
    return std::nullopt;
  }
  const auto context = scan_group(scan);
  if (!context || !scan.accept("_generation_")) {
    return std::nullopt;
  }
  const auto generation = scan_group(scan);
  if (!generation) {
    return std::nullopt;
  }
  StepAnnotation step{kind_of(context->requests, generation->requests), total};
  if (total < 0 && context->tokens >= 0 && generation->tokens >= 0) {
    step.tokens = context->tokens + generation->tokens;
  }
  return step;
}

std::optional<StepAnnotation> parse_old_vllm_step(std::string_view name) {
  Scanner scan(name);
  if (!scan.accept("execute_new_")) {
    return std::nullopt;
  }
  const auto fresh = scan.number();
  if (!fresh || !scan.accept("_cached_")) {
    return std::nullopt;
  }
  const auto cached = scan.number();
  if (!cached) {
    return std::nullopt;
  }
  return StepAnnotation{kind_of(*fresh, *cached), *fresh == 0 ? *cached : -1};
}

/// The number after `key` where `key` starts a word; -1 if there is none.
std::int64_t number_after(std::string_view text, std::string_view key) {
  for (std::size_t at = text.find(key); at != std::string_view::npos; at = text.find(key, at + 1)) {
    const bool starts_word =
        at == 0 || text[at - 1] == ' ' || text[at - 1] == '[' || text[at - 1] == ',';
    if (starts_word) {
      Scanner scan(text.substr(at + key.size()));
      return scan.number().value_or(-1);
    }
  }
  return -1;
}

std::optional<StepAnnotation> parse_bracket_step(std::string_view name) {
  Scanner scan(name);
  StepAnnotation step;
  if (scan.accept("step[DECODE") || scan.accept("decode[")) {
    step.kind = StepKind::Decode;
    step.tokens = number_after(name, "bs=");
  } else if (scan.accept("step[EXTEND") || scan.accept("step[PREFILL") || scan.accept("prefill[")) {
    step.kind = StepKind::Prefill;
    step.tokens = number_after(name, "toks=");
  } else if (scan.accept("step[MIXED")) {
    step.kind = StepKind::Mixed;
    step.tokens = number_after(name, "toks=");
  } else if (!scan.accept("step[")) {
    return std::nullopt;
  }
  return step;
}

}  // namespace

std::optional<StepAnnotation> parse_step_annotation(std::string_view name) {
  if (name == "prefill") {
    return StepAnnotation{StepKind::Prefill, -1};
  }
  if (name == "decode") {
    return StepAnnotation{StepKind::Decode, -1};
  }
  if (name.starts_with("ProfilerStep#") || name.starts_with("execute_diffusion_")) {
    return StepAnnotation{};
  }
  if (auto step = parse_vllm_step(name)) {
    return step;
  }
  if (auto step = parse_old_vllm_step(name)) {
    return step;
  }
  return parse_bracket_step(name);
}

std::optional<CaptureAnnotation> parse_capture_annotation(std::string_view name) {
  Scanner scan(name);
  if (!scan.accept("capture_") && !scan.accept("capture ")) {
    return std::nullopt;
  }
  if (!scan.accept("bs=")) {
    scan.accept("bs_");
  }
  const auto size = scan.number();
  if (!size) {
    return std::nullopt;
  }
  return CaptureAnnotation{*size};
}

std::optional<std::int64_t> parse_capture_file_batch_size(std::string_view path) {
  const std::size_t slash = path.rfind('/');
  const std::string_view name = slash == std::string_view::npos ? path : path.substr(slash + 1);
  for (std::size_t at = name.find("bs_"); at != std::string_view::npos;
       at = name.find("bs_", at + 1)) {
    if (at == 0 || name[at - 1] == '_') {
      Scanner scan(name.substr(at + 3));
      return scan.number();
    }
  }
  return std::nullopt;
}

}  // namespace opcensus

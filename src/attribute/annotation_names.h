// SPDX-License-Identifier: Apache-2.0
//
// What engines write into user annotations: the kind and size of a step, and which graph is being
// captured. Spellings seen in vLLM, SGLang, ATOM and xDiT traces; docs/glossary.md lists them.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "src/attribute/vocabulary.h"

namespace opcensus {

struct StepAnnotation {
  StepKind kind = StepKind::Other;
  std::int64_t tokens = -1;  ///< tokens (decode: = batch size) of the step; -1 if not written
};

/// `execute_context_0(0)_generation_8(8)`, `execute_32_context_0(sq…)_generation_32(sq…)`,
/// `execute_new_2_cached_6`, `step[DECODE bs=8]`, `step[EXTEND bs=2 toks=900]`, `decode[bs=8]`,
/// `prefill`, `ProfilerStep#3`. nullopt for any other name.
[[nodiscard]] std::optional<StepAnnotation> parse_step_annotation(std::string_view name);

struct CaptureAnnotation {
  std::int64_t batch_size = 0;
};

/// `capture_32_FULL`, `capture_8_draft_PIECEWISE`, `capture bs=8`. nullopt for any other name.
[[nodiscard]] std::optional<CaptureAnnotation> parse_capture_annotation(std::string_view name);

/// `…/bs_32_rank0.json.gz`, `…_bs_32_…`: SGLang's one trace per captured size. nullopt if absent.
[[nodiscard]] std::optional<std::int64_t> parse_capture_file_batch_size(std::string_view path);

}  // namespace opcensus

// SPDX-License-Identifier: Apache-2.0
//
// What programs write into NVTX ranges.
//
// PyTorch (torch.autograd.profiler.emit_nvtx, nsys --pytorch=autograd-nvtx and
// autograd-shapes-nvtx) writes one range an operator: the name, then those of these fields that it
// has, in this order:
//   aten::mm, seq = 42, op_id = 12, sizes = [[8, 16], [16, 4]], input_op_ids = [(11,0), (0,-1)]
// The layer-wise markers of vLLM, SGLang and TensorRT-LLM write a Python dictionary:
//   {'Module': 'model.layers.0.mlp', 'TrainableParams': {…}, 'Inputs': [[8, 4096]]}
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace opcensus::import {

enum class RangeKind : std::uint8_t {
  Operator,    ///< of PyTorch
  Annotation,  ///< record_function in PyTorch: the text has an op_id, and names no operator
  Module,      ///< a layer-wise marker
  Other,
};

struct RangeText {
  RangeKind kind = RangeKind::Other;
  std::string name;
  std::string shapes;  ///< compact JSON; empty if not written
};

[[nodiscard]] RangeText parse_range_text(std::string_view text);

/// A list of lists of numbers, such as `[[8, 16], []]`, without spaces; nullopt for anything else.
/// What follows the list is left in `text`.
[[nodiscard]] std::optional<std::string> take_shapes(std::string_view& text);

}  // namespace opcensus::import

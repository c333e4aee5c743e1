// SPDX-License-Identifier: Apache-2.0
//
// Shapes and dtypes for a screen: [[8,128,1024],[2048,1024],[]] becomes
// "[8,128,1024] [2048,1024]", ["c10::BFloat16","c10::BFloat16","Scalar"] becomes "bf16". Files
// carry the full JSON.
#pragma once

#include <string>

#include "src/census/census.h"

namespace opcensus {

/// A signature without recorded shapes shows this.
inline constexpr const char* kUnknownShapes = "?";

struct SignatureDisplay {
  std::string shapes;  ///< inputs by position; scalars "-", trailing ones left out
  std::string dtypes;  ///< of the tensors; one word if all are equal; may be empty
};

[[nodiscard]] SignatureDisplay display_signature(const CensusSignature& signature);

}  // namespace opcensus

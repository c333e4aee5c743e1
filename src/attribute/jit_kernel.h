// SPDX-License-Identifier: Apache-2.0
//
// A Triton kernel that Python launches directly runs under no framework operator. It is an
// operator itself: its name is what its author called it. Only launches out of a loaded module
// whose kernel is a plain identifier count; a C++ name belongs to some library's operator.
#pragma once

#include "src/model/model.h"

namespace opcensus {

/// The kernel as an operator without shapes; none() if it is no such kernel.
[[nodiscard]] SignatureId jit_kernel_signature(Model& model,
                                               const ApiCall& launch,
                                               StringId kernel);

/// The same where the launch was not recorded: the kernel's name alone decides.
[[nodiscard]] SignatureId jit_kernel_signature(Model& model, StringId kernel);

}  // namespace opcensus

// SPDX-License-Identifier: Apache-2.0
#include "src/attribute/jit_kernel.h"

#include <algorithm>
#include <cctype>
#include <string_view>

namespace opcensus {
namespace {

bool is_plain_identifier(std::string_view name) {
  const bool is_mangled = name.starts_with("_Z");
  return !name.empty() && !is_mangled && std::all_of(name.begin(), name.end(), [](unsigned char c) {
    return std::isalnum(c) != 0 || c == '_';
  });
}

}  // namespace

SignatureId jit_kernel_signature(Model& model, const ApiCall& launch, StringId kernel) {
  return launches_module_function(model.strings.view(launch.name))
             ? jit_kernel_signature(model, kernel)
             : SignatureId::none();
}

SignatureId jit_kernel_signature(Model& model, StringId kernel) {
  return is_plain_identifier(model.strings.view(kernel))
             ? model.signatures.intern({kernel, StringId::none(), StringId::none()})
             : SignatureId::none();
}

}  // namespace opcensus

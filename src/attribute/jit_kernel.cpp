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
  const bool is_jit = launches_module_function(model.strings.view(launch.name)) &&
                      is_plain_identifier(model.strings.view(kernel));
  if (!is_jit) {
    return SignatureId::none();
  }
  return model.signatures.intern({kernel, StringId::none(), StringId::none()});
}

}  // namespace opcensus

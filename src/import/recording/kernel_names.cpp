// SPDX-License-Identifier: Apache-2.0
#include "src/import/recording/kernel_names.h"

#include <cstdlib>
#include <memory>

#include <cxxabi.h>

namespace opcensus::import {
namespace {

struct Free {
  void operator()(char* text) const { std::free(text); }
};

}  // namespace

std::string readable_kernel_name(std::string_view name) {
  std::string text(name);
  // A name with a null byte in it is no symbol: the demangler would see its beginning alone.
  if (!name.starts_with("_Z") || name.find('\0') != std::string_view::npos) {
    return text;
  }
  int status = 0;
  const std::unique_ptr<char, Free> readable(
      abi::__cxa_demangle(text.c_str(), nullptr, nullptr, &status));
  return status == 0 && readable != nullptr ? std::string(readable.get()) : text;
}

}  // namespace opcensus::import

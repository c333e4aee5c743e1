// SPDX-License-Identifier: Apache-2.0
#include "src/io/first_bytes.h"

#include <fstream>

namespace opcensus {

std::string first_bytes(const std::string& path, std::size_t count) {
  std::string bytes(count, '\0');
  std::ifstream file(path, std::ios::binary);
  file.read(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  bytes.resize(static_cast<std::size_t>(file.gcount()));
  return bytes;
}

}  // namespace opcensus

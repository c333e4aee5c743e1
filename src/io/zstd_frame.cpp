// SPDX-License-Identifier: Apache-2.0
#include "src/io/zstd_frame.h"

#include <cstdint>

namespace opcensus {
namespace {

constexpr std::string_view kDataMagic("\x28\xb5\x2f\xfd", kZstdStartBytes);

// Skippable frames: 16 magic numbers, of which the first byte's lower half is free.
constexpr std::string_view kSkippableEnd("\x2a\x4d\x18", kZstdStartBytes - 1);

std::uint8_t byte_at(std::string_view bytes, std::size_t index) {
  return static_cast<std::uint8_t>(bytes[index]);
}

bool is_usual_header(std::string_view bytes) {
  // The frame header descriptor: an unused bit (which writers leave 0), a reserved bit, and two
  // bits for the size of a dictionary's number.
  constexpr std::uint8_t kUnusualBits = 0x1b;
  return bytes.size() > kZstdStartBytes && (byte_at(bytes, kZstdStartBytes) & kUnusualBits) == 0;
}

}  // namespace

bool starts_zstd_frame(std::string_view bytes) {
  if (bytes.starts_with(kDataMagic)) {
    return true;
  }
  return !bytes.empty() && (byte_at(bytes, 0) & 0xf0U) == 0x50U &&
         bytes.substr(1).starts_with(kSkippableEnd);
}

bool holds_zstd_frame(std::string_view bytes) {
  for (std::size_t at = bytes.find(kDataMagic); at != std::string_view::npos;
       at = bytes.find(kDataMagic, at + 1)) {
    if (is_usual_header(bytes.substr(at))) {
      return true;
    }
  }
  return false;
}

}  // namespace opcensus

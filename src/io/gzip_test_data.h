// SPDX-License-Identifier: Apache-2.0
//
// For tests: makes gzip members, whole and damaged.
#pragma once

#include <cstdint>
#include <stdexcept>
#include <string>
#include <string_view>

#include <isa-l/igzip_lib.h>

namespace opcensus::testing {

/// One gzip member.
[[nodiscard]] inline std::string gzip(std::string_view content) {
  constexpr std::size_t kMostOverhead = 4096;
  std::string input(content);
  std::string output(content.size() * 2 + kMostOverhead, '\0');
  isal_zstream stream{};
  isal_deflate_stateless_init(&stream);
  stream.gzip_flag = IGZIP_GZIP;
  stream.end_of_stream = 1;
  stream.next_in = reinterpret_cast<std::uint8_t*>(input.data());
  stream.avail_in = static_cast<std::uint32_t>(input.size());
  stream.next_out = reinterpret_cast<std::uint8_t*>(output.data());
  stream.avail_out = static_cast<std::uint32_t>(output.size());
  if (isal_deflate_stateless(&stream) != COMP_OK) {
    throw std::runtime_error("isal_deflate_stateless failed");
  }
  output.resize(output.size() - stream.avail_out);
  return output;
}

/// Text that compresses, but not to nothing: like a trace, numbers in a repeating frame.
[[nodiscard]] inline std::string trace_like_text(std::size_t size, std::uint32_t seed = 1) {
  std::string text;
  while (text.size() < size) {
    seed = seed * 1664525U + 1013904223U;  // a linear congruential generator; quality is no matter
    text += R"({"ph":"X","name":"aten::mm","ts":)" + std::to_string(seed) + "},\n";
  }
  text.resize(size);
  return text;
}

/// The content with the lowest bit of one byte flipped.
[[nodiscard]] inline std::string flip_bit(std::string content, std::size_t at) {
  content[at] = static_cast<char>(static_cast<unsigned char>(content[at]) ^ 1U);
  return content;
}

}  // namespace opcensus::testing

// SPDX-License-Identifier: Apache-2.0
//
// The header of one gzip member (RFC 1952, section 2.3). Pure.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace opcensus {

inline constexpr std::string_view kGzipMagic("\x1f\x8b", 2);

/// As many bytes tell whether a member starts.
inline constexpr std::size_t kGzipStartBytes = 4;

/// How a window of bytes relates to a gzip member header at its front.
enum class GzipStart : std::uint8_t { Yes, No, TooShort };

/// Magic, method "deflate" and no reserved flag: the first four bytes of every gzip member.
[[nodiscard]] GzipStart gzip_start(std::string_view bytes);

/// True if a whole header as real writers make it (known XFL and OS bytes) begins somewhere in
/// the bytes. Chance finds one in about 2^37 random bytes.
[[nodiscard]] bool holds_gzip_header(std::string_view bytes);

/// Takes a member header byte by byte, so that it may be cut anywhere between two buffers.
class GzipHeaderParser {
 public:
  enum class State : std::uint8_t { NeedsMore, Complete, Invalid };

  State take(std::uint8_t byte);

 private:
  enum class Part : std::uint8_t { Fixed, ExtraLength, Extra, Name, Comment, HeaderCrc, Done };

  State take_fixed(std::uint8_t byte);

  /// Moves to the next part that the flags announce.
  State advance(Part finished);

  [[nodiscard]] bool has(Part part) const;

  Part part_ = Part::Fixed;
  std::uint8_t flags_ = 0;
  std::uint32_t position_ = 0;      ///< bytes taken in this part
  std::uint32_t extra_length_ = 0;  ///< of the "extra" field
};

}  // namespace opcensus
